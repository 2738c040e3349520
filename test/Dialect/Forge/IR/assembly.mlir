// What the text of an op may omit, and what it may write in two ways.
// RUN: forge-opt %s | FileCheck %s
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s -mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// A flag is true if it is present. One type may be given for all operands and the result, or a function type.
// CHECK-LABEL: func.func @types(
// CHECK-NEXT: forge.add %arg0, %arg0 : tensor<2x3xf32> loc
// CHECK-NEXT: forge.softmax %arg0 dim -1 : tensor<2x3xf32> loc
// CHECK-NEXT: forge.softmax %arg0 dim -1 stable : tensor<2x3xf32> loc
// CHECK-NEXT: forge.add %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32> loc
// CHECK-NEXT: forge.scalar_constant constant 1.000000e+00 dtype f32 : tensor<1xf32> loc
// GENERIC-LABEL: sym_name = "types"
// GENERIC: "forge.softmax"{{.*}}stable = false
// GENERIC-NEXT: "forge.softmax"{{.*}}stable = true
func.func @types(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  %0 = forge.add %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = forge.softmax %x dim -1 : tensor<2x3xf32>
  %2 = forge.softmax %x dim -1 stable : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = forge.add %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %4 = forge.scalar_constant constant 1.0 dtype f32 : () -> tensor<1xf32>
  return
}

// Attributes with their default values are not printed, even if the text had them.
// CHECK-LABEL: func.func @default_values(
// CHECK-NEXT: forge.conv2d %arg0, %arg1 stride [1, 1] padding [0, 0, 0, 0] : ({{.*}}) -> tensor<1x2x3x3xf32> loc
// GENERIC-LABEL: sym_name = "default_values"
// GENERIC: channel_last = false, dilation = array<i64: 1, 1>, groups = 1 : i64
func.func @default_values(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x2x2xf32>) {
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] dilation [1, 1] groups 1 : (tensor<1x2x4x4xf32>, tensor<2x2x2x2xf32>) -> tensor<1x2x3x3xf32>
  return
}

// Slices; strided_slice may have no axes.
// CHECK-LABEL: func.func @slices(
// CHECK-NEXT: forge.index %arg0 dim -1 [0:10] : (tensor<2x12xf32>) -> tensor<2x10xf32> loc
// CHECK-NEXT: forge.index %arg0 dim -1 [0:10:2] : (tensor<2x12xf32>) -> tensor<2x5xf32> loc
// CHECK-NEXT: forge.strided_slice %arg0 dim 1 [-1:-9223372036854775808:-3] dim 0 [1:9223372036854775807] : (tensor<2x12xf32>) -> tensor<1x4xf32> loc
// CHECK-NEXT: forge.strided_slice %arg0 : tensor<2x12xf32> loc
func.func @slices(%x: tensor<2x12xf32>) {
  %0 = forge.index %x dim -1 [0 : 10 : 1] : (tensor<2x12xf32>) -> tensor<2x10xf32>
  %1 = forge.index %x dim -1 [0:10:2] : (tensor<2x12xf32>) -> tensor<2x5xf32>
  %2 = forge.strided_slice %x dim 1 [-1:-9223372036854775808:-3] dim 0 [1:9223372036854775807] : (tensor<2x12xf32>) -> tensor<1x4xf32>
  %3 = forge.strided_slice %x : tensor<2x12xf32>
  return
}

// Enum values need no quotes, discardable attributes are printed in braces, and parameters may have a blob.
// CHECK-LABEL: func.func @enums_and_attributes(
// CHECK-NEXT: forge.gelu %arg0 approximate none : tensor<2x3xf32> loc
// CHECK-NEXT: forge.gelu %arg0 approximate tanh {a.b = "c", mode = 1 : i64} : tensor<2x3xf32> loc
// CHECK-NEXT: forge.argmax %arg0 : (tensor<2x3xf32>) -> tensor<i32> loc
// CHECK-NEXT: forge.argmax %arg0 dim -1 keep_dim : (tensor<2x3xf32>) -> tensor<2x1xi32> loc
// CHECK-NEXT: forge.parameter "w" blob(dense_resource<w> : tensor<1xf64>) {x} : tensor<1xf32> loc
func.func @enums_and_attributes(%x: tensor<2x3xf32>) {
  %0 = forge.gelu %x approximate none : tensor<2x3xf32>
  %1 = forge.gelu %x approximate "tanh" {mode = 1 : i64, a.b = "c"} : tensor<2x3xf32>
  %2 = forge.argmax %x : (tensor<2x3xf32>) -> tensor<i32>
  %3 = forge.argmax %x dim -1 keep_dim : (tensor<2x3xf32>) -> tensor<2x1xi32>
  %4 = forge.parameter "w" blob(dense_resource<w> : tensor<1xf64>) {x} : tensor<1xf32>
  return
}
