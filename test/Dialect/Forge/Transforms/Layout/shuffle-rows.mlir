// RUN: forge-opt %s --forge-head-rows --split-input-file | FileCheck %s

// A channel shuffle between convolutions: the columns are transposed to rows, and the rows are shuffled, each as a
// matrix of its pixels.

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

// For few elements two more kernels take longer than the tile padding that is saved: unchanged.

// CHECK-LABEL: func @small(
//       CHECK:   forge.reshape %{{.+}} shape [1, 2, 2, 4, 2]
func.func @small(%x: tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32> {
  %1 = forge.reshape %x shape [1, 2, 2, 4, 2] : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x4x2xf32>
  %2 = forge.transpose %1 dims -2, -1 : (tensor<1x2x2x4x2xf32>) -> tensor<1x2x2x2x4xf32>
  %3 = forge.reshape %2 shape [1, 2, 2, 8] : (tensor<1x2x2x2x4xf32>) -> tensor<1x2x2x8xf32>
  return %3 : tensor<1x2x2x8xf32>
}

// -----

// Unchanged: the grouped value has another user, or the last reshape does not merge the groups to the original columns.

// CHECK-LABEL: func @groups_with_two_users(
//       CHECK:   forge.reshape %{{.+}} shape [784, 4, 34]
//       CHECK:   forge.transpose %{{.+}} dims -2, -1 : (tensor<784x4x34xf32>)
func.func @groups_with_two_users(%x: tensor<784x136xf32>) -> (tensor<784x136xf32>, tensor<784x4x34xf32>) {
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

// -----

// For few pixels, one transpose makes columns of the rows of all groups, which pads only the groups.

// CHECK-LABEL: func @few_pixels(
//       CHECK:   %[[P:.+]] = forge.reshape %{{.+}} shape [1, 1, 196, 272]
//       CHECK:   %[[T:.+]] = forge.transpose %[[P]] dims -2, -1 : (tensor<1x1x196x272xf32>) -> tensor<1x1x272x196xf32>
//       CHECK:   %[[G:.+]] = forge.reshape %[[T]] shape [1, 4, 68, 196]
//       CHECK:   %[[S:.+]] = forge.transpose %[[G]] dims -3, -1 : (tensor<1x4x68x196xf32>) -> tensor<1x196x68x4xf32>
//       CHECK:   %[[I:.+]] = forge.reshape %[[S]] shape [1, 14, 14, 272]
//       CHECK:   forge.conv2d %[[I]]
func.func @few_pixels(%x: tensor<1x14x14x272xf32>, %w: tensor<272x68x1x1xf32>, %v: tensor<272x1x3x3xf32>) -> tensor<1x14x14x272xf32> {
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] groups 4 channel_last : (tensor<1x14x14x272xf32>, tensor<272x68x1x1xf32>) -> tensor<1x14x14x272xf32>
  %1 = forge.reshape %0 shape [1, 14, 14, 4, 68] : (tensor<1x14x14x272xf32>) -> tensor<1x14x14x4x68xf32>
  %2 = forge.transpose %1 dims -2, -1 : (tensor<1x14x14x4x68xf32>) -> tensor<1x14x14x68x4xf32>
  %3 = forge.reshape %2 shape [1, 14, 14, 272] : (tensor<1x14x14x68x4xf32>) -> tensor<1x14x14x272xf32>
  %4 = forge.conv2d %3, %v stride [1, 1] padding [1, 1, 1, 1] groups 272 channel_last : (tensor<1x14x14x272xf32>, tensor<272x1x3x3xf32>) -> tensor<1x14x14x272xf32>
  return %4 : tensor<1x14x14x272xf32>
}

// -----

// A strided depthwise convolution is computed before the shuffle, because its result is smaller than the image. Its
// filters and biases are permuted to the channels before the shuffle.

// CHECK-LABEL: func @strided(
//   CHECK-DAG:   %[[W:.+]] = forge.parameter "w"
//   CHECK-DAG:   %[[B:.+]] = forge.parameter "b"
//       CHECK:   %[[X:.+]] = forge.conv2d %arg0
//       CHECK:   %[[W0:.+]] = forge.reshape %[[W]] shape [28, 4, 9]
//       CHECK:   %[[W1:.+]] = forge.transpose %[[W0]] dims 0, 1 : (tensor<28x4x9xf32>) -> tensor<4x28x9xf32>
//       CHECK:   %[[W2:.+]] = forge.reshape %[[W1]] shape [112, 1, 3, 3]
//       CHECK:   %[[B0:.+]] = forge.reshape %[[B]] shape [28, 4, 1]
//       CHECK:   %[[B1:.+]] = forge.transpose %[[B0]] dims 0, 1 : (tensor<28x4x1xf32>) -> tensor<4x28x1xf32>
//       CHECK:   %[[B2:.+]] = forge.reshape %[[B1]] shape [1, 1, 1, 112]
//       CHECK:   %[[Y:.+]] = forge.conv2d %[[X]], %[[W2]], %[[B2]] stride [2, 2] {{.*}} groups 112
//       CHECK:   forge.reshape %[[Y]] shape [1, 1, 784, 112]
//       CHECK:   forge.transpose %{{.+}} : (tensor<4x28x28x28xf32>) -> tensor<28x4x28x28xf32>
//   CHECK-NOT:   forge.conv2d
func.func @strided(%x: tensor<1x56x56x24xf32>, %w: tensor<112x24x1x1xf32>) -> tensor<1x28x28x112xf32> {
  %v = forge.parameter "w" : tensor<112x1x3x3xf32>
  %b = forge.parameter "b" : tensor<1x1x1x112xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] groups 1 channel_last : (tensor<1x56x56x24xf32>, tensor<112x24x1x1xf32>) -> tensor<1x56x56x112xf32>
  %1 = forge.reshape %0 shape [1, 56, 56, 4, 28] : (tensor<1x56x56x112xf32>) -> tensor<1x56x56x4x28xf32>
  %2 = forge.transpose %1 dims -2, -1 : (tensor<1x56x56x4x28xf32>) -> tensor<1x56x56x28x4xf32>
  %3 = forge.reshape %2 shape [1, 56, 56, 112] : (tensor<1x56x56x28x4xf32>) -> tensor<1x56x56x112xf32>
  %4 = forge.conv2d %3, %v, %b stride [2, 2] padding [1, 1, 1, 1] groups 112 channel_last : (tensor<1x56x56x112xf32>, tensor<112x1x3x3xf32>, tensor<1x1x1x112xf32>) -> tensor<1x28x28x112xf32>
  return %4 : tensor<1x28x28x112xf32>
}

// -----

// Unchanged: the shuffled image has another user, the convolution is not depthwise, or its filters are an input.

// CHECK-LABEL: func @shuffle_with_two_users(
//       CHECK:   forge.conv2d %{{.+}} stride [2, 2]
//  CHECK-NEXT:   return
func.func @shuffle_with_two_users(%x: tensor<1x56x56x112xf32>) -> (tensor<1x28x28x112xf32>, tensor<1x56x56x112xf32>) {
  %v = forge.parameter "w" : tensor<112x1x3x3xf32>
  %1 = forge.reshape %x shape [1, 56, 56, 4, 28] : (tensor<1x56x56x112xf32>) -> tensor<1x56x56x4x28xf32>
  %2 = forge.transpose %1 dims -2, -1 : (tensor<1x56x56x4x28xf32>) -> tensor<1x56x56x28x4xf32>
  %3 = forge.reshape %2 shape [1, 56, 56, 112] : (tensor<1x56x56x28x4xf32>) -> tensor<1x56x56x112xf32>
  %4 = forge.conv2d %3, %v stride [2, 2] padding [1, 1, 1, 1] groups 112 channel_last : (tensor<1x56x56x112xf32>, tensor<112x1x3x3xf32>) -> tensor<1x28x28x112xf32>
  return %4, %3 : tensor<1x28x28x112xf32>, tensor<1x56x56x112xf32>
}

// CHECK-LABEL: func @not_depthwise(
//       CHECK:   forge.conv2d %{{.+}} stride [2, 2]
//  CHECK-NEXT:   return
func.func @not_depthwise(%x: tensor<1x56x56x112xf32>) -> tensor<1x28x28x112xf32> {
  %v = forge.parameter "w" : tensor<112x2x3x3xf32>
  %1 = forge.reshape %x shape [1, 56, 56, 4, 28] : (tensor<1x56x56x112xf32>) -> tensor<1x56x56x4x28xf32>
  %2 = forge.transpose %1 dims -2, -1 : (tensor<1x56x56x4x28xf32>) -> tensor<1x56x56x28x4xf32>
  %3 = forge.reshape %2 shape [1, 56, 56, 112] : (tensor<1x56x56x28x4xf32>) -> tensor<1x56x56x112xf32>
  %4 = forge.conv2d %3, %v stride [2, 2] padding [1, 1, 1, 1] groups 56 channel_last : (tensor<1x56x56x112xf32>, tensor<112x2x3x3xf32>) -> tensor<1x28x28x112xf32>
  return %4 : tensor<1x28x28x112xf32>
}

// CHECK-LABEL: func @input_filters(
//       CHECK:   forge.conv2d %{{.+}} stride [2, 2]
//  CHECK-NEXT:   return
func.func @input_filters(%x: tensor<1x56x56x112xf32>, %v: tensor<112x1x3x3xf32>) -> tensor<1x28x28x112xf32> {
  %1 = forge.reshape %x shape [1, 56, 56, 4, 28] : (tensor<1x56x56x112xf32>) -> tensor<1x56x56x4x28xf32>
  %2 = forge.transpose %1 dims -2, -1 : (tensor<1x56x56x4x28xf32>) -> tensor<1x56x56x28x4xf32>
  %3 = forge.reshape %2 shape [1, 56, 56, 112] : (tensor<1x56x56x28x4xf32>) -> tensor<1x56x56x112xf32>
  %4 = forge.conv2d %3, %v stride [2, 2] padding [1, 1, 1, 1] groups 112 channel_last : (tensor<1x56x56x112xf32>, tensor<112x1x3x3xf32>) -> tensor<1x28x28x112xf32>
  return %4 : tensor<1x28x28x112xf32>
}
