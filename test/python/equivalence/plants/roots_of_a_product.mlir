// The square root of a scale is folded into four tables, of which two belong to one addend (before b2c2d47).
// PASS: forge-fold-weights
// FLOAT64: found

module {
  func.func @g(%arg0: tensor<2x40x48xf32> {forge.onnx_name = "x"}, %arg1: tensor<2x40x48xf32> {forge.onnx_name = "z"}, %arg2: tensor<2x40x48xf32> {forge.onnx_name = "u"}, %arg3: tensor<2x40x48xf32> {forge.onnx_name = "v"}) -> (tensor<2x40x40xf32> {forge.onnx_name = "y"}) {
    %0 = forge.parameter "a" : tensor<40x48xf32>
    %1 = forge.parameter "b" : tensor<40x48xf32>
    %2 = forge.parameter "c" : tensor<40x48xf32>
    %3 = forge.parameter "d" : tensor<40x48xf32>
    %4 = forge.scalar_constant constant 2.500000e-01 dtype f32 : tensor<1xf32>
    %5 = forge.multiply %arg0, %arg1 : tensor<2x40x48xf32>
    %6 = forge.multiply %0, %1 : tensor<40x48xf32>
    %7 = forge.add %5, %6 : (tensor<2x40x48xf32>, tensor<40x48xf32>) -> tensor<2x40x48xf32>
    %8 = forge.multiply %arg2, %2 : (tensor<2x40x48xf32>, tensor<40x48xf32>) -> tensor<2x40x48xf32>
    %9 = forge.multiply %arg3, %3 : (tensor<2x40x48xf32>, tensor<40x48xf32>) -> tensor<2x40x48xf32>
    %10 = forge.add %8, %9 : tensor<2x40x48xf32>
    %11 = forge.transpose %10 dims -2, -1 : (tensor<2x40x48xf32>) -> tensor<2x48x40xf32>
    %12 = forge.matmul %7, %11 : (tensor<2x40x48xf32>, tensor<2x48x40xf32>) -> tensor<2x40x40xf32>
    %13 = forge.multiply %12, %4 : (tensor<2x40x40xf32>, tensor<1xf32>) -> tensor<2x40x40xf32>
    return %13 : tensor<2x40x40xf32>
  }
}

// -----

module {
  func.func @g(%arg0: tensor<2x40x48xf32> {forge.onnx_name = "x"}, %arg1: tensor<2x40x48xf32> {forge.onnx_name = "z"}, %arg2: tensor<2x40x48xf32> {forge.onnx_name = "u"}, %arg3: tensor<2x40x48xf32> {forge.onnx_name = "v"}) -> (tensor<2x40x40xf32> {forge.onnx_name = "y"}) {
    %0 = forge.parameter "a" : tensor<40x48xf32>
    %1 = forge.parameter "b" : tensor<40x48xf32>
    %2 = forge.parameter "c" : tensor<40x48xf32>
    %3 = forge.parameter "d" : tensor<40x48xf32>
    %4 = forge.multiply %arg0, %arg1 : tensor<2x40x48xf32>
    %5 = forge.scalar_constant constant 5.000000e-01 dtype f32 : tensor<1xf32>
    %6 = forge.multiply %0, %5 : (tensor<40x48xf32>, tensor<1xf32>) -> tensor<40x48xf32>
    %7 = forge.scalar_constant constant 5.000000e-01 dtype f32 : tensor<1xf32>
    %8 = forge.multiply %1, %7 : (tensor<40x48xf32>, tensor<1xf32>) -> tensor<40x48xf32>
    %9 = forge.multiply %6, %8 : tensor<40x48xf32>
    %10 = forge.add %4, %9 : (tensor<2x40x48xf32>, tensor<40x48xf32>) -> tensor<2x40x48xf32>
    %11 = forge.scalar_constant constant 5.000000e-01 dtype f32 : tensor<1xf32>
    %12 = forge.multiply %2, %11 : (tensor<40x48xf32>, tensor<1xf32>) -> tensor<40x48xf32>
    %13 = forge.multiply %arg2, %12 : (tensor<2x40x48xf32>, tensor<40x48xf32>) -> tensor<2x40x48xf32>
    %14 = forge.scalar_constant constant 5.000000e-01 dtype f32 : tensor<1xf32>
    %15 = forge.multiply %3, %14 : (tensor<40x48xf32>, tensor<1xf32>) -> tensor<40x48xf32>
    %16 = forge.multiply %arg3, %15 : (tensor<2x40x48xf32>, tensor<40x48xf32>) -> tensor<2x40x48xf32>
    %17 = forge.add %13, %16 : tensor<2x40x48xf32>
    %18 = forge.transpose %17 dims -2, -1 : (tensor<2x40x48xf32>) -> tensor<2x48x40xf32>
    %19 = forge.matmul %10, %18 : (tensor<2x40x48xf32>, tensor<2x48x40xf32>) -> tensor<2x40x40xf32>
    return %19 : tensor<2x40x40xf32>
  }
}
