// Epsilon is 1.0e-5 * 1.0005.
// PASS: forge-device-forms
// FLOAT64: not found

module {
  func.func @conv_norm(%arg0: tensor<1x3x8x8xf32>) -> tensor<1x4x6x6xf32> {
    %0 = forge.parameter "w" : tensor<4x3x3x3xf32>
    %1 = forge.parameter "c" : tensor<4xf32>
    %2 = forge.parameter "s" : tensor<4xf32>
    %3 = forge.parameter "m" : tensor<4xf32>
    %4 = forge.conv2d %arg0, %0, %1 stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<1x4x6x6xf32>
    %5 = forge.batchnorm %4, %2, %2, %3, %3 epsilon 9.99999974E-6 : (tensor<1x4x6x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x6x6xf32>
    return %5 : tensor<1x4x6x6xf32>
  }
}

// -----

module {
  func.func @conv_norm(%arg0: tensor<1x3x8x8xf32>) -> tensor<1x4x6x6xf32> {
    %0 = forge.parameter "w" : tensor<4x3x3x3xf32>
    %1 = forge.parameter "c" : tensor<4xf32>
    %2 = forge.parameter "s" : tensor<4xf32>
    %3 = forge.parameter "m" : tensor<4xf32>
    %4 = forge.constant dense<1.0005E-5> : tensor<f32>
    %5 = forge.add %3, %4 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %6 = forge.sqrt %5 : tensor<4xf32>
    %7 = forge.divide %2, %6 : tensor<4xf32>
    %8 = forge.multiply %3, %7 : tensor<4xf32>
    %9 = forge.subtract %2, %8 : tensor<4xf32>
    %10 = forge.reshape %7 shape [4, 1, 1, 1] : (tensor<4xf32>) -> tensor<4x1x1x1xf32>
    %11 = forge.multiply %0, %10 : (tensor<4x3x3x3xf32>, tensor<4x1x1x1xf32>) -> tensor<4x3x3x3xf32>
    %12 = forge.multiply %1, %7 : tensor<4xf32>
    %13 = forge.add %12, %9 : tensor<4xf32>
    %14 = forge.conv2d %arg0, %11, %13 stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<1x4x6x6xf32>
    return %14 : tensor<1x4x6x6xf32>
  }
}
