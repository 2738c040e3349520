// The scale of a norm is folded into the weights and also multiplies the norm's bias (before 2d82b01).
// PASS: forge-fold-weights
// FLOAT64: found

module {
  func.func @g(%arg0: tensor<2x6x8xf32> {forge.onnx_name = "x"}, %arg1: tensor<8xf32> {forge.onnx_name = "b"}) -> (tensor<2x6x5xf32> {forge.onnx_name = "y"}) {
    %0 = forge.parameter "w0" : tensor<8xf32>
    %1 = forge.parameter "w1" : tensor<8x5xf32>
    %2 = forge.layernorm %arg0, %0, %arg1 dim -1 epsilon 9.99999974E-6 : (tensor<2x6x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x6x8xf32>
    %3 = forge.matmul %2, %1 : (tensor<2x6x8xf32>, tensor<8x5xf32>) -> tensor<2x6x5xf32>
    return %3 : tensor<2x6x5xf32>
  }
}

// -----

module {
  func.func @g(%arg0: tensor<2x6x8xf32> {forge.onnx_name = "x"}, %arg1: tensor<8xf32> {forge.onnx_name = "b"}) -> (tensor<2x6x5xf32> {forge.onnx_name = "y"}) {
    %0 = forge.parameter "w0" : tensor<8xf32>
    %1 = forge.parameter "w1" : tensor<8x5xf32>
    %2 = forge.constant dense<1.000000e+00> : tensor<8xf32>
    %3 = forge.layernorm %arg0, %2, %arg1 dim -1 epsilon 9.99999974E-6 : (tensor<2x6x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x6x8xf32>
    %4 = forge.reshape %0 shape [8, 1] : (tensor<8xf32>) -> tensor<8x1xf32>
    %5 = forge.multiply %1, %4 : (tensor<8x5xf32>, tensor<8x1xf32>) -> tensor<8x5xf32>
    %6 = forge.matmul %3, %5 : (tensor<2x6x8xf32>, tensor<8x5xf32>) -> tensor<2x6x5xf32>
    return %6 : tensor<2x6x5xf32>
  }
}
