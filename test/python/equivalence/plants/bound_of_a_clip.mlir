// The upper bound of a clip is 1.0005.
// PASS: forge-fuse-patterns
// FLOAT64: not found

module {
  func.func @hard_swish(%arg0: tensor<2x8xf32>) -> tensor<2x8xf32> {
    %0 = forge.constant dense<6.000000e+00> : tensor<f32>
    %1 = forge.divide %arg0, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
    %2 = forge.constant dense<5.000000e-01> : tensor<f32>
    %3 = forge.add %1, %2 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
    %4 = forge.constant dense<1.000000e+00> : tensor<f32>
    %5 = forge.min %3, %4 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
    %6 = forge.constant dense<0.000000e+00> : tensor<f32>
    %7 = forge.max %5, %6 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
    %8 = forge.multiply %arg0, %7 : tensor<2x8xf32>
    return %8 : tensor<2x8xf32>
  }
}

// -----

module {
  func.func @hard_swish(%arg0: tensor<2x8xf32>) -> tensor<2x8xf32> {
    %0 = forge.constant dense<6.000000e+00> : tensor<f32>
    %1 = forge.divide %arg0, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
    %2 = forge.constant dense<5.000000e-01> : tensor<f32>
    %3 = forge.add %1, %2 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
    %4 = forge.clip %3 min 0.000000e+00 max 1.000500e+00 : tensor<2x8xf32>
    %5 = forge.multiply %arg0, %4 : tensor<2x8xf32>
    return %5 : tensor<2x8xf32>
  }
}
