// RUN: forge-opt %s --forge-head-rows --split-input-file | FileCheck %s

// A channel shuffle between convolutions: the rows of transposed columns are shuffled, each row as a matrix.

// CHECK-LABEL: func @shuffle(
//       CHECK:   %[[X:.+]] = forge.conv2d
//       CHECK:   %[[P:.+]] = forge.reshape %[[X]] shape [1, 1, 784, 136]
//       CHECK:   %[[T:.+]] = forge.transpose %[[P]] dims -2, -1 : (tensor<1x1x784x136xf32>) -> tensor<1x1x136x784xf32>
//       CHECK:   %[[G:.+]] = forge.reshape %[[T]] shape [4, 34, 28, 28]
//       CHECK:   %[[S:.+]] = forge.transpose %[[G]] dims -4, -3 : (tensor<4x34x28x28xf32>) -> tensor<34x4x28x28xf32>
//       CHECK:   %[[R:.+]] = forge.reshape %[[S]] shape [1, 1, 136, 784]
//       CHECK:   %[[C:.+]] = forge.transpose %[[R]] dims -2, -1 : (tensor<1x1x136x784xf32>) -> tensor<1x1x784x136xf32>
//       CHECK:   %[[I:.+]] = forge.reshape %[[C]] shape [1, 28, 28, 136]
//       CHECK:   forge.conv2d %[[I]]
func.func @shuffle(%x: tensor<1x28x28x136xf32>, %w: tensor<136x34x1x1xf32>, %v: tensor<136x1x3x3xf32>) -> tensor<1x28x28x136xf32> {
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] groups 4 channel_last : (tensor<1x28x28x136xf32>, tensor<136x34x1x1xf32>) -> tensor<1x28x28x136xf32>
  %1 = forge.reshape %0 shape [1, 28, 28, 4, 34] : (tensor<1x28x28x136xf32>) -> tensor<1x28x28x4x34xf32>
  %2 = forge.transpose %1 dims -2, -1 : (tensor<1x28x28x4x34xf32>) -> tensor<1x28x28x34x4xf32>
  %3 = forge.reshape %2 shape [1, 28, 28, 136] : (tensor<1x28x28x34x4xf32>) -> tensor<1x28x28x136xf32>
  %4 = forge.conv2d %3, %v stride [1, 1] padding [1, 1, 1, 1] groups 136 channel_last : (tensor<1x28x28x136xf32>, tensor<136x1x3x3xf32>) -> tensor<1x28x28x136xf32>
  return %4 : tensor<1x28x28x136xf32>
}

// -----

// Few elements take less time as they are: two kernels more are started otherwise.

// CHECK-LABEL: func @small(
//       CHECK:   forge.reshape %{{.+}} shape [1, 2, 2, 4, 2]
func.func @small(%x: tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32> {
  %1 = forge.reshape %x shape [1, 2, 2, 4, 2] : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x4x2xf32>
  %2 = forge.transpose %1 dims -2, -1 : (tensor<1x2x2x4x2xf32>) -> tensor<1x2x2x2x4xf32>
  %3 = forge.reshape %2 shape [1, 2, 2, 8] : (tensor<1x2x2x2x4xf32>) -> tensor<1x2x2x8xf32>
  return %3 : tensor<1x2x2x8xf32>
}

// -----

// The groups are read by something else, or what the last reshape gives is no shuffle of the columns.

// CHECK-LABEL: func @groups_read_twice(
//       CHECK:   forge.reshape %{{.+}} shape [784, 4, 34]
//       CHECK:   forge.transpose %{{.+}} dims -2, -1 : (tensor<784x4x34xf32>)
func.func @groups_read_twice(%x: tensor<784x136xf32>) -> (tensor<784x136xf32>, tensor<784x4x34xf32>) {
  %1 = forge.reshape %x shape [784, 4, 34] : (tensor<784x136xf32>) -> tensor<784x4x34xf32>
  %2 = forge.transpose %1 dims -2, -1 : (tensor<784x4x34xf32>) -> tensor<784x34x4xf32>
  %3 = forge.reshape %2 shape [784, 136] : (tensor<784x34x4xf32>) -> tensor<784x136xf32>
  return %3, %1 : tensor<784x136xf32>, tensor<784x4x34xf32>
}

// CHECK-LABEL: func @other_columns(
//       CHECK:   forge.transpose %{{.+}} dims -2, -1 : (tensor<784x4x34xf32>)
func.func @other_columns(%x: tensor<784x136xf32>) -> tensor<392x272xf32> {
  %1 = forge.reshape %x shape [784, 4, 34] : (tensor<784x136xf32>) -> tensor<784x4x34xf32>
  %2 = forge.transpose %1 dims -2, -1 : (tensor<784x4x34xf32>) -> tensor<784x34x4xf32>
  %3 = forge.reshape %2 shape [392, 272] : (tensor<784x34x4xf32>) -> tensor<392x272xf32>
  return %3 : tensor<392x272xf32>
}
