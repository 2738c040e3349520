// RUN: forge-opt %s --forge-divisibility-rewrite="rules=regroup remarks" 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t

// Pairs of 80 are whole tiles; each matrix has zeros for the other one.
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

// Different ops on the pieces: they cannot be done at once.
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

// What the other matrix holds is not known.
// CHECK-LABEL: func.func @no_constant(
// CHECK-COUNT-2: forge.strided_slice {{.*}} tensor<1x128x80xf32> loc
// CHECK: return
func.func @no_constant(%x: tensor<1x128x160xf32>, %w1: tensor<80x32xf32>) -> (tensor<1x128x32xf32>, tensor<1x128x32xf32>) {
  %w0 = forge.parameter "w0" : tensor<80x32xf32>
  %p0 = forge.strided_slice %x dim 2 [0:80] : (tensor<1x128x160xf32>) -> tensor<1x128x80xf32>
  %p1 = forge.strided_slice %x dim 2 [80:160] : (tensor<1x128x160xf32>) -> tensor<1x128x80xf32>
  %y0 = forge.matmul %p0, %w0 : (tensor<1x128x80xf32>, tensor<80x32xf32>) -> tensor<1x128x32xf32>
  %y1 = forge.matmul %p1, %w1 : (tensor<1x128x80xf32>, tensor<80x32xf32>) -> tensor<1x128x32xf32>
  return %y0, %y1 : tensor<1x128x32xf32>, tensor<1x128x32xf32>
}

// One row: the slices are cheap, and the matrices would grow by more.
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

// A piece has another reader, so its slice stays anyway.
// CHECK-LABEL: func.func @read_twice(
// CHECK-COUNT-2: forge.strided_slice {{.*}} tensor<1x128x80xf32> loc
// CHECK-NOT: forge.concatenate
// CHECK: return
func.func @read_twice(%x: tensor<1x128x160xf32>) -> (tensor<1x128x32xf32>, tensor<1x128x32xf32>, tensor<1x128x80xf32>) {
  %w0 = forge.parameter "w0" : tensor<80x32xf32>
  %w1 = forge.parameter "w1" : tensor<80x32xf32>
  %p0 = forge.strided_slice %x dim 2 [0:80] : (tensor<1x128x160xf32>) -> tensor<1x128x80xf32>
  %p1 = forge.strided_slice %x dim 2 [80:160] : (tensor<1x128x160xf32>) -> tensor<1x128x80xf32>
  %y0 = forge.matmul %p0, %w0 : (tensor<1x128x80xf32>, tensor<80x32xf32>) -> tensor<1x128x32xf32>
  %y1 = forge.matmul %p1, %w1 : (tensor<1x128x80xf32>, tensor<80x32xf32>) -> tensor<1x128x32xf32>
  return %y0, %y1, %p1 : tensor<1x128x32xf32>, tensor<1x128x32xf32>, tensor<1x128x80xf32>
}
