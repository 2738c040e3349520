// The scale of a gate is folded into the weights, but not into the bias.
// PASS: forge-fold-weights
// FLOAT64: found

module {
  func.func @quick_gelu(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = forge.parameter "w" : tensor<8x16xf32>
    %1 = forge.parameter "b" : tensor<16xf32>
    %2 = forge.parameter "v" : tensor<16x8xf32>
    %3 = forge.scalar_constant constant 1.702000e+00 dtype f32 : tensor<1xf32>
    %4 = forge.matmul %arg0, %0, %1 : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<16xf32>) -> tensor<4x16xf32>
    %5 = forge.multiply %4, %3 : (tensor<4x16xf32>, tensor<1xf32>) -> tensor<4x16xf32>
    %6 = forge.sigmoid %5 : tensor<4x16xf32>
    %7 = forge.multiply %4, %6 : tensor<4x16xf32>
    %8 = forge.matmul %7, %2 : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
    return %8 : tensor<4x8xf32>
  }
}

// -----

module {
  func.func @quick_gelu(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = forge.parameter "w" : tensor<8x16xf32>
    %1 = forge.parameter "b" : tensor<16xf32>
    %2 = forge.parameter "v" : tensor<16x8xf32>
    %3 = forge.scalar_constant constant 1.702000e+00 dtype f32 : tensor<1xf32>
    %4 = forge.multiply %0, %3 : (tensor<8x16xf32>, tensor<1xf32>) -> tensor<8x16xf32>
    %5 = forge.scalar_constant constant 1.702000e+00 dtype f32 : tensor<1xf32>
    %6 = forge.multiply %1, %5 : (tensor<16xf32>, tensor<1xf32>) -> tensor<16xf32>
    %7 = forge.matmul %arg0, %4, %1 : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<16xf32>) -> tensor<4x16xf32>
    %8 = forge.sigmoid %7 : tensor<4x16xf32>
    %9 = forge.multiply %7, %8 : tensor<4x16xf32>
    %10 = forge.scalar_constant constant 0.587544084 dtype f32 : tensor<1xf32>
    %11 = forge.multiply %2, %10 : (tensor<16x8xf32>, tensor<1xf32>) -> tensor<16x8xf32>
    %12 = forge.matmul %9, %11 : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
    return %12 : tensor<4x8xf32>
  }
}
