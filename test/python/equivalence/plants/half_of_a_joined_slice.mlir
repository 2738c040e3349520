// One slice of a merged value overlaps the next.
// PASS: forge-join-slices
// FLOAT64: found

module {
  func.func @three(%arg0: tensor<2x9xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
    %0 = forge.index %arg0 dim 1 [0:3] : (tensor<2x9xf32>) -> tensor<2x3xf32>
    %1 = forge.index %arg0 dim 1 [3:6] : (tensor<2x9xf32>) -> tensor<2x3xf32>
    %2 = forge.index %arg0 dim 1 [6:9] : (tensor<2x9xf32>) -> tensor<2x3xf32>
    %3 = forge.sigmoid %0 : tensor<2x3xf32>
    %4 = forge.sigmoid %2 : tensor<2x3xf32>
    %5 = forge.sigmoid %1 : tensor<2x3xf32>
    return %3, %1, %5, %4 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
  }
}

// -----

module {
  func.func @three(%arg0: tensor<2x9xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
    %0 = forge.index %arg0 dim 1 [3:6] : (tensor<2x9xf32>) -> tensor<2x3xf32>
    %1 = forge.sigmoid %arg0 : tensor<2x9xf32>
    %2 = forge.index %1 dim -1 [0:3] : (tensor<2x9xf32>) -> tensor<2x3xf32>
    %3 = forge.index %1 dim -1 [3:6] : (tensor<2x9xf32>) -> tensor<2x3xf32>
    %4 = forge.index %1 dim -1 [5:8] : (tensor<2x9xf32>) -> tensor<2x3xf32>
    return %2, %0, %3, %4 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
  }
}
