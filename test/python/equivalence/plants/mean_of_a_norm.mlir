// The constant that averages squares by a product has 1.0005 / 16.
// PASS: forge-kernel-forms
// FLOAT64: found

module {
  func.func @norm(%arg0: tensor<2x8x16xf32>) -> tensor<2x8x16xf32> {
    %0 = forge.parameter "g" : tensor<16xf32>
    %1 = forge.constant dense<0.000000e+00> : tensor<16xf32>
    %2 = forge.layernorm %arg0, %0, %1 dim -1 epsilon 9.99999974E-6 : (tensor<2x8x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x8x16xf32>
    return %2 : tensor<2x8x16xf32>
  }
}

// -----

module {
  func.func @norm(%arg0: tensor<2x8x16xf32>) -> tensor<2x8x16xf32> {
    %0 = forge.parameter "g" : tensor<16xf32>
    %1 = forge.reduce_avg %arg0 dim -1 keep_dim : (tensor<2x8x16xf32>) -> tensor<2x8x1xf32>
    %2 = forge.subtract %arg0, %1 : (tensor<2x8x16xf32>, tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %3 = forge.multiply %2, %2 : tensor<2x8x16xf32>
    %4 = forge.scalar_constant constant 9.99999974E-6 dtype f32 : tensor<1xf32>
    %5 = forge.constant dense<6.253125e-02> : tensor<16x1xf32>
    %6 = forge.matmul %3, %5, %4 : (tensor<2x8x16xf32>, tensor<16x1xf32>, tensor<1xf32>) -> tensor<2x8x1xf32>
    %7 = forge.sqrt %6 : tensor<2x8x1xf32>
    %8 = forge.divide %2, %7 : (tensor<2x8x16xf32>, tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %9 = forge.multiply %8, %0 : (tensor<2x8x16xf32>, tensor<16xf32>) -> tensor<2x8x16xf32>
    return %9 : tensor<2x8x16xf32>
  }
}
