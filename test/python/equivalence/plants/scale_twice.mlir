// The scale of a product of a projection with itself is folded into the projection and applied twice (before b2c2d47).
// PASS: forge-fold-weights
// FLOAT64: found

module {
  func.func @g(%arg0: tensor<2x8x8xf32> {forge.onnx_name = "x"}) -> (tensor<2x8x8xf32> {forge.onnx_name = "y"}) {
    %0 = forge.parameter "w0" : tensor<8x8xf32>
    %1 = forge.scalar_constant constant 1.250000e-01 dtype f32 : tensor<1xf32>
    %2 = forge.matmul %arg0, %0 : (tensor<2x8x8xf32>, tensor<8x8xf32>) -> tensor<2x8x8xf32>
    %3 = forge.transpose %2 dims -2, -1 : tensor<2x8x8xf32>
    %4 = forge.matmul %2, %3 : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
    %5 = forge.multiply %4, %1 : (tensor<2x8x8xf32>, tensor<1xf32>) -> tensor<2x8x8xf32>
    return %5 : tensor<2x8x8xf32>
  }
}

// -----

module {
  func.func @g(%arg0: tensor<2x8x8xf32> {forge.onnx_name = "x"}) -> (tensor<2x8x8xf32> {forge.onnx_name = "y"}) {
    %0 = forge.parameter "w0" : tensor<8x8xf32>
    %1 = forge.scalar_constant constant 1.250000e-01 dtype f32 : tensor<1xf32>
    %2 = forge.multiply %0, %1 : (tensor<8x8xf32>, tensor<1xf32>) -> tensor<8x8xf32>
    %3 = forge.matmul %arg0, %2 : (tensor<2x8x8xf32>, tensor<8x8xf32>) -> tensor<2x8x8xf32>
    %4 = forge.transpose %3 dims -2, -1 : tensor<2x8x8xf32>
    %5 = forge.matmul %3, %4 : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
    return %5 : tensor<2x8x8xf32>
  }
}
