// The rows of a grouped product are in another order of heads: query head 1 uses the keys of head 1, not of head 0.
// PASS: forge-join-movement
// FLOAT64: found

module {
  func.func @grouped(%arg0: tensor<1x4x1x8xf32>, %arg1: tensor<1x2x8x6xf32>) -> tensor<1x4x1x6xf32> {
    %0 = forge.repeat_interleave %arg1 repeats 2 dim -3 : (tensor<1x2x8x6xf32>) -> tensor<1x4x8x6xf32>
    %1 = forge.matmul %arg0, %0 : (tensor<1x4x1x8xf32>, tensor<1x4x8x6xf32>) -> tensor<1x4x1x6xf32>
    return %1 : tensor<1x4x1x6xf32>
  }
}

// -----

module {
  func.func @grouped(%arg0: tensor<1x4x1x8xf32>, %arg1: tensor<1x2x8x6xf32>) -> tensor<1x4x1x6xf32> {
    %0 = forge.reshape %arg0 shape [1, 2, 2, 8] : (tensor<1x4x1x8xf32>) -> tensor<1x2x2x8xf32>
    %1 = forge.transpose %0 dims 1, 2 : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
    %2 = forge.matmul %1, %arg1 : (tensor<1x2x2x8xf32>, tensor<1x2x8x6xf32>) -> tensor<1x2x2x6xf32>
    %3 = forge.transpose %2 dims 1, 2 : (tensor<1x2x2x6xf32>) -> tensor<1x2x2x6xf32>
    %4 = forge.reshape %3 shape [1, 4, 1, 6] : (tensor<1x2x2x6xf32>) -> tensor<1x4x1x6xf32>
    return %4 : tensor<1x4x1x6xf32>
  }
}
