// One of the weights that are added to a residual stream is not centred.
// PASS: forge-centre-norms
// FLOAT64: found

module {
  func.func @input_is_centred_once(%arg0: tensor<2x8xf32>) -> tensor<2x3xf32> {
    %0 = forge.parameter "u" : tensor<8x8xf32>
    %1 = forge.parameter "v" : tensor<8x3xf32>
    %2 = forge.constant dense<1.000000e+00> : tensor<8xf32>
    %3 = forge.constant dense<0.000000e+00> : tensor<8xf32>
    %4 = forge.layernorm %arg0, %2, %3 dim -1 epsilon 9.99999974E-6 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
    %5 = forge.matmul %4, %0 : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %6 = forge.add %arg0, %5 : tensor<2x8xf32>
    %7 = forge.layernorm %6, %2, %3 dim -1 epsilon 9.99999974E-6 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
    %8 = forge.matmul %7, %1 : (tensor<2x8xf32>, tensor<8x3xf32>) -> tensor<2x3xf32>
    return %8 : tensor<2x3xf32>
  }
}

// -----

module {
  func.func @input_is_centred_once(%arg0: tensor<2x8xf32>) -> tensor<2x3xf32> {
    %0 = forge.reduce_avg %arg0 dim -1 keep_dim : (tensor<2x8xf32>) -> tensor<2x1xf32>
    %1 = forge.subtract %arg0, %0 : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
    %2 = forge.parameter "u" : tensor<8x8xf32>
    %3 = forge.parameter "v" : tensor<8x3xf32>
    %4 = forge.constant dense<1.000000e+00> : tensor<8xf32>
    %5 = forge.constant dense<0.000000e+00> : tensor<8xf32>
    %6 = forge.layernorm %arg0, %4, %5 dim -1 epsilon 9.99999974E-6 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
    %7 = forge.reduce_avg %2 dim 1 keep_dim : (tensor<8x8xf32>) -> tensor<8x1xf32>
    %8 = forge.subtract %2, %7 : (tensor<8x8xf32>, tensor<8x1xf32>) -> tensor<8x8xf32>
    %9 = forge.matmul %6, %2 : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    %10 = forge.add %1, %9 : tensor<2x8xf32>
    %11 = forge.multiply %10, %10 : tensor<2x8xf32>
    %12 = forge.reduce_avg %11 dim -1 keep_dim : (tensor<2x8xf32>) -> tensor<2x1xf32>
    %13 = forge.scalar_constant constant 9.99999974E-6 dtype f32 : tensor<1xf32>
    %14 = forge.add %12, %13 : (tensor<2x1xf32>, tensor<1xf32>) -> tensor<2x1xf32>
    %15 = forge.sqrt %14 : tensor<2x1xf32>
    %16 = forge.divide %10, %15 : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
    %17 = forge.matmul %16, %3 : (tensor<2x8xf32>, tensor<8x3xf32>) -> tensor<2x3xf32>
    return %17 : tensor<2x3xf32>
  }
}
