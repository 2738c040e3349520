// RUN: forge-opt %s --forge-fuse-patterns | FileCheck %s

// The mean over the pixels of a transposed image is computed before the transposes.

// CHECK-LABEL: func @mean_of_image
// CHECK-NEXT:    %[[W:.+]] = forge.reduce_avg %arg0 dim -2 keep_dim : (tensor<1x7x7x768xf32>) -> tensor<1x7x1x768xf32>
// CHECK-NEXT:    %[[H:.+]] = forge.reduce_avg %[[W]] dim -3 keep_dim : (tensor<1x7x1x768xf32>) -> tensor<1x1x1x768xf32>
// CHECK-NEXT:    %[[T:.+]] = forge.transpose %[[H]] dims -2, -1
// CHECK-NEXT:    %[[Y:.+]] = forge.transpose %[[T]] dims -3, -2
// CHECK-NEXT:    return %[[Y]]
func.func @mean_of_image(%x: tensor<1x7x7x768xf32>) -> tensor<1x768x1x1xf32> {
  %0 = forge.transpose %x dims -2, -1 : (tensor<1x7x7x768xf32>) -> tensor<1x7x768x7xf32>
  %1 = forge.transpose %0 dims -3, -2 : (tensor<1x7x768x7xf32>) -> tensor<1x768x7x7xf32>
  %2 = forge.reduce_avg %1 dim -1 keep_dim : (tensor<1x768x7x7xf32>) -> tensor<1x768x7x1xf32>
  %3 = forge.reduce_avg %2 dim 2 keep_dim : (tensor<1x768x7x1xf32>) -> tensor<1x768x1x1xf32>
  return %3 : tensor<1x768x1x1xf32>
}

// CHECK-LABEL: func @sum_and_maximum
// CHECK-NEXT:    %[[S:.+]] = forge.reduce_sum %arg0 dim -1 keep_dim : (tensor<5x3x8xi32>) -> tensor<5x3x1xi32>
// CHECK-NEXT:    %[[T:.+]] = forge.transpose %[[S]] dims 0, 1 : (tensor<5x3x1xi32>) -> tensor<3x5x1xi32>
// CHECK-NEXT:    %[[M:.+]] = forge.reduce_max %arg0 dim -3 keep_dim : (tensor<5x3x8xi32>) -> tensor<1x3x8xi32>
// CHECK-NEXT:    %[[U:.+]] = forge.transpose %[[M]] dims 0, -1 : (tensor<1x3x8xi32>) -> tensor<8x3x1xi32>
// CHECK-NEXT:    return %[[T]], %[[U]]
func.func @sum_and_maximum(%x: tensor<5x3x8xi32>) -> (tensor<3x5x1xi32>, tensor<8x3x1xi32>) {
  %0 = forge.transpose %x dims 0, 1 : (tensor<5x3x8xi32>) -> tensor<3x5x8xi32>
  %1 = forge.reduce_sum %0 dim 2 keep_dim : (tensor<3x5x8xi32>) -> tensor<3x5x1xi32>
  %2 = forge.transpose %x dims 0, -1 : (tensor<5x3x8xi32>) -> tensor<8x3x5xi32>
  %3 = forge.reduce_max %2 dim -1 keep_dim : (tensor<8x3x5xi32>) -> tensor<8x3x1xi32>
  return %1, %3 : tensor<3x5x1xi32>, tensor<8x3x1xi32>
}

// Unchanged: a transposed tensor with another user, or that is an output, is needed anyway; and without keep_dim the
// result of a reduction has fewer axes than the transposes.

// CHECK-LABEL: func @transpose_with_two_users
// CHECK-NEXT:    forge.transpose %arg0
// CHECK-NEXT:    forge.reduce_avg %{{.+}} dim -1 keep_dim : (tensor<3x5x8xf32>)
func.func @transpose_with_two_users(%x: tensor<5x3x8xf32>) -> (tensor<3x5x1xf32>, tensor<3x5x8xf32>) {
  %0 = forge.transpose %x dims 0, 1 : (tensor<5x3x8xf32>) -> tensor<3x5x8xf32>
  %1 = forge.reduce_avg %0 dim -1 keep_dim : (tensor<3x5x8xf32>) -> tensor<3x5x1xf32>
  return %1, %0 : tensor<3x5x1xf32>, tensor<3x5x8xf32>
}

// CHECK-LABEL: func @without_keep_dim
// CHECK-NEXT:    forge.transpose %arg0
// CHECK-NEXT:    forge.reduce_avg
func.func @without_keep_dim(%x: tensor<5x3x8xf32>) -> tensor<3x5xf32> {
  %0 = forge.transpose %x dims 0, 1 : (tensor<5x3x8xf32>) -> tensor<3x5x8xf32>
  %1 = forge.reduce_avg %0 dim -1 : (tensor<3x5x8xf32>) -> tensor<3x5xf32>
  return %1 : tensor<3x5xf32>
}

// Forge's reductions accept the first of five axes as dim 0 only, not as dim -5.
// CHECK-LABEL: func @first_of_five_axes
// CHECK-NEXT:    %[[S:.+]] = forge.reduce_sum %arg0 dim 0 keep_dim : (tensor<8x3x4x2x6xf32>) -> tensor<1x3x4x2x6xf32>
// CHECK-NEXT:    %[[T:.+]] = forge.transpose %[[S]] dims 0, -2
// CHECK-NEXT:    return %[[T]]
func.func @first_of_five_axes(%x: tensor<8x3x4x2x6xf32>) -> tensor<2x3x4x1x6xf32> {
  %0 = forge.transpose %x dims 0, -2 : (tensor<8x3x4x2x6xf32>) -> tensor<2x3x4x8x6xf32>
  %1 = forge.reduce_sum %0 dim -2 keep_dim : (tensor<2x3x4x8x6xf32>) -> tensor<2x3x4x1x6xf32>
  return %1 : tensor<2x3x4x1x6xf32>
}

// Forge's reductions have no dim for the middle one of nine axes.
// CHECK-LABEL: func @middle_of_nine_axes
// CHECK-NEXT:    %[[T:.+]] = forge.transpose %arg0 dims -5, -1
// CHECK-NEXT:    forge.reduce_sum %[[T]] dim -1 keep_dim
func.func @middle_of_nine_axes(%x: tensor<1x1x1x2x8x1x1x2x3xf32>) -> tensor<1x1x1x2x3x1x1x2x1xf32> {
  %0 = forge.transpose %x dims -5, -1 : (tensor<1x1x1x2x8x1x1x2x3xf32>) -> tensor<1x1x1x2x3x1x1x2x8xf32>
  %1 = forge.reduce_sum %0 dim -1 keep_dim : (tensor<1x1x1x2x3x1x1x2x8xf32>) -> tensor<1x1x1x2x3x1x1x2x1xf32>
  return %1 : tensor<1x1x1x2x3x1x1x2x1xf32>
}
