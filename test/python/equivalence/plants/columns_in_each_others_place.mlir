// Adjacent columns are not swapped.
// PASS: forge-column-products
// FLOAT64: found

module {
  func.func @pairs(%arg0: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    %0 = forge.parameter "cos" : tensor<3x4xf32>
    %1 = forge.parameter "sin" : tensor<3x4xf32>
    %2 = forge.scalar_constant constant -1.000000e+00 dtype f32 : tensor<1xf32>
    %3 = forge.index %arg0 dim 2 [0:4:2] : (tensor<2x3x4xf32>) -> tensor<2x3x2xf32>
    %4 = forge.index %arg0 dim 2 [1:4:2] : (tensor<2x3x4xf32>) -> tensor<2x3x2xf32>
    %5 = forge.multiply %4, %2 : (tensor<2x3x2xf32>, tensor<1xf32>) -> tensor<2x3x2xf32>
    %6 = forge.reshape %5 shape [6, 2, 1] : (tensor<2x3x2xf32>) -> tensor<6x2x1xf32>
    %7 = forge.reshape %3 shape [6, 2, 1] : (tensor<2x3x2xf32>) -> tensor<6x2x1xf32>
    %8 = forge.concatenate %6, %7 axis 2 : (tensor<6x2x1xf32>, tensor<6x2x1xf32>) -> tensor<6x2x2xf32>
    %9 = forge.reshape %8 shape [2, 3, 4] : (tensor<6x2x2xf32>) -> tensor<2x3x4xf32>
    %10 = forge.multiply %9, %1 : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
    %11 = forge.multiply %arg0, %0 : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
    %12 = forge.add %11, %10 : tensor<2x3x4xf32>
    return %12 : tensor<2x3x4xf32>
  }
}

// -----

module {
  func.func @pairs(%arg0: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    %0 = forge.parameter "cos" : tensor<3x4xf32>
    %1 = forge.parameter "sin" : tensor<3x4xf32>
    %2 = forge.scalar_constant constant -1.000000e+00 dtype f32 : tensor<1xf32>
    %3 = forge.index %arg0 dim 2 [0:4:2] : (tensor<2x3x4xf32>) -> tensor<2x3x2xf32>
    %4 = forge.index %arg0 dim 2 [1:4:2] : (tensor<2x3x4xf32>) -> tensor<2x3x2xf32>
    %5 = forge.multiply %4, %2 : (tensor<2x3x2xf32>, tensor<1xf32>) -> tensor<2x3x2xf32>
    %6 = forge.reshape %5 shape [6, 2, 1] : (tensor<2x3x2xf32>) -> tensor<6x2x1xf32>
    %7 = forge.reshape %3 shape [6, 2, 1] : (tensor<2x3x2xf32>) -> tensor<6x2x1xf32>
    %8 = forge.concatenate %7, %6 axis 2 : (tensor<6x2x1xf32>, tensor<6x2x1xf32>) -> tensor<6x2x2xf32>
    %9 = forge.reshape %8 shape [2, 3, 4] : (tensor<6x2x2xf32>) -> tensor<2x3x4xf32>
    %10 = forge.multiply %9, %1 : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
    %11 = forge.multiply %arg0, %0 : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
    %12 = forge.add %11, %10 : tensor<2x3x4xf32>
    return %12 : tensor<2x3x4xf32>
  }
}
