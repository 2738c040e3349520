// RUN: forge-opt %s --forge-divisibility-rewrite="rules=regroup remarks" 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t

// Pairs of slices of 80 are whole tiles. Both products read the whole pair, and each weight gets zero rows for the
// other slice.
// REMARK: remark: regroup: 2 products read one slice of whole tiles, tile traffic
// REMARK-NOT: remark
// CHECK-LABEL: func.func @pairs(
// CHECK: %[[X:.+]] = forge.strided_slice %arg0 dim 2 [160:320] : (tensor<1x128x320xf32>) -> tensor<1x128x160xf32>
// CHECK: %[[R:.+]] = forge.relu %[[X]]
// CHECK: %[[V:.+]] = forge.concatenate %{{.+}}, %{{.+}} axis -2 : (tensor<1x80x64xf32>, tensor<1x80x64xf32>) -> tensor<1x160x64xf32>
// CHECK: %[[V2:.+]] = forge.reshape %[[V]] shape [160, 64]
// CHECK: forge.matmul %[[R]], %[[V2]]
// CHECK: %[[W:.+]] = forge.reshape %{{.+}} shape [160, 32]
// CHECK: forge.matmul %[[R]], %[[W]]
// CHECK-NOT: forge.strided_slice
// CHECK: return
func.func @pairs(%x: tensor<1x128x320xf32>) -> (tensor<1x128x32xf32>, tensor<1x128x64xf32>) {
  %w0 = forge.parameter "w0" : tensor<80x32xf32>
  %w1 = forge.parameter "w1" : tensor<80x64xf32>
  %p0 = forge.strided_slice %x dim 2 [160:240] : (tensor<1x128x320xf32>) -> tensor<1x128x80xf32>
  %p1 = forge.strided_slice %x dim 2 [240:320] : (tensor<1x128x320xf32>) -> tensor<1x128x80xf32>
  %r0 = forge.relu %p0 : tensor<1x128x80xf32>
  %r1 = forge.relu %p1 : tensor<1x128x80xf32>
  %y1 = forge.matmul %r1, %w1 : (tensor<1x128x80xf32>, tensor<80x64xf32>) -> tensor<1x128x64xf32>
  %y0 = forge.matmul %r0, %w0 : (tensor<1x128x80xf32>, tensor<80x32xf32>) -> tensor<1x128x32xf32>
  return %y0, %y1 : tensor<1x128x32xf32>, tensor<1x128x64xf32>
}

// Different ops on the slices cannot be computed on the pair.
// CHECK-LABEL: func.func @different(
// CHECK-COUNT-2: forge.strided_slice {{.*}} tensor<1x128x80xf32> loc
// CHECK-NOT: forge.concatenate
// CHECK: return
func.func @different(%x: tensor<1x128x160xf32>) -> (tensor<1x128x32xf32>, tensor<1x128x32xf32>) {
  %w0 = forge.parameter "w0" : tensor<80x32xf32>
  %w1 = forge.parameter "w1" : tensor<80x32xf32>
  %p0 = forge.strided_slice %x dim 2 [0:80] : (tensor<1x128x160xf32>) -> tensor<1x128x80xf32>
  %p1 = forge.strided_slice %x dim 2 [80:160] : (tensor<1x128x160xf32>) -> tensor<1x128x80xf32>
  %r0 = forge.relu %p0 : tensor<1x128x80xf32>
  %r1 = forge.abs %p1 : tensor<1x128x80xf32>
  %y0 = forge.matmul %r0, %w0 : (tensor<1x128x80xf32>, tensor<80x32xf32>) -> tensor<1x128x32xf32>
  %y1 = forge.matmul %r1, %w1 : (tensor<1x128x80xf32>, tensor<80x32xf32>) -> tensor<1x128x32xf32>
  return %y0, %y1 : tensor<1x128x32xf32>, tensor<1x128x32xf32>
}

// A right operand that is an input cannot get zero rows.
// CHECK-LABEL: func.func @input_weight(
// CHECK-COUNT-2: forge.strided_slice {{.*}} tensor<1x128x80xf32> loc
// CHECK: return
func.func @input_weight(%x: tensor<1x128x160xf32>, %w1: tensor<80x32xf32>) -> (tensor<1x128x32xf32>, tensor<1x128x32xf32>) {
  %w0 = forge.parameter "w0" : tensor<80x32xf32>
  %p0 = forge.strided_slice %x dim 2 [0:80] : (tensor<1x128x160xf32>) -> tensor<1x128x80xf32>
  %p1 = forge.strided_slice %x dim 2 [80:160] : (tensor<1x128x160xf32>) -> tensor<1x128x80xf32>
  %y0 = forge.matmul %p0, %w0 : (tensor<1x128x80xf32>, tensor<80x32xf32>) -> tensor<1x128x32xf32>
  %y1 = forge.matmul %p1, %w1 : (tensor<1x128x80xf32>, tensor<80x32xf32>) -> tensor<1x128x32xf32>
  return %y0, %y1 : tensor<1x128x32xf32>, tensor<1x128x32xf32>
}

// With one row, the slices are cheap, and the weights would gain more tiles than are saved.
// CHECK-LABEL: func.func @no_gain(
// CHECK-COUNT-2: forge.strided_slice {{.*}} tensor<1x1x80xf32> loc
// CHECK-NOT: forge.concatenate
// CHECK: return
func.func @no_gain(%x: tensor<1x1x160xf32>) -> (tensor<1x1x1280xf32>, tensor<1x1x1280xf32>) {
  %w0 = forge.parameter "w0" : tensor<80x1280xf32>
  %w1 = forge.parameter "w1" : tensor<80x1280xf32>
  %p0 = forge.strided_slice %x dim 2 [0:80] : (tensor<1x1x160xf32>) -> tensor<1x1x80xf32>
  %p1 = forge.strided_slice %x dim 2 [80:160] : (tensor<1x1x160xf32>) -> tensor<1x1x80xf32>
  %y0 = forge.matmul %p0, %w0 : (tensor<1x1x80xf32>, tensor<80x1280xf32>) -> tensor<1x1x1280xf32>
  %y1 = forge.matmul %p1, %w1 : (tensor<1x1x80xf32>, tensor<80x1280xf32>) -> tensor<1x1x1280xf32>
  return %y0, %y1 : tensor<1x1x1280xf32>, tensor<1x1x1280xf32>
}

// A slice has another user and stays anyway.
// CHECK-LABEL: func.func @other_user(
// CHECK-COUNT-2: forge.strided_slice {{.*}} tensor<1x128x80xf32> loc
// CHECK-NOT: forge.concatenate
// CHECK: return
func.func @other_user(%x: tensor<1x128x160xf32>) -> (tensor<1x128x32xf32>, tensor<1x128x32xf32>, tensor<1x128x80xf32>) {
  %w0 = forge.parameter "w0" : tensor<80x32xf32>
  %w1 = forge.parameter "w1" : tensor<80x32xf32>
  %p0 = forge.strided_slice %x dim 2 [0:80] : (tensor<1x128x160xf32>) -> tensor<1x128x80xf32>
  %p1 = forge.strided_slice %x dim 2 [80:160] : (tensor<1x128x160xf32>) -> tensor<1x128x80xf32>
  %y0 = forge.matmul %p0, %w0 : (tensor<1x128x80xf32>, tensor<80x32xf32>) -> tensor<1x128x32xf32>
  %y1 = forge.matmul %p1, %w1 : (tensor<1x128x80xf32>, tensor<80x32xf32>) -> tensor<1x128x32xf32>
  return %y0, %y1, %p1 : tensor<1x128x32xf32>, tensor<1x128x32xf32>, tensor<1x128x80xf32>
}
