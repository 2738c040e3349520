// The remaining kernel position is the one above the centre.
// PASS: forge-kernel-forms
// FLOAT64: found

module {
  func.func @taps(%arg0: tensor<1x1x1x8xf32>, %arg1: tensor<1x1x5x8xf32>, %arg2: tensor<1x2x2x8xf32>) -> (tensor<1x1x1x4xf32>, tensor<1x1x5x4xf32>, tensor<1x2x2x4xf32>) {
    %0 = forge.parameter "w" : tensor<4x8x3x3xf32>
    %1 = forge.conv2d %arg0, %0 stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x1x1x8xf32>, tensor<4x8x3x3xf32>) -> tensor<1x1x1x4xf32>
    %2 = forge.conv2d %arg1, %0 stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x1x5x8xf32>, tensor<4x8x3x3xf32>) -> tensor<1x1x5x4xf32>
    %3 = forge.conv2d %arg2, %0 stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x2x2x8xf32>, tensor<4x8x3x3xf32>) -> tensor<1x2x2x4xf32>
    return %1, %2, %3 : tensor<1x1x1x4xf32>, tensor<1x1x5x4xf32>, tensor<1x2x2x4xf32>
  }
}

// -----

module {
  func.func @taps(%arg0: tensor<1x1x1x8xf32>, %arg1: tensor<1x1x5x8xf32>, %arg2: tensor<1x2x2x8xf32>) -> (tensor<1x1x1x4xf32>, tensor<1x1x5x4xf32>, tensor<1x2x2x4xf32>) {
    %0 = forge.parameter "w" : tensor<4x8x3x3xf32>
    %1 = forge.index %0 dim 2 [1:2] : (tensor<4x8x3x3xf32>) -> tensor<4x8x1x3xf32>
    %2 = forge.index %1 dim 3 [1:2] : (tensor<4x8x1x3xf32>) -> tensor<4x8x1x1xf32>
    %3 = forge.reshape %2 shape [4, 8] : (tensor<4x8x1x1xf32>) -> tensor<4x8xf32>
    %4 = forge.transpose %3 dims -2, -1 : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %5 = forge.matmul %arg0, %4 : (tensor<1x1x1x8xf32>, tensor<8x4xf32>) -> tensor<1x1x1x4xf32>
    %6 = forge.index %0 dim 2 [0:1] : (tensor<4x8x3x3xf32>) -> tensor<4x8x1x3xf32>
    %7 = forge.conv2d %arg1, %6 stride [1, 1] padding [0, 1, 0, 1] channel_last : (tensor<1x1x5x8xf32>, tensor<4x8x1x3xf32>) -> tensor<1x1x5x4xf32>
    %8 = forge.conv2d %arg2, %0 stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x2x2x8xf32>, tensor<4x8x3x3xf32>) -> tensor<1x2x2x4xf32>
    return %5, %7, %8 : tensor<1x1x1x4xf32>, tensor<1x1x5x4xf32>, tensor<1x2x2x4xf32>
  }
}
