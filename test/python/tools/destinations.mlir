// Every op that writes into an operand, and one that does not.
func.func @main(%cache: tensor<1x2x8x4xf32>, %keys: tensor<1x2x3x4xf32>, %key: tensor<1x2x1x4xf32>, %place: tensor<1xi32>,
                %x: tensor<2x3xf32>, %row: tensor<1x3xf32>) -> (tensor<1x2x8x4xf32>, tensor<2x3xf32>) {
  %0 = forge.fill_cache %cache, %keys : (tensor<1x2x8x4xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x8x4xf32>
  %1 = forge.update_cache %0, %key, %place : (tensor<1x2x8x4xf32>, tensor<1x2x1x4xf32>, tensor<1xi32>) -> tensor<1x2x8x4xf32>
  %2 = forge.index_copy %x, %place, %row dim 0 : (tensor<2x3xf32>, tensor<1xi32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %3 = forge.relu %2 : tensor<2x3xf32>
  return %1, %3 : tensor<1x2x8x4xf32>, tensor<2x3xf32>
}
