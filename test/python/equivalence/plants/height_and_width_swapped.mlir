// The transposes of the result swap height and width.
// PASS: forge-channels-last
// FLOAT64: found

module {
  func.func @chain(%arg0: tensor<1x3x8x8xf32>) -> tensor<1x5x4x4xf32> {
    %0 = forge.parameter "w" : tensor<4x3x3x3xf32>
    %1 = forge.parameter "b" : tensor<1x4x1x1xf32>
    %2 = forge.parameter "v" : tensor<5x6x1x1xf32>
    %3 = forge.conv2d %arg0, %0 stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
    %4 = forge.add %3, %1 : (tensor<1x4x8x8xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x8x8xf32>
    %5 = forge.relu %4 : tensor<1x4x8x8xf32>
    %6 = forge.max_pool2d %5 kernel_size [2, 2] stride [2, 2] padding [0, 0, 0, 0] : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
    %7 = forge.index %6 dim 1 [0:2] : (tensor<1x4x4x4xf32>) -> tensor<1x2x4x4xf32>
    %8 = forge.concatenate %6, %7 axis -3 : (tensor<1x4x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x6x4x4xf32>
    %9 = forge.conv2d %8, %2 stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x6x4x4xf32>, tensor<5x6x1x1xf32>) -> tensor<1x5x4x4xf32>
    return %9 : tensor<1x5x4x4xf32>
  }
}

// -----

module {
  func.func @chain(%arg0: tensor<1x3x8x8xf32>) -> tensor<1x5x4x4xf32> {
    %0 = forge.transpose %arg0 dims -3, -2 : (tensor<1x3x8x8xf32>) -> tensor<1x8x3x8xf32>
    %1 = forge.transpose %0 dims -2, -1 : (tensor<1x8x3x8xf32>) -> tensor<1x8x8x3xf32>
    %2 = forge.parameter "w" : tensor<4x3x3x3xf32>
    %3 = forge.parameter "b" : tensor<1x4x1x1xf32>
    %4 = forge.parameter "v" : tensor<5x6x1x1xf32>
    %5 = forge.conv2d %1, %2 stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x8x8x3xf32>, tensor<4x3x3x3xf32>) -> tensor<1x8x8x4xf32>
    %6 = forge.reshape %3 shape [1, 1, 1, 4] : (tensor<1x4x1x1xf32>) -> tensor<1x1x1x4xf32>
    %7 = forge.add %5, %6 : (tensor<1x8x8x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x8x8x4xf32>
    %8 = forge.relu %7 : tensor<1x8x8x4xf32>
    %9 = forge.max_pool2d %8 kernel_size [2, 2] stride [2, 2] padding [0, 0, 0, 0] channel_last : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
    %10 = forge.index %9 dim -1 [0:2] : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x2xf32>
    %11 = forge.concatenate %9, %10 axis -1 : (tensor<1x4x4x4xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x6xf32>
    %12 = forge.conv2d %11, %4 stride [1, 1] padding [0, 0, 0, 0] channel_last : (tensor<1x4x4x6xf32>, tensor<5x6x1x1xf32>) -> tensor<1x4x4x5xf32>
    %13 = forge.transpose %12 dims -3, -1 : (tensor<1x4x4x5xf32>) -> tensor<1x5x4x4xf32>
    %14 = forge.identity %13 : tensor<1x5x4x4xf32>
    return %14 : tensor<1x5x4x4xf32>
  }
}
