// The upper bound before a rounding is one step higher.
// PASS: forge-simplify-arithmetic
// FLOAT64: not found

module {
  func.func @quantised(%arg0: tensor<8xi32>) -> tensor<8xf32> {
    %0 = forge.constant dense<10> : tensor<ui8>
    %1 = forge.constant dense<10> : tensor<i32>
    %2 = forge.constant dense<0x4B400000> : tensor<f32>
    %3 = forge.constant dense<0x4B3FFFF6> : tensor<f32>
    %4 = forge.cast %arg0 dtype f32 : (tensor<8xi32>) -> tensor<8xf32>
    %5 = forge.clip %4 min -1.000000e+01 max 2.450000e+02 : tensor<8xf32>
    %6 = forge.add %5, %2 : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
    %7 = forge.subtract %6, %3 : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
    %8 = forge.cast %7 dtype ui8 : (tensor<8xf32>) -> tensor<8xui8>
    %9 = forge.cast %8 dtype i32 : (tensor<8xui8>) -> tensor<8xi32>
    %10 = forge.subtract %9, %1 : (tensor<8xi32>, tensor<i32>) -> tensor<8xi32>
    %11 = forge.cast %10 dtype f32 : (tensor<8xi32>) -> tensor<8xf32>
    return %11 : tensor<8xf32>
  }
}

// -----

module {
  func.func @quantised(%arg0: tensor<8xi32>) -> tensor<8xf32> {
    %0 = forge.constant dense<0x4B400000> : tensor<f32>
    %1 = forge.cast %arg0 dtype f32 : (tensor<8xi32>) -> tensor<8xf32>
    %2 = forge.clip %1 min -1.000000e+01 max 2.460000e+02 : tensor<8xf32>
    %3 = forge.add %2, %0 : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
    %4 = forge.constant dense<0x4B400000> : tensor<f32>
    %5 = forge.subtract %3, %4 : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
    return %5 : tensor<8xf32>
  }
}
