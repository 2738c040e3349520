// The scale of p + p * w2 is folded into both projections, of which one reads the other (before b2c2d47).
// PASS: forge-fold-weights
// FLOAT64: found

module {
  func.func @g(%arg0: tensor<2x8x8xf32> {forge.onnx_name = "x"}) -> (tensor<2x8x8xf32> {forge.onnx_name = "y"}) {
    %0 = forge.parameter "w0" : tensor<8x8xf32>
    %1 = forge.parameter "w1" : tensor<8x8xf32>
    %2 = forge.scalar_constant constant 2.500000e-01 dtype f32 : tensor<1xf32>
    %3 = forge.matmul %arg0, %0 : (tensor<2x8x8xf32>, tensor<8x8xf32>) -> tensor<2x8x8xf32>
    %4 = forge.matmul %3, %1 : (tensor<2x8x8xf32>, tensor<8x8xf32>) -> tensor<2x8x8xf32>
    %5 = forge.add %3, %4 : tensor<2x8x8xf32>
    %6 = forge.multiply %5, %2 : (tensor<2x8x8xf32>, tensor<1xf32>) -> tensor<2x8x8xf32>
    return %6 : tensor<2x8x8xf32>
  }
}

// -----

module {
  func.func @g(%arg0: tensor<2x8x8xf32> {forge.onnx_name = "x"}) -> (tensor<2x8x8xf32> {forge.onnx_name = "y"}) {
    %0 = forge.parameter "w0" : tensor<8x8xf32>
    %1 = forge.parameter "w1" : tensor<8x8xf32>
    %2 = forge.scalar_constant constant 2.500000e-01 dtype f32 : tensor<1xf32>
    %3 = forge.multiply %0, %2 : (tensor<8x8xf32>, tensor<1xf32>) -> tensor<8x8xf32>
    %4 = forge.matmul %arg0, %3 : (tensor<2x8x8xf32>, tensor<8x8xf32>) -> tensor<2x8x8xf32>
    %5 = forge.scalar_constant constant 2.500000e-01 dtype f32 : tensor<1xf32>
    %6 = forge.multiply %1, %5 : (tensor<8x8xf32>, tensor<1xf32>) -> tensor<8x8xf32>
    %7 = forge.matmul %4, %6 : (tensor<2x8x8xf32>, tensor<8x8xf32>) -> tensor<2x8x8xf32>
    %8 = forge.add %4, %7 : tensor<2x8x8xf32>
    return %8 : tensor<2x8x8xf32>
  }
}
