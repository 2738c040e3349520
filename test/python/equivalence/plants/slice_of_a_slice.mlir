// The bounds of the inner slice are applied to the operand of the outer slice.
// PASS: forge-slice-canonicalize
// FLOAT64: found

module {
  func.func @slice_of_slice(%arg0: tensor<10xf32>) -> tensor<3xf32> {
    %0 = forge.strided_slice %arg0 dim 0 [2:9] : (tensor<10xf32>) -> tensor<7xf32>
    %1 = forge.strided_slice %0 dim 0 [-3:99] : (tensor<7xf32>) -> tensor<3xf32>
    return %1 : tensor<3xf32>
  }
}

// -----

module {
  func.func @slice_of_slice(%arg0: tensor<10xf32>) -> tensor<3xf32> {
    %0 = forge.strided_slice %arg0 dim 0 [4:7] : (tensor<10xf32>) -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}
