// RUN: forge-opt %s --forge-slice-canonicalize | FileCheck %s

// Slices that are concatenated in order are removed.
// CHECK-LABEL: func.func @concatenated_in_order(
// CHECK-NEXT: return %arg0
func.func @concatenated_in_order(%x: tensor<1x64x160xf32>) -> tensor<1x64x160xf32> {
  %a = forge.strided_slice %x dim 2 [0:80] : (tensor<1x64x160xf32>) -> tensor<1x64x80xf32>
  %b = forge.strided_slice %x dim 2 [80:160] : (tensor<1x64x160xf32>) -> tensor<1x64x80xf32>
  %c = forge.concatenate %a, %b axis -1 : (tensor<1x64x80xf32>, tensor<1x64x80xf32>) -> tensor<1x64x160xf32>
  return %c : tensor<1x64x160xf32>
}

// Slices that are concatenated in another order stay.
// CHECK-LABEL: func.func @swapped(
// CHECK: %[[A:.+]] = forge.strided_slice
// CHECK: %[[B:.+]] = forge.strided_slice
// CHECK: forge.concatenate %[[B]], %[[A]]
func.func @swapped(%x: tensor<1x64x160xf32>) -> tensor<1x64x160xf32> {
  %a = forge.strided_slice %x dim 2 [0:80] : (tensor<1x64x160xf32>) -> tensor<1x64x80xf32>
  %b = forge.strided_slice %x dim 2 [80:160] : (tensor<1x64x160xf32>) -> tensor<1x64x80xf32>
  %c = forge.concatenate %b, %a axis -1 : (tensor<1x64x80xf32>, tensor<1x64x80xf32>) -> tensor<1x64x160xf32>
  return %c : tensor<1x64x160xf32>
}

// Slices that are concatenated along another axis stay.
// CHECK-LABEL: func.func @other_axis(
// CHECK: forge.concatenate
func.func @other_axis(%x: tensor<1x64x160xf32>) -> tensor<1x128x80xf32> {
  %a = forge.strided_slice %x dim 2 [0:80] : (tensor<1x64x160xf32>) -> tensor<1x64x80xf32>
  %b = forge.strided_slice %x dim 2 [80:160] : (tensor<1x64x160xf32>) -> tensor<1x64x80xf32>
  %c = forge.concatenate %a, %b axis -2 : (tensor<1x64x80xf32>, tensor<1x64x80xf32>) -> tensor<1x128x80xf32>
  return %c : tensor<1x128x80xf32>
}

// Adjacent slices become one slice. A slice that is not adjacent to them stays, and so does a slice with another user.
// CHECK-LABEL: func.func @adjacent_slices(
// CHECK-DAG: %[[A:.+]] = forge.strided_slice %arg0 dim 2 [0:40]
// CHECK-DAG: %[[D:.+]] = forge.strided_slice %arg0 dim 2 [120:160]
// CHECK-DAG: %[[R:.+]] = forge.strided_slice %arg0 dim 2 [0:80]
// CHECK: forge.concatenate %[[R]], %[[D]]
func.func @adjacent_slices(%x: tensor<1x64x160xf32>) -> (tensor<1x64x120xf32>, tensor<1x64x40xf32>) {
  %a = forge.strided_slice %x dim 2 [0:40] : (tensor<1x64x160xf32>) -> tensor<1x64x40xf32>
  %b = forge.strided_slice %x dim 2 [40:80] : (tensor<1x64x160xf32>) -> tensor<1x64x40xf32>
  %d = forge.strided_slice %x dim 2 [120:160] : (tensor<1x64x160xf32>) -> tensor<1x64x40xf32>
  %c = forge.concatenate %a, %b, %d axis -1 : (tensor<1x64x40xf32>, tensor<1x64x40xf32>, tensor<1x64x40xf32>) -> tensor<1x64x120xf32>
  return %c, %a : tensor<1x64x120xf32>, tensor<1x64x40xf32>
}

// Through equal elementwise ops with an equal second operand.
// CHECK-LABEL: func.func @through_elementwise(
// CHECK-NEXT: %[[S:.+]] = forge.sigmoid %arg0
// CHECK-NEXT: %[[M:.+]] = forge.multiply %arg0, %[[S]]
// CHECK-NEXT: %[[R:.+]] = forge.add %[[M]], %arg1
// CHECK-NEXT: return %[[R]]
func.func @through_elementwise(%x: tensor<1x64x160xf32>, %y: tensor<64x1xf32>) -> tensor<1x64x160xf32> {
  %a = forge.strided_slice %x dim 2 [0:80] : (tensor<1x64x160xf32>) -> tensor<1x64x80xf32>
  %b = forge.strided_slice %x dim 2 [80:160] : (tensor<1x64x160xf32>) -> tensor<1x64x80xf32>
  %s = forge.sigmoid %a : tensor<1x64x80xf32>
  %t = forge.sigmoid %b : tensor<1x64x80xf32>
  %m = forge.multiply %a, %s : tensor<1x64x80xf32>
  %n = forge.multiply %b, %t : tensor<1x64x80xf32>
  %o = forge.add %m, %y : (tensor<1x64x80xf32>, tensor<64x1xf32>) -> tensor<1x64x80xf32>
  %p = forge.add %n, %y : (tensor<1x64x80xf32>, tensor<64x1xf32>) -> tensor<1x64x80xf32>
  %c = forge.concatenate %o, %p axis -1 : (tensor<1x64x80xf32>, tensor<1x64x80xf32>) -> tensor<1x64x160xf32>
  return %c : tensor<1x64x160xf32>
}

// Unchanged: different ops, or different operands along the sliced axis.
// CHECK-LABEL: func.func @other_ops(
// CHECK: forge.concatenate
func.func @other_ops(%x: tensor<1x64x160xf32>) -> tensor<1x64x160xf32> {
  %a = forge.strided_slice %x dim 2 [0:80] : (tensor<1x64x160xf32>) -> tensor<1x64x80xf32>
  %b = forge.strided_slice %x dim 2 [80:160] : (tensor<1x64x160xf32>) -> tensor<1x64x80xf32>
  %s = forge.sigmoid %a : tensor<1x64x80xf32>
  %t = forge.relu %b : tensor<1x64x80xf32>
  %c = forge.concatenate %s, %t axis -1 : (tensor<1x64x80xf32>, tensor<1x64x80xf32>) -> tensor<1x64x160xf32>
  return %c : tensor<1x64x160xf32>
}

// CHECK-LABEL: func.func @other_operand(
// CHECK: forge.concatenate
func.func @other_operand(%x: tensor<1x64x160xf32>, %y: tensor<80xf32>) -> tensor<1x64x160xf32> {
  %a = forge.strided_slice %x dim 2 [0:80] : (tensor<1x64x160xf32>) -> tensor<1x64x80xf32>
  %b = forge.strided_slice %x dim 2 [80:160] : (tensor<1x64x160xf32>) -> tensor<1x64x80xf32>
  %s = forge.add %a, %y : (tensor<1x64x80xf32>, tensor<80xf32>) -> tensor<1x64x80xf32>
  %t = forge.add %b, %y : (tensor<1x64x80xf32>, tensor<80xf32>) -> tensor<1x64x80xf32>
  %c = forge.concatenate %s, %t axis -1 : (tensor<1x64x80xf32>, tensor<1x64x80xf32>) -> tensor<1x64x160xf32>
  return %c : tensor<1x64x160xf32>
}

// A softmax along the sliced axis differs from that of the whole: unchanged.
// CHECK-LABEL: func.func @softmax(
// CHECK: forge.concatenate
func.func @softmax(%x: tensor<1x64x160xf32>) -> tensor<1x64x160xf32> {
  %a = forge.strided_slice %x dim 2 [0:80] : (tensor<1x64x160xf32>) -> tensor<1x64x80xf32>
  %b = forge.strided_slice %x dim 2 [80:160] : (tensor<1x64x160xf32>) -> tensor<1x64x80xf32>
  %s = forge.softmax %a dim -1 stable : tensor<1x64x80xf32>
  %t = forge.softmax %b dim -1 stable : tensor<1x64x80xf32>
  %c = forge.concatenate %s, %t axis -1 : (tensor<1x64x80xf32>, tensor<1x64x80xf32>) -> tensor<1x64x160xf32>
  return %c : tensor<1x64x160xf32>
}

// Through transposes of the sliced axis.
// CHECK-LABEL: func.func @through_transpose(
// CHECK-NEXT: %[[T:.+]] = forge.transpose %arg0 dims 1, 2 : (tensor<1x64x160xf32>) -> tensor<1x160x64xf32>
// CHECK-NEXT: return %[[T]]
func.func @through_transpose(%x: tensor<1x64x160xf32>) -> tensor<1x160x64xf32> {
  %a = forge.strided_slice %x dim 2 [0:80] : (tensor<1x64x160xf32>) -> tensor<1x64x80xf32>
  %b = forge.strided_slice %x dim 2 [80:160] : (tensor<1x64x160xf32>) -> tensor<1x64x80xf32>
  %s = forge.transpose %a dims 1, 2 : (tensor<1x64x80xf32>) -> tensor<1x80x64xf32>
  %t = forge.transpose %b dims 1, 2 : (tensor<1x64x80xf32>) -> tensor<1x80x64xf32>
  %c = forge.concatenate %s, %t axis 1 : (tensor<1x80x64xf32>, tensor<1x80x64xf32>) -> tensor<1x160x64xf32>
  return %c : tensor<1x160x64xf32>
}

// Through reshapes that keep the sliced axis, but not where the slices would be interleaved, because the axis is split
// in two.
// CHECK-LABEL: func.func @through_reshape(
// CHECK-NEXT: %[[T:.+]] = forge.reshape %arg0 shape [8, 8, 160]
// CHECK-NEXT: return %[[T]]
func.func @through_reshape(%x: tensor<1x64x160xf32>) -> tensor<8x8x160xf32> {
  %a = forge.strided_slice %x dim 2 [0:80] : (tensor<1x64x160xf32>) -> tensor<1x64x80xf32>
  %b = forge.strided_slice %x dim 2 [80:160] : (tensor<1x64x160xf32>) -> tensor<1x64x80xf32>
  %s = forge.reshape %a shape [8, 8, 80] : (tensor<1x64x80xf32>) -> tensor<8x8x80xf32>
  %t = forge.reshape %b shape [8, 8, 80] : (tensor<1x64x80xf32>) -> tensor<8x8x80xf32>
  %c = forge.concatenate %s, %t axis 2 : (tensor<8x8x80xf32>, tensor<8x8x80xf32>) -> tensor<8x8x160xf32>
  return %c : tensor<8x8x160xf32>
}

// CHECK-LABEL: func.func @inner_digits(
// CHECK: forge.concatenate
func.func @inner_digits(%x: tensor<1x64x160xf32>) -> tensor<1x64x2x80xf32> {
  %a = forge.strided_slice %x dim 2 [0:80] : (tensor<1x64x160xf32>) -> tensor<1x64x80xf32>
  %b = forge.strided_slice %x dim 2 [80:160] : (tensor<1x64x160xf32>) -> tensor<1x64x80xf32>
  %s = forge.reshape %a shape [1, 64, 2, 40] : (tensor<1x64x80xf32>) -> tensor<1x64x2x40xf32>
  %t = forge.reshape %b shape [1, 64, 2, 40] : (tensor<1x64x80xf32>) -> tensor<1x64x2x40xf32>
  %c = forge.concatenate %s, %t axis 3 : (tensor<1x64x2x40xf32>, tensor<1x64x2x40xf32>) -> tensor<1x64x2x80xf32>
  return %c : tensor<1x64x2x80xf32>
}

// x[2:9][-3:] is x[6:9]: a negative begin counts from the end of the first slice.
// CHECK-LABEL: func.func @slice_of_slice(
// CHECK-NEXT: forge.strided_slice %arg0 dim 0 [6:9]
// CHECK-NEXT: return
func.func @slice_of_slice(%x: tensor<10xf32>) -> tensor<3xf32> {
  %a = forge.strided_slice %x dim 0 [2:9] : (tensor<10xf32>) -> tensor<7xf32>
  %b = forge.strided_slice %a dim 0 [-3:99] : (tensor<7xf32>) -> tensor<3xf32>
  return %b : tensor<3xf32>
}

// Steps are multiplied: [1:10:2] takes 1, 3, 5, 7 and 9, and [1:5:2] of these takes 3 and 7.
// CHECK-LABEL: func.func @steps(
// CHECK-NEXT: forge.strided_slice %arg0 dim 0 [3:8:4]
// CHECK-NEXT: return
func.func @steps(%x: tensor<10xf32>) -> tensor<2xf32> {
  %a = forge.strided_slice %x dim 0 [1:10:2] : (tensor<10xf32>) -> tensor<5xf32>
  %b = forge.strided_slice %a dim 0 [1:5:2] : (tensor<5xf32>) -> tensor<2xf32>
  return %b : tensor<2xf32>
}

// The first slice has another user and stays: nothing would be saved.
// CHECK-LABEL: func.func @other_user(
// CHECK-COUNT-2: forge.strided_slice
// CHECK: [4:
func.func @other_user(%x: tensor<10xf32>) -> (tensor<7xf32>, tensor<3xf32>) {
  %a = forge.strided_slice %x dim 0 [2:9] : (tensor<10xf32>) -> tensor<7xf32>
  %b = forge.strided_slice %a dim 0 [-3:99] : (tensor<7xf32>) -> tensor<3xf32>
  return %a, %b : tensor<7xf32>, tensor<3xf32>
}

// A slice of several axes becomes one slice per axis, and a slice of a whole axis is removed.
// CHECK-LABEL: func.func @axes(
// CHECK-NEXT: %[[A:.+]] = forge.strided_slice %arg0 dim 0 [1:4] : (tensor<4x6x8xf32>) -> tensor<3x6x8xf32>
// CHECK-NEXT: %[[B:.+]] = forge.strided_slice %[[A]] dim 2 [0:8:2] : (tensor<3x6x8xf32>) -> tensor<3x6x4xf32>
// CHECK-NEXT: return %[[B]]
func.func @axes(%x: tensor<4x6x8xf32>) -> tensor<3x6x4xf32> {
  %a = forge.strided_slice %x dim 0 [-3:99] dim -2 [0:6] dim -1 [0:8:2] : (tensor<4x6x8xf32>) -> tensor<3x6x4xf32>
  return %a : tensor<3x6x4xf32>
}

// Reversed and empty slices are left to --forge-lower-strided-slice.
// CHECK-LABEL: func.func @reversed_and_empty(
// CHECK: :-1]
// CHECK: tensor<0xf32>
func.func @reversed_and_empty(%x: tensor<10xf32>) -> (tensor<10xf32>, tensor<0xf32>) {
  %a = forge.strided_slice %x dim 0 [-1:-99:-1] : tensor<10xf32>
  %b = forge.strided_slice %x dim 0 [5:5] : (tensor<10xf32>) -> tensor<0xf32>
  return %a, %b : tensor<10xf32>, tensor<0xf32>
}

// Not merged: the products lack the axis of the slices, because its size is 1.
// CHECK-LABEL: func.func @lower_rank(
// CHECK-COUNT-2: forge.multiply %arg1, %{{.+}} : tensor<4xf32>
// CHECK: forge.concatenate %{{.+}}, %{{.+}} axis -2 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
func.func @lower_rank(%x: tensor<2x4xf32>, %y: tensor<4xf32>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<4xf32>
  %v = forge.parameter "v" : tensor<4xf32>
  %p = forge.strided_slice %x dim -2 [0:1] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %q = forge.strided_slice %x dim -2 [1:2] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %m = forge.multiply %y, %w : tensor<4xf32>
  %n = forge.multiply %y, %v : tensor<4xf32>
  %a = forge.add %p, %m : (tensor<1x4xf32>, tensor<4xf32>) -> tensor<1x4xf32>
  %b = forge.add %q, %n : (tensor<1x4xf32>, tensor<4xf32>) -> tensor<1x4xf32>
  %c = forge.concatenate %a, %b axis -2 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  return %c : tensor<2x4xf32>
}
