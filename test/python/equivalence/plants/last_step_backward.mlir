// A reversed slice starts one element too early.
// PASS: forge-lower-strided-slice
// FLOAT64: found

module {
  func.func @backward(%arg0: tensor<2x10xf32>) -> tensor<2x3xf32> {
    %0 = forge.strided_slice %arg0 dim 1 [8:2:-2] : (tensor<2x10xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// -----

module {
  func.func @backward(%arg0: tensor<2x10xf32>) -> tensor<2x3xf32> {
    %0 = forge.constant dense<[9, 7, 5]> : tensor<3xi64>
    %1 = forge.adv_index %arg0, %0 dim -1 : (tensor<2x10xf32>, tensor<3xi64>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
}
