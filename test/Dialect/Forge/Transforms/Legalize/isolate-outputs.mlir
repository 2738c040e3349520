// RUN: forge-opt %s --mlir-print-debuginfo=false --forge-isolate-outputs --forge-verify-emittable | FileCheck %s

// An output with a call of its own is unchanged.
// CHECK-LABEL: func.func @output_of_a_call(%arg0: tensor<2xf32>) -> tensor<2xf32>
// CHECK: %[[V0:.+]] = forge.relu %arg0 : tensor<2xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2xf32>
func.func @output_of_a_call(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = forge.relu %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// An input, a weight, a constant and a scalar are not computed by a call: each output of them gets an identity.
// CHECK-LABEL: func.func @no_call(%arg0: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xi32>, tensor<1xf32>)
// CHECK-DAG: %[[V0:.+]] = forge.parameter "w" : tensor<2xf32>
// CHECK-DAG: %[[V1:.+]] = forge.constant dense<[1, 2]> : tensor<2xi32>
// CHECK-DAG: %[[V2:.+]] = forge.scalar_constant constant 1.000000e+00 dtype f32 : tensor<1xf32>
// CHECK-DAG: %[[V3:.+]] = forge.identity %arg0 : tensor<2xf32>
// CHECK-DAG: %[[V4:.+]] = forge.identity %[[V0]] : tensor<2xf32>
// CHECK-DAG: %[[V5:.+]] = forge.identity %[[V1]] : tensor<2xi32>
// CHECK-DAG: %[[V6:.+]] = forge.identity %[[V2]] : tensor<1xf32>
// CHECK: return %[[V3]], %[[V4]], %[[V5]], %[[V6]] : tensor<2xf32>, tensor<2xf32>, tensor<2xi32>, tensor<1xf32>
func.func @no_call(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xi32>, tensor<1xf32>) {
  %0 = forge.parameter "w" : tensor<2xf32>
  %1 = forge.constant dense<[1, 2]> : tensor<2xi32>
  %2 = forge.scalar_constant constant 1.0 dtype f32 : tensor<1xf32>
  return %a, %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xi32>, tensor<1xf32>
}

// A tensor cannot be returned twice: further outputs get an identity.
// CHECK-LABEL: func.func @twice(%arg0: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
// CHECK: %[[V0:.+]] = forge.relu %arg0 : tensor<2xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.identity %[[V0]] : tensor<2xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.identity %arg0 : tensor<2xf32>
// CHECK-NEXT: %[[V3:.+]] = forge.identity %arg0 : tensor<2xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]], %[[V3]] : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
func.func @twice(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = forge.relu %a : tensor<2xf32>
  return %0, %0, %a, %a : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// A function without outputs is unchanged.
// CHECK-LABEL: func.func @none(%arg0: tensor<2xf32>)
// CHECK: return
func.func @none(%a: tensor<2xf32>) {

  return
}

// Forge makes an addend that broadcasts the bias of a convolution. One that is no bias is kept apart from it.
// CHECK-LABEL: func.func @addends(
//      CHECK: %[[C:.+]] = forge.conv2d %arg0
// CHECK-NEXT: %[[I:.+]] = forge.identity %[[C]]
// CHECK-NEXT: forge.add %[[I]], %arg1
//      CHECK: %[[D:.+]] = forge.conv2d %arg0
// CHECK-NEXT: %[[J:.+]] = forge.identity %[[D]]
// CHECK-NEXT: forge.add %[[J]], %arg2
//      CHECK: %[[E:.+]] = forge.conv2d %arg0
// CHECK-NEXT: %[[K:.+]] = forge.identity %[[E]]
// CHECK-NEXT: forge.add %[[K]], %arg3
func.func @addends(%x: tensor<2x3x4x4xf32>, %row: tensor<4xf32>, %batch: tensor<2x4x1x1xf32>, %number: tensor<1xf32>, %w: tensor<4x3x1x1xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>) {
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<2x3x4x4xf32>, tensor<4x3x1x1xf32>) -> tensor<2x4x4x4xf32>
  %1 = forge.add %0, %row : (tensor<2x4x4x4xf32>, tensor<4xf32>) -> tensor<2x4x4x4xf32>
  %2 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<2x3x4x4xf32>, tensor<4x3x1x1xf32>) -> tensor<2x4x4x4xf32>
  %3 = forge.add %2, %batch : (tensor<2x4x4x4xf32>, tensor<2x4x1x1xf32>) -> tensor<2x4x4x4xf32>
  %4 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<2x3x4x4xf32>, tensor<4x3x1x1xf32>) -> tensor<2x4x4x4xf32>
  %5 = forge.add %4, %number : (tensor<2x4x4x4xf32>, tensor<1xf32>) -> tensor<2x4x4x4xf32>
  return %1, %3, %5 : tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>
}

// Biases, with the channels first and last, may be fused. So may sums that Forge does not look at: without a broadcast,
// with the convolution as the second operand, of a convolution with a bias or with another user.
// CHECK-LABEL: func.func @biases(
//  CHECK-NOT: forge.identity
func.func @biases(%x: tensor<2x3x4x4xf32>, %b: tensor<4x1x1xf32>, %l: tensor<4xf32>, %row: tensor<4xf32>, %full: tensor<2x4x4x4xf32>, %w: tensor<4x3x1x1xf32>, %v: tensor<4x4x1x1xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>) {
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<2x3x4x4xf32>, tensor<4x3x1x1xf32>) -> tensor<2x4x4x4xf32>
  %1 = forge.add %0, %b : (tensor<2x4x4x4xf32>, tensor<4x1x1xf32>) -> tensor<2x4x4x4xf32>
  %2 = forge.conv2d %full, %v stride [1, 1] padding [0, 0, 0, 0] channel_last : (tensor<2x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<2x4x4x4xf32>
  %3 = forge.add %2, %l : (tensor<2x4x4x4xf32>, tensor<4xf32>) -> tensor<2x4x4x4xf32>
  %4 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<2x3x4x4xf32>, tensor<4x3x1x1xf32>) -> tensor<2x4x4x4xf32>
  %5 = forge.add %4, %full : tensor<2x4x4x4xf32>
  %6 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<2x3x4x4xf32>, tensor<4x3x1x1xf32>) -> tensor<2x4x4x4xf32>
  %7 = forge.add %row, %6 : (tensor<4xf32>, tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
  %8 = forge.conv2d %x, %w, %l stride [1, 1] padding [0, 0, 0, 0] : (tensor<2x3x4x4xf32>, tensor<4x3x1x1xf32>, tensor<4xf32>) -> tensor<2x4x4x4xf32>
  %9 = forge.add %8, %row : (tensor<2x4x4x4xf32>, tensor<4xf32>) -> tensor<2x4x4x4xf32>
  %10 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<2x3x4x4xf32>, tensor<4x3x1x1xf32>) -> tensor<2x4x4x4xf32>
  %11 = forge.add %10, %row : (tensor<2x4x4x4xf32>, tensor<4xf32>) -> tensor<2x4x4x4xf32>
  return %1, %3, %5, %7, %9, %10, %11 : tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>
}

// Forge makes slices of a split axis slices before the reshape, of its first part, also if they slice the second part
// or another axis: the reshape is kept apart from them.
// CHECK-LABEL: func.func @slices(
//      CHECK: %[[R:.+]] = forge.reshape %arg0 shape [2, 3, 2]
// CHECK-NEXT: %[[I:.+]] = forge.identity %[[R]]
// CHECK-NEXT: forge.index %[[I]]
// CHECK-NEXT: forge.index %[[I]]
//      CHECK: %[[S:.+]] = forge.reshape %arg0 shape [2, 2, 3]
// CHECK-NEXT: %[[J:.+]] = forge.identity %[[S]]
// CHECK-NEXT: forge.index %[[J]]
// CHECK-NEXT: forge.index %[[J]]
func.func @slices(%x: tensor<2x6xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = forge.reshape %x shape [2, 3, 2] : (tensor<2x6xf32>) -> tensor<2x3x2xf32>
  %1 = forge.index %0 dim -1 [0:1] : (tensor<2x3x2xf32>) -> tensor<2x3x1xf32>
  %2 = forge.index %0 dim -1 [1:2] : (tensor<2x3x2xf32>) -> tensor<2x3x1xf32>
  %3 = forge.reshape %1 shape [2, 3] : (tensor<2x3x1xf32>) -> tensor<2x3xf32>
  %4 = forge.reshape %2 shape [2, 3] : (tensor<2x3x1xf32>) -> tensor<2x3xf32>
  %5 = forge.reshape %x shape [2, 2, 3] : (tensor<2x6xf32>) -> tensor<2x2x3xf32>
  %6 = forge.index %5 dim 0 [0:1] : (tensor<2x2x3xf32>) -> tensor<1x2x3xf32>
  %7 = forge.index %5 dim 0 [1:2] : (tensor<2x2x3xf32>) -> tensor<1x2x3xf32>
  %8 = forge.reshape %6 shape [2, 3] : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
  %9 = forge.reshape %7 shape [2, 3] : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
  return %3, %4, %8, %9 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// It crashes if such a slice is an output, of whatever axis.
// CHECK-LABEL: func.func @slices_as_outputs(
//      CHECK: %[[R:.+]] = forge.reshape %arg0
// CHECK-NEXT: %[[I:.+]] = forge.identity %[[R]]
// CHECK-NEXT: forge.index %[[I]]
func.func @slices_as_outputs(%x: tensor<2x6xf32>) -> (tensor<2x1x3xf32>, tensor<2x1x3xf32>) {
  %0 = forge.reshape %x shape [2, 2, 3] : (tensor<2x6xf32>) -> tensor<2x2x3xf32>
  %1 = forge.index %0 dim 1 [0:1] : (tensor<2x2x3xf32>) -> tensor<2x1x3xf32>
  %2 = forge.index %0 dim 1 [1:2] : (tensor<2x2x3xf32>) -> tensor<2x1x3xf32>
  return %1, %2 : tensor<2x1x3xf32>, tensor<2x1x3xf32>
}

// Forge may move slices of the first part. It does not look at reshapes with other users, with slices of several or of
// some elements, and at slices that something else than one reshape reads.
// CHECK-LABEL: func.func @other_slices(
//  CHECK-NOT: forge.identity
func.func @other_slices(%x: tensor<2x6xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x1x2xf32>, tensor<2x3x2xf32>) {
  %0 = forge.reshape %x shape [2, 2, 3] : (tensor<2x6xf32>) -> tensor<2x2x3xf32>
  %1 = forge.index %0 dim 1 [0:1] : (tensor<2x2x3xf32>) -> tensor<2x1x3xf32>
  %2 = forge.index %0 dim 1 [1:2] : (tensor<2x2x3xf32>) -> tensor<2x1x3xf32>
  %3 = forge.reshape %1 shape [2, 3] : (tensor<2x1x3xf32>) -> tensor<2x3xf32>
  %4 = forge.reshape %2 shape [2, 3] : (tensor<2x1x3xf32>) -> tensor<2x3xf32>
  %5 = forge.reshape %x shape [2, 3, 2] : (tensor<2x6xf32>) -> tensor<2x3x2xf32>
  %6 = forge.index %5 dim -1 [0:1] : (tensor<2x3x2xf32>) -> tensor<2x3x1xf32>
  %7 = forge.reshape %6 shape [2, 3] : (tensor<2x3x1xf32>) -> tensor<2x3xf32>
  %8 = forge.reshape %x shape [2, 3, 2] : (tensor<2x6xf32>) -> tensor<2x3x2xf32>
  %9 = forge.index %8 dim -1 [0:1] : (tensor<2x3x2xf32>) -> tensor<2x3x1xf32>
  %10 = forge.index %8 dim -1 [1:2] : (tensor<2x3x2xf32>) -> tensor<2x3x1xf32>
  %11 = forge.relu %9 : tensor<2x3x1xf32>
  %12 = forge.relu %10 : tensor<2x3x1xf32>
  %13 = forge.reshape %x shape [2, 3, 2] : (tensor<2x6xf32>) -> tensor<2x3x2xf32>
  %14 = forge.index %13 dim 1 [0:1] : (tensor<2x3x2xf32>) -> tensor<2x1x2xf32>
  %15 = forge.relu %13 : tensor<2x3x2xf32>
  return %3, %4, %7, %11, %12, %14, %15 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x1x2xf32>, tensor<2x3x2xf32>
}

// A reshape of weights that is evaluated when they are written is no call.
// CHECK-LABEL: func.func @weights(
//  CHECK-NOT: forge.identity
func.func @weights(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = forge.parameter "w" : tensor<2x6xf32>
  %1 = forge.reshape %0 shape [2, 3, 2] : (tensor<2x6xf32>) -> tensor<2x3x2xf32>
  %2 = forge.index %1 dim -1 [0:1] : (tensor<2x3x2xf32>) -> tensor<2x3x1xf32>
  %3 = forge.index %1 dim -1 [1:2] : (tensor<2x3x2xf32>) -> tensor<2x3x1xf32>
  %4 = forge.reshape %2 shape [2, 3] : (tensor<2x3x1xf32>) -> tensor<2x3xf32>
  %5 = forge.reshape %3 shape [2, 3] : (tensor<2x3x1xf32>) -> tensor<2x3xf32>
  %6 = forge.multiply %x, %4 : tensor<2x3xf32>
  %7 = forge.add %6, %5 : tensor<2x3xf32>
  return %7 : tensor<2x3xf32>
}

// If Forge replaces an operand by other calls, it removes leading axes of it until its rank is that of the user's result.
// The operand of a reduction that keeps no axis is kept apart from it.
// CHECK-LABEL: func.func @reductions(
//      CHECK: %[[P:.+]] = forge.pad %arg0
// CHECK-NEXT: %[[I:.+]] = forge.identity %[[P]]
// CHECK-NEXT: forge.reduce_sum %[[I]]
//      CHECK: %[[U:.+]] = forge.reshape %arg0 shape [1, 2, 6]
// CHECK-NEXT: %[[J:.+]] = forge.identity %[[U]]
// CHECK-NEXT: forge.argmax %[[J]]
func.func @reductions(%x: tensor<2x6xf32>) -> (tensor<3xf32>, tensor<1x2xi32>) {
  %0 = forge.pad %x pad [0, 0, 1, 0] mode constant value 0.0 : (tensor<2x6xf32>) -> tensor<3x6xf32>
  %1 = forge.reduce_sum %0 dim -1 : (tensor<3x6xf32>) -> tensor<3xf32>
  %2 = forge.reshape %x shape [1, 2, 6] : (tensor<2x6xf32>) -> tensor<1x2x6xf32>
  %3 = forge.argmax %2 dim -1 : (tensor<1x2x6xf32>) -> tensor<1x2xi32>
  return %1, %3 : tensor<3xf32>, tensor<1x2xi32>
}

// Forge replaces no elementwise op and no reshape that splits an axis. Reductions that keep their axis, and those on
// weights, are not changed either.
// CHECK-LABEL: func.func @other_reductions(
//  CHECK-NOT: forge.identity
func.func @other_reductions(%x: tensor<2x6xf32>) -> (tensor<2xf32>, tensor<2x3xf32>, tensor<3x1xf32>, tensor<2x6xf32>) {
  %0 = forge.relu %x : tensor<2x6xf32>
  %1 = forge.reduce_max %0 dim -1 : (tensor<2x6xf32>) -> tensor<2xf32>
  %2 = forge.reshape %x shape [2, 3, 2] : (tensor<2x6xf32>) -> tensor<2x3x2xf32>
  %3 = forge.reduce_avg %2 dim -1 : (tensor<2x3x2xf32>) -> tensor<2x3xf32>
  %4 = forge.pad %x pad [0, 0, 1, 0] mode constant value 0.0 : (tensor<2x6xf32>) -> tensor<3x6xf32>
  %5 = forge.reduce_sum %4 dim -1 keep_dim : (tensor<3x6xf32>) -> tensor<3x1xf32>
  %6 = forge.parameter "w" : tensor<6x2xf32>
  %7 = forge.transpose %6 dims -2, -1 : (tensor<6x2xf32>) -> tensor<2x6xf32>
  %8 = forge.reduce_sum %7 dim 0 : (tensor<2x6xf32>) -> tensor<6xf32>
  %9 = forge.add %x, %8 : (tensor<2x6xf32>, tensor<6xf32>) -> tensor<2x6xf32>
  return %1, %3, %5, %9 : tensor<2xf32>, tensor<2x3xf32>, tensor<3x1xf32>, tensor<2x6xf32>
}
