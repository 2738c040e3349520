// The scalar that is subtracted instead of added has the wrong sign.
// PASS: forge-separate-products
// FLOAT64: found

module {
  func.func @numbers(%arg0: tensor<4x8xf32>, %arg1: tensor<8x5xf32>, %arg2: tensor<8x5xf32>, %arg3: tensor<8x5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>, tensor<2x2x5xf32>) {
    %0 = forge.parameter "c" : tensor<5xf32>
    %1 = forge.scalar_constant constant 2.000000e+00 dtype f32 : tensor<1xf32>
    %2 = forge.scalar_constant constant 3.000000e+00 dtype f32 : tensor<1xf32>
    %3 = forge.matmul %arg0, %arg1, %0 : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
    %4 = forge.matmul %arg0, %arg2, %1 : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<1xf32>) -> tensor<4x5xf32>
    %5 = forge.matmul %arg0, %arg3 : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
    %6 = forge.reshape %5 shape [2, 2, 5] : (tensor<4x5xf32>) -> tensor<2x2x5xf32>
    %7 = forge.add %2, %6 : (tensor<1xf32>, tensor<2x2x5xf32>) -> tensor<2x2x5xf32>
    return %3, %4, %7 : tensor<4x5xf32>, tensor<4x5xf32>, tensor<2x2x5xf32>
  }
}

// -----

module {
  func.func @numbers(%arg0: tensor<4x8xf32>, %arg1: tensor<8x5xf32>, %arg2: tensor<8x5xf32>, %arg3: tensor<8x5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>, tensor<2x2x5xf32>) {
    %0 = forge.parameter "c" : tensor<5xf32>
    %1 = forge.matmul %arg0, %arg1, %0 : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
    %2 = forge.matmul %arg0, %arg2 : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
    %3 = forge.scalar_constant constant -2.000000e+00 dtype f32 : tensor<1xf32>
    %4 = forge.subtract %2, %3 : (tensor<4x5xf32>, tensor<1xf32>) -> tensor<4x5xf32>
    %5 = forge.matmul %arg0, %arg3 : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
    %6 = forge.reshape %5 shape [2, 2, 5] : (tensor<4x5xf32>) -> tensor<2x2x5xf32>
    %7 = forge.scalar_constant constant 3.000000e+00 dtype f32 : tensor<1xf32>
    %8 = forge.subtract %6, %7 : (tensor<2x2x5xf32>, tensor<1xf32>) -> tensor<2x2x5xf32>
    return %1, %4, %8 : tensor<4x5xf32>, tensor<4x5xf32>, tensor<2x2x5xf32>
  }
}
