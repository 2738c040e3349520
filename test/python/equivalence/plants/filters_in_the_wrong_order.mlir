// The filters of the merged convolutions are concatenated in reversed order.
// PASS: forge-join-convolutions
// FLOAT64: found

module {
  func.func @equal_windows(%arg0: tensor<1x4x8x8xf32>) -> tensor<1x28x4x4xf32> {
    %0 = forge.parameter "v" : tensor<8x4x3x3xf32>
    %1 = forge.parameter "w" : tensor<16x4x3x3xf32>
    %2 = forge.max_pool2d %arg0 kernel_size [2, 2] stride [2, 2] padding [0, 0, 0, 0] : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
    %3 = forge.conv2d %arg0, %0 stride [2, 2] padding [1, 1, 1, 1] : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x4x4xf32>
    %4 = forge.sigmoid %3 : tensor<1x8x4x4xf32>
    %5 = forge.conv2d %arg0, %1 stride [2, 2] padding [1, 1, 1, 1] : (tensor<1x4x8x8xf32>, tensor<16x4x3x3xf32>) -> tensor<1x16x4x4xf32>
    %6 = forge.sigmoid %5 : tensor<1x16x4x4xf32>
    %7 = forge.concatenate %2, %4, %6 axis 1 : (tensor<1x4x4x4xf32>, tensor<1x8x4x4xf32>, tensor<1x16x4x4xf32>) -> tensor<1x28x4x4xf32>
    return %7 : tensor<1x28x4x4xf32>
  }
}

// -----

module {
  func.func @equal_windows(%arg0: tensor<1x4x8x8xf32>) -> tensor<1x28x4x4xf32> {
    %0 = forge.parameter "v" : tensor<8x4x3x3xf32>
    %1 = forge.parameter "w" : tensor<16x4x3x3xf32>
    %2 = forge.max_pool2d %arg0 kernel_size [2, 2] stride [2, 2] padding [0, 0, 0, 0] : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
    %3 = forge.concatenate %1, %0 axis -4 : (tensor<16x4x3x3xf32>, tensor<8x4x3x3xf32>) -> tensor<24x4x3x3xf32>
    %4 = forge.conv2d %arg0, %3 stride [2, 2] padding [1, 1, 1, 1] : (tensor<1x4x8x8xf32>, tensor<24x4x3x3xf32>) -> tensor<1x24x4x4xf32>
    %5 = forge.sigmoid %4 : tensor<1x24x4x4xf32>
    %6 = forge.concatenate %2, %5 axis 1 : (tensor<1x4x4x4xf32>, tensor<1x24x4x4xf32>) -> tensor<1x28x4x4xf32>
    return %6 : tensor<1x28x4x4xf32>
  }
}
