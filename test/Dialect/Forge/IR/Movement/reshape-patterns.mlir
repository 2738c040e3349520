// RUN: forge-opt %s --canonicalize | FileCheck %s
// RUN: forge-opt %s --forge-join-movement | FileCheck %s

// CHECK-LABEL: func.func @reshapes(
// CHECK-NEXT: %[[R:.+]] = forge.reshape %arg0 shape [24]
// CHECK-NEXT: return %[[R]], %arg0
func.func @reshapes(%x: tensor<2x3x4xf32>) -> (tensor<24xf32>, tensor<2x3x4xf32>) {
  %0 = forge.reshape %x shape [6, 4] : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %1 = forge.unsqueeze %0 dim 0 : (tensor<6x4xf32>) -> tensor<1x6x4xf32>
  %2 = forge.reshape %1 shape [24] : (tensor<1x6x4xf32>) -> tensor<24xf32>
  %3 = forge.reshape %1 shape [2, 3, 4] : (tensor<1x6x4xf32>) -> tensor<2x3x4xf32>
  return %2, %3 : tensor<24xf32>, tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @through_elementwise(
// CHECK: %[[R:.+]] = forge.relu %arg0 : tensor<2x3x4xf32>
// CHECK: %[[Y:.+]] = forge.multiply %[[R]], %{{.+}} : (tensor<2x3x4xf32>, tensor<1xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: return %[[Y]]
func.func @through_elementwise(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %s = forge.scalar_constant constant 2.0 dtype f32 : () -> tensor<1xf32>
  %0 = forge.reshape %x shape [6, 4] : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %1 = forge.relu %0 : tensor<6x4xf32>
  %2 = forge.multiply %1, %s : (tensor<6x4xf32>, tensor<1xf32>) -> tensor<6x4xf32>
  %3 = forge.reshape %2 shape [2, 3, 4] : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
  return %3 : tensor<2x3x4xf32>
}

// An operand with an element per column broadcasts to the shape of the source, too, so that the reshapes cancel; one
// with an element per row does not.
// CHECK-LABEL: func.func @through_broadcasts(
// CHECK-DAG: %[[A:.+]] = forge.add %arg0, %arg1 : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
// CHECK-DAG: %[[R:.+]] = forge.relu %[[A]] : tensor<2x3x4xf32>
// CHECK-DAG: %[[X:.+]] = forge.reshape %arg0 shape [6, 4]
// CHECK-DAG: %[[P:.+]] = forge.add %[[X]], %arg2 : (tensor<6x4xf32>, tensor<6x1xf32>) -> tensor<6x4xf32>
// CHECK-DAG: %[[Y:.+]] = forge.reshape %[[P]] shape [2, 3, 4]
// CHECK: return %[[R]], %[[Y]]
func.func @through_broadcasts(%x: tensor<2x3x4xf32>, %y: tensor<4xf32>, %z: tensor<6x1xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>) {
  %0 = forge.reshape %x shape [6, 4] : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %1 = forge.add %0, %y : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  %2 = forge.relu %1 : tensor<6x4xf32>
  %3 = forge.reshape %2 shape [2, 3, 4] : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
  %4 = forge.reshape %x shape [6, 4] : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %5 = forge.add %4, %z : (tensor<6x4xf32>, tensor<6x1xf32>) -> tensor<6x4xf32>
  %6 = forge.reshape %5 shape [2, 3, 4] : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
  return %3, %6 : tensor<2x3x4xf32>, tensor<2x3x4xf32>
}

// The reshapes stay if the value between them has another user.
// CHECK-LABEL: func.func @other_users(
// CHECK-COUNT-2: forge.reshape
// CHECK: forge.add
// CHECK: forge.reshape
// CHECK: forge.relu
// CHECK: forge.reshape
func.func @other_users(%x: tensor<2x3x4xf32>, %y: tensor<4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<6x4xf32>) {
  %0 = forge.reshape %x shape [6, 4] : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %z = forge.reshape %y shape [1, 4] : (tensor<4xf32>) -> tensor<1x4xf32>
  %1 = forge.add %0, %z : (tensor<6x4xf32>, tensor<1x4xf32>) -> tensor<6x4xf32>
  %2 = forge.reshape %1 shape [2, 3, 4] : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
  %3 = forge.relu %0 : tensor<6x4xf32>
  %4 = forge.reshape %3 shape [2, 3, 4] : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
  return %2, %4, %3 : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<6x4xf32>
}

// The device broadcasts at most six axes, so that the reshapes remain (--forge-device-forms inserts such reshapes).
// CHECK-LABEL: func.func @seven_axes(
// CHECK: forge.add %{{.+}}, %arg1 : (tensor<216x4xf32>, tensor<4xf32>) -> tensor<216x4xf32>
func.func @seven_axes(%x: tensor<2x3x2x3x2x3x4xf32>, %y: tensor<4xf32>) -> tensor<2x3x2x3x2x3x4xf32> {
  %0 = forge.reshape %x shape [216, 4] : (tensor<2x3x2x3x2x3x4xf32>) -> tensor<216x4xf32>
  %1 = forge.add %0, %y : (tensor<216x4xf32>, tensor<4xf32>) -> tensor<216x4xf32>
  %2 = forge.reshape %1 shape [2, 3, 2, 3, 2, 3, 4] : (tensor<216x4xf32>) -> tensor<2x3x2x3x2x3x4xf32>
  return %2 : tensor<2x3x2x3x2x3x4xf32>
}

// A Gemm between reshapes becomes a product of rank 3.
// CHECK-LABEL: func.func @gemm_of_rank_3(
// CHECK-NEXT: %[[P:.+]] = forge.matmul %arg0, %arg1 : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
// CHECK-NEXT: %[[Y:.+]] = forge.add %[[P]], %arg2
// CHECK-NEXT: return %[[Y]]
func.func @gemm_of_rank_3(%x: tensor<2x3x4xf32>, %w: tensor<4x5xf32>, %b: tensor<5xf32>) -> tensor<2x3x5xf32> {
  %0 = forge.reshape %x shape [6, 4] : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %1 = forge.matmul %0, %w : (tensor<6x4xf32>, tensor<4x5xf32>) -> tensor<6x5xf32>
  %2 = forge.add %b, %1 : (tensor<5xf32>, tensor<6x5xf32>) -> tensor<6x5xf32>
  %3 = forge.reshape %2 shape [2, 3, 5] : (tensor<6x5xf32>) -> tensor<2x3x5xf32>
  return %3 : tensor<2x3x5xf32>
}

// The bias of a Gemm may be wider than its product, which keeps its type.
// CHECK-LABEL: func.func @gemm_with_wide_bias(
// CHECK-NEXT: %[[P:.+]] = forge.matmul %arg0, %arg1 : (tensor<2x3x4xbf16>, tensor<4x5xbf16>) -> tensor<2x3x5xbf16>
// CHECK-NEXT: %[[Y:.+]] = forge.add %[[P]], %arg2 : (tensor<2x3x5xbf16>, tensor<5xf32>) -> tensor<2x3x5xf32>
// CHECK-NEXT: return %[[Y]]
func.func @gemm_with_wide_bias(%x: tensor<2x3x4xbf16>, %w: tensor<4x5xbf16>, %b: tensor<5xf32>) -> tensor<2x3x5xf32> {
  %0 = forge.reshape %x shape [6, 4] : (tensor<2x3x4xbf16>) -> tensor<6x4xbf16>
  %1 = forge.matmul %0, %w : (tensor<6x4xbf16>, tensor<4x5xbf16>) -> tensor<6x5xbf16>
  %2 = forge.add %1, %b : (tensor<6x5xbf16>, tensor<5xf32>) -> tensor<6x5xf32>
  %3 = forge.reshape %2 shape [2, 3, 5] : (tensor<6x5xf32>) -> tensor<2x3x5xf32>
  return %3 : tensor<2x3x5xf32>
}

// Flattened heads are reshaped to the shape of the result, unless the flattened value has another user.
// CHECK-LABEL: func.func @flattened_heads(
// CHECK-DAG: %[[R:.+]] = forge.reshape %arg0 shape [2, 3, 8] : (tensor<2x3x2x4xf32>) -> tensor<2x3x8xf32>
// CHECK-DAG: %[[P:.+]] = forge.matmul %[[R]], %arg1 : (tensor<2x3x8xf32>, tensor<8x5xf32>) -> tensor<2x3x5xf32>
// CHECK-DAG: %[[F:.+]] = forge.reshape %arg0 shape [6, 8]
// CHECK-DAG: %[[Q:.+]] = forge.matmul %[[F]], %arg1
// CHECK-DAG: %[[S:.+]] = forge.reshape %[[Q]] shape [2, 3, 5]
// CHECK: return %[[P]], %[[S]], %[[F]]
func.func @flattened_heads(%x: tensor<2x3x2x4xf32>, %w: tensor<8x5xf32>) -> (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<6x8xf32>) {
  %0 = forge.reshape %x shape [6, 8] : (tensor<2x3x2x4xf32>) -> tensor<6x8xf32>
  %1 = forge.matmul %0, %w : (tensor<6x8xf32>, tensor<8x5xf32>) -> tensor<6x5xf32>
  %2 = forge.reshape %1 shape [2, 3, 5] : (tensor<6x5xf32>) -> tensor<2x3x5xf32>
  %3 = forge.reshape %x shape [6, 8] : (tensor<2x3x2x4xf32>) -> tensor<6x8xf32>
  %4 = forge.matmul %3, %w : (tensor<6x8xf32>, tensor<8x5xf32>) -> tensor<6x5xf32>
  %5 = forge.reshape %4 shape [2, 3, 5] : (tensor<6x5xf32>) -> tensor<2x3x5xf32>
  return %2, %5, %3 : tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<6x8xf32>
}

// Unchanged: an addend per row, and a result that is reshaped to other rows.
// CHECK-LABEL: func.func @different_rows(
// CHECK-COUNT-2: forge.matmul {{.*}} -> tensor<6x5xf32>
func.func @different_rows(%x: tensor<2x3x4xf32>, %w: tensor<4x5xf32>, %b: tensor<6x1xf32>) -> (tensor<2x3x5xf32>, tensor<3x2x5xf32>) {
  %0 = forge.reshape %x shape [6, 4] : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %1 = forge.matmul %0, %w : (tensor<6x4xf32>, tensor<4x5xf32>) -> tensor<6x5xf32>
  %2 = forge.add %1, %b : (tensor<6x5xf32>, tensor<6x1xf32>) -> tensor<6x5xf32>
  %3 = forge.reshape %2 shape [2, 3, 5] : (tensor<6x5xf32>) -> tensor<2x3x5xf32>
  %4 = forge.matmul %0, %w : (tensor<6x4xf32>, tensor<4x5xf32>) -> tensor<6x5xf32>
  %5 = forge.reshape %4 shape [3, 2, 5] : (tensor<6x5xf32>) -> tensor<3x2x5xf32>
  return %3, %5 : tensor<2x3x5xf32>, tensor<3x2x5xf32>
}

// CHECK-LABEL: func.func @matrices(
// CHECK-NEXT: %[[T:.+]] = forge.transpose %arg0 dims -2, -1 : (tensor<2x3x4x5xf32>) -> tensor<2x3x5x4xf32>
// CHECK-NEXT: return %[[T]]
func.func @matrices(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x5x4xf32> {
  %0 = forge.reshape %x shape [6, 4, 5] : (tensor<2x3x4x5xf32>) -> tensor<6x4x5xf32>
  %1 = forge.transpose %0 dims 1, 2 : (tensor<6x4x5xf32>) -> tensor<6x5x4xf32>
  %2 = forge.reshape %1 shape [2, 3, 5, 4] : (tensor<6x5x4xf32>) -> tensor<2x3x5x4xf32>
  return %2 : tensor<2x3x5x4xf32>
}

// A pair of inverse transposes is removed, three transposes may be one, and a transpose that only moves axes of size 1
// is a reshape.
// CHECK-LABEL: func.func @transposes(
// CHECK: %[[T:.+]] = forge.transpose %arg0 dims -3, -1 : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
// CHECK: %[[R:.+]] = forge.reshape %arg1 shape [5, 1, 6]
// CHECK: return %arg0, %[[T]], %[[R]]
func.func @transposes(%x: tensor<2x3x4xf32>, %y: tensor<1x5x6xf32>) -> (tensor<2x3x4xf32>, tensor<4x3x2xf32>, tensor<5x1x6xf32>) {
  %0 = forge.transpose %x dims 0, 1 : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %1 = forge.transpose %0 dims -2, -3 : (tensor<3x2x4xf32>) -> tensor<2x3x4xf32>
  %2 = forge.transpose %x dims 0, 1 : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %3 = forge.transpose %2 dims 1, 2 : (tensor<3x2x4xf32>) -> tensor<3x4x2xf32>
  %4 = forge.transpose %3 dims 0, 1 : (tensor<3x4x2xf32>) -> tensor<4x3x2xf32>
  %5 = forge.transpose %y dims 0, 1 : (tensor<1x5x6xf32>) -> tensor<5x1x6xf32>
  return %1, %4, %5 : tensor<2x3x4xf32>, tensor<4x3x2xf32>, tensor<5x1x6xf32>
}

// An intermediate value with another user stays, and a rotation of three axes needs two transposes.
// CHECK-LABEL: func.func @unchanged_transposes(
// CHECK-COUNT-2: forge.transpose
// CHECK-NOT: forge.transpose
func.func @unchanged_transposes(%x: tensor<2x3x4xf32>) -> (tensor<3x2x4xf32>, tensor<3x4x2xf32>) {
  %0 = forge.transpose %x dims 0, 1 : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %1 = forge.transpose %0 dims 1, 2 : (tensor<3x2x4xf32>) -> tensor<3x4x2xf32>
  return %0, %1 : tensor<3x2x4xf32>, tensor<3x4x2xf32>
}

// A pad is not folded into its user by canonicalisation: that is done by --forge-convolution-pads, after the passes
// that create convolutions.
// CHECK-LABEL: func.func @pad_before_convolution(
// CHECK: %[[P:.+]] = forge.pad %arg0
// CHECK-NEXT: forge.conv2d %[[P]], %{{.+}} stride [1, 1] padding [1, 1, 1, 1] channel_last
func.func @pad_before_convolution(%x: tensor<1x7x6x2xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x7x6x4xf32> {
  %0 = forge.pad %x pad [1, 0] mode constant value 0.0 : (tensor<1x7x6x2xf32>) -> tensor<1x7x6x3xf32>
  %1 = forge.transpose %0 dims -1, -2 : (tensor<1x7x6x3xf32>) -> tensor<1x7x3x6xf32>
  %2 = forge.transpose %1 dims -1, -2 : (tensor<1x7x3x6xf32>) -> tensor<1x7x6x3xf32>
  %3 = forge.conv2d %2, %w stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x7x6x3xf32>, tensor<4x3x3x3xf32>) -> tensor<1x7x6x4xf32>
  return %3 : tensor<1x7x6x4xf32>
}

// Elements repeated along an additional axis, as the heads of grouped-query attention, become a repeat_interleave.
// CHECK-LABEL: func.func @elements_repeated(
// CHECK-NEXT: %[[Y:.+]] = forge.repeat_interleave %arg0 repeats 3 dim -3 : (tensor<1x2x5x4xf32>) -> tensor<1x6x5x4xf32>
// CHECK-NEXT: return %[[Y]]
func.func @elements_repeated(%x: tensor<1x2x5x4xf32>) -> tensor<1x6x5x4xf32> {
  %0 = forge.unsqueeze %x dim 2 : (tensor<1x2x5x4xf32>) -> tensor<1x2x1x5x4xf32>
  %1 = forge.repeat %0 repeats [1, 1, 3, 1, 1] : (tensor<1x2x1x5x4xf32>) -> tensor<1x2x3x5x4xf32>
  %2 = forge.reshape %1 shape [1, 6, 5, 4] : (tensor<1x2x3x5x4xf32>) -> tensor<1x6x5x4xf32>
  return %2 : tensor<1x6x5x4xf32>
}

// An additional axis of size 1 that is repeated and merged becomes a repeat of the neighbouring axis. If the repeated
// axis had elements already, no repeat of the source gives that order.
// CHECK-LABEL: func.func @axis_repeated(
// CHECK-DAG: %[[R:.+]] = forge.reshape %arg0 shape [3, 2, 4]
// CHECK-DAG: %[[T:.+]] = forge.repeat %[[R]] repeats [1, 2, 1]
// CHECK-DAG: %[[X:.+]] = forge.reshape %[[T]] shape [12, 4]
// CHECK-DAG: %[[Y:.+]] = forge.repeat %arg1 repeats [3, 1, 1] : (tensor<2x5x4xf32>) -> tensor<6x5x4xf32>
// CHECK-DAG: %[[Z:.+]] = forge.repeat %arg1 repeats [1, 3, 1] : (tensor<2x5x4xf32>) -> tensor<2x15x4xf32>
// CHECK: return %[[X]], %[[Y]], %[[Z]]
func.func @axis_repeated(%x: tensor<6x4xf32>, %y: tensor<2x5x4xf32>) -> (tensor<12x4xf32>, tensor<6x5x4xf32>, tensor<2x15x4xf32>) {
  %0 = forge.reshape %x shape [3, 2, 4] : (tensor<6x4xf32>) -> tensor<3x2x4xf32>
  %1 = forge.repeat %0 repeats [1, 2, 1] : (tensor<3x2x4xf32>) -> tensor<3x4x4xf32>
  %2 = forge.reshape %1 shape [12, 4] : (tensor<3x4x4xf32>) -> tensor<12x4xf32>
  %3 = forge.unsqueeze %y dim 0 : (tensor<2x5x4xf32>) -> tensor<1x2x5x4xf32>
  %4 = forge.repeat %3 repeats [3, 1, 1, 1] : (tensor<1x2x5x4xf32>) -> tensor<3x2x5x4xf32>
  %5 = forge.reshape %4 shape [6, 5, 4] : (tensor<3x2x5x4xf32>) -> tensor<6x5x4xf32>
  %6 = forge.unsqueeze %y dim 1 : (tensor<2x5x4xf32>) -> tensor<2x1x5x4xf32>
  %7 = forge.repeat %6 repeats [1, 3, 1, 1] : (tensor<2x1x5x4xf32>) -> tensor<2x3x5x4xf32>
  %8 = forge.reshape %7 shape [2, 15, 4] : (tensor<2x3x5x4xf32>) -> tensor<2x15x4xf32>
  return %2, %5, %8 : tensor<12x4xf32>, tensor<6x5x4xf32>, tensor<2x15x4xf32>
}

// A softmax along rows that the source has as well is computed on the source.
// CHECK-LABEL: func.func @softmax(
//  CHECK-NEXT: %[[S:.+]] = forge.softmax %arg0 dim -1 stable : tensor<2x3x1x8xf32>
//  CHECK-NEXT: %[[R:.+]] = forge.reshape %[[S]] shape [6, 8, 1, 1]
//  CHECK-NEXT: return %[[R]]
func.func @softmax(%x: tensor<2x3x1x8xf32>) -> tensor<6x8x1x1xf32> {
  %0 = forge.reshape %x shape [6, 8] : (tensor<2x3x1x8xf32>) -> tensor<6x8xf32>
  %1 = forge.softmax %0 dim 1 stable : tensor<6x8xf32>
  %2 = forge.reshape %1 shape [6, 8, 1, 1] : (tensor<6x8xf32>) -> tensor<6x8x1x1xf32>
  return %2 : tensor<6x8x1x1xf32>
}

// Unchanged: rows that differ from those of the source, and another axis.
// CHECK-LABEL: func.func @other_softmax(
// CHECK-COUNT-4: forge.reshape
func.func @other_softmax(%x: tensor<2x3x8xf32>) -> (tensor<2x3x8xf32>, tensor<2x3x8xf32>) {
  %0 = forge.reshape %x shape [6, 8] : (tensor<2x3x8xf32>) -> tensor<6x8xf32>
  %1 = forge.softmax %0 dim 0 stable : tensor<6x8xf32>
  %2 = forge.reshape %1 shape [2, 3, 8] : (tensor<6x8xf32>) -> tensor<2x3x8xf32>
  %3 = forge.reshape %x shape [2, 24] : (tensor<2x3x8xf32>) -> tensor<2x24xf32>
  %4 = forge.softmax %3 dim 1 stable : tensor<2x24xf32>
  %5 = forge.reshape %4 shape [2, 3, 8] : (tensor<2x24xf32>) -> tensor<2x3x8xf32>
  return %2, %5 : tensor<2x3x8xf32>, tensor<2x3x8xf32>
}
