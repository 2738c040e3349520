func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = forge.sigmoid %x : tensor<2x3xf32>
  %1 = forge.relu %0 : tensor<2x3xf32>
  %2 = forge.relu %1 : tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}
