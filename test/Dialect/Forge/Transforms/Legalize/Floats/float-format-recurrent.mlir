// Which ops of a recurrence, and of the layers before it, are in Float32.
// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-float-format{float-format=bfloat16}))' | FileCheck %s

// The layers before a recurrence are in the format, up to the product of the inputs, although its states are
// concatenated.
// CHECK-LABEL: func.func @layers_before(
//  CHECK-SAME: %arg0: tensor<3x8xbf16>
//       CHECK: %[[L:.+]] = forge.matmul %arg0, %{{.+}} -> tensor<3x8xbf16>
//       CHECK: %[[R:.+]] = forge.relu %[[L]] : tensor<3x8xbf16>
//       CHECK: %[[I:.+]] = forge.matmul
//  CHECK-SAME: -> tensor<3x4xf32>
//       CHECK: forge.concatenate {{.*}} -> tensor<3x4xf32>
func.func @layers_before(%x: tensor<3x8xf32>, %h0: tensor<1x4xf32>) -> tensor<3x4xf32> {
  %w1 = forge.parameter "w1" : tensor<8x8xf32>
  %wi = forge.parameter "wi" : tensor<8x4xf32>
  %wh = forge.parameter "wh" : tensor<4x4xf32>
  %e0 = forge.matmul %x, %w1 : (tensor<3x8xf32>, tensor<8x8xf32>) -> tensor<3x8xf32>
  %e1 = forge.relu %e0 : tensor<3x8xf32>
  %p = forge.matmul %e1, %wi : (tensor<3x8xf32>, tensor<8x4xf32>) -> tensor<3x4xf32>
  %p1 = forge.index %p dim 0 [0:1] : (tensor<3x4xf32>) -> tensor<1x4xf32>
  %p2 = forge.index %p dim 0 [1:2] : (tensor<3x4xf32>) -> tensor<1x4xf32>
  %p3 = forge.index %p dim 0 [2:3] : (tensor<3x4xf32>) -> tensor<1x4xf32>
  %r1 = forge.matmul %h0, %wh : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %s1 = forge.add %p1, %r1 : tensor<1x4xf32>
  %h1 = forge.tanh %s1 : tensor<1x4xf32>
  %r2 = forge.matmul %h1, %wh : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %s2 = forge.add %p2, %r2 : tensor<1x4xf32>
  %h2 = forge.tanh %s2 : tensor<1x4xf32>
  %r3 = forge.matmul %h2, %wh : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %s3 = forge.add %p3, %r3 : tensor<1x4xf32>
  %h3 = forge.tanh %s3 : tensor<1x4xf32>
  %y = forge.concatenate %h1, %h2, %h3 axis 0 : (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// The last step is in Float32, like the steps before, if only its state is used. The layer after it is not, although
// it begins with an addition too.
// CHECK-LABEL: func.func @last_state(
// CHECK-COUNT-3: forge.tanh %{{.+}} : tensor<1x4xf32>
//       CHECK: %[[Z:.+]] = forge.add %{{.+}}, %{{.+}} : tensor<1x4xbf16>
//       CHECK: forge.relu %[[Z]] : tensor<1x4xbf16>
func.func @last_state(%x: tensor<3x8xf32>, %h0: tensor<1x4xf32>, %z: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %wi = forge.parameter "wi" : tensor<8x4xf32>
  %wh = forge.parameter "wh" : tensor<4x4xf32>
  %p = forge.matmul %x, %wi : (tensor<3x8xf32>, tensor<8x4xf32>) -> tensor<3x4xf32>
  %p1 = forge.index %p dim 0 [0:1] : (tensor<3x4xf32>) -> tensor<1x4xf32>
  %p2 = forge.index %p dim 0 [1:2] : (tensor<3x4xf32>) -> tensor<1x4xf32>
  %p3 = forge.index %p dim 0 [2:3] : (tensor<3x4xf32>) -> tensor<1x4xf32>
  %r1 = forge.matmul %h0, %wh : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %s1 = forge.add %p1, %r1 : tensor<1x4xf32>
  %h1 = forge.tanh %s1 : tensor<1x4xf32>
  %r2 = forge.matmul %h1, %wh : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %s2 = forge.add %p2, %r2 : tensor<1x4xf32>
  %h2 = forge.tanh %s2 : tensor<1x4xf32>
  %r3 = forge.matmul %h2, %wh : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %s3 = forge.add %p3, %r3 : tensor<1x4xf32>
  %h3 = forge.tanh %s3 : tensor<1x4xf32>
  %0 = forge.add %h3, %z : tensor<1x4xf32>
  %1 = forge.relu %0 : tensor<1x4xf32>
  return %1 : tensor<1x4xf32>
}
