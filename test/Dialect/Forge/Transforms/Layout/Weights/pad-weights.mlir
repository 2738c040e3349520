// RUN: forge-opt %s --mlir-print-debuginfo=false --forge-lower-split --forge-slice-canonicalize --forge-divisibility-rewrite="rules=pad-weights max-weight-growth=1.25" | FileCheck %s
// RUN: forge-opt %s --mlir-print-debuginfo=false --forge-lower-split --forge-slice-canonicalize --forge-divisibility-rewrite="rules=pad-weights max-weight-growth=1.1" | FileCheck %s --check-prefix=SMALL

// Heads of 80 are padded to 96, three tiles: 3 * 32 * 96 columns. Inputs and outputs keep their shapes.
// CHECK-LABEL: func.func @attention(%arg0: tensor<1x256x2560xf32>) -> tensor<1x256x2560xf32>
// CHECK: %[[W:.+]] = forge.parameter "w_qkv" : tensor<2560x7680xf32>
// CHECK: %[[B:.+]] = forge.parameter "b_qkv" : tensor<7680xf32>
// CHECK: %[[O:.+]] = forge.parameter "w_o" : tensor<2560x2560xf32>
// CHECK: %[[HEADS:.+]] = forge.reshape %[[W]] shape [2560, 96, 80]
// CHECK: %[[ZEROS:.+]] = forge.constant dense<0.000000e+00> : tensor<2560x96x16xf32>
// CHECK: %[[WIDE:.+]] = forge.concatenate %[[HEADS]], %[[ZEROS]] axis -1
// CHECK: %[[PADDED:.+]] = forge.reshape %[[WIDE]] shape [2560, 9216]
// CHECK: forge.reshape %[[B]] shape [96, 80]
// CHECK: forge.matmul %arg0, %[[PADDED]]
// CHECK: forge.strided_slice {{.*}} [3072:6144]
// CHECK: forge.reshape {{.*}} shape [1, 256, 32, 96]
// CHECK: forge.matmul {{.*}} -> tensor<1x32x256x256xf32>
// CHECK: forge.softmax
// CHECK: forge.matmul {{.*}} -> tensor<1x32x256x96xf32>
// CHECK: forge.reshape {{.*}} shape [1, 256, 3072]
// CHECK: forge.reshape %[[O]] shape [32, 80, 2560]
// CHECK: %[[ROWS:.+]] = forge.reshape {{.*}} shape [3072, 2560]
// CHECK: forge.matmul %{{.+}}, %[[ROWS]] {{.*}} -> tensor<1x256x2560xf32>
// The weights grow by a factor of 1.2, which is more than the limit of 1.1.
// SMALL-LABEL: func.func @attention(
// SMALL-NOT: forge.constant dense<0
func.func @attention(%x: tensor<1x256x2560xf32>) -> tensor<1x256x2560xf32> {
  %w = forge.parameter "w_qkv" : tensor<2560x7680xf32>
  %b = forge.parameter "b_qkv" : tensor<7680xf32>
  %wo = forge.parameter "w_o" : tensor<2560x2560xf32>
  %s = forge.scalar_constant constant 0.1118 dtype f32 : tensor<1xf32>
  %m = forge.matmul %x, %w : (tensor<1x256x2560xf32>, tensor<2560x7680xf32>) -> tensor<1x256x7680xf32>
  %a = forge.add %m, %b : (tensor<1x256x7680xf32>, tensor<7680xf32>) -> tensor<1x256x7680xf32>
  %q, %k, %v = forge.split %a dim -1 sizes [2560, 2560, 2560] : (tensor<1x256x7680xf32>) -> (tensor<1x256x2560xf32>, tensor<1x256x2560xf32>, tensor<1x256x2560xf32>)
  %q1 = forge.reshape %q shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %k1 = forge.reshape %k shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %v1 = forge.reshape %v shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %q2 = forge.transpose %q1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %k2 = forge.transpose %k1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %v2 = forge.transpose %v1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %k3 = forge.transpose %k2 dims -2, -1 : (tensor<1x32x256x80xf32>) -> tensor<1x32x80x256xf32>
  %q3 = forge.multiply %q2, %s : (tensor<1x32x256x80xf32>, tensor<1xf32>) -> tensor<1x32x256x80xf32>
  %sc = forge.matmul %q3, %k3 : (tensor<1x32x256x80xf32>, tensor<1x32x80x256xf32>) -> tensor<1x32x256x256xf32>
  %p = forge.softmax %sc dim -1 stable : tensor<1x32x256x256xf32>
  %o = forge.matmul %p, %v2 : (tensor<1x32x256x256xf32>, tensor<1x32x256x80xf32>) -> tensor<1x32x256x80xf32>
  %o1 = forge.transpose %o dims -3, -2 : (tensor<1x32x256x80xf32>) -> tensor<1x256x32x80xf32>
  %o2 = forge.reshape %o1 shape [1, 256, 2560] : (tensor<1x256x32x80xf32>) -> tensor<1x256x2560xf32>
  %r = forge.matmul %o2, %wo : (tensor<1x256x2560xf32>, tensor<2560x2560xf32>) -> tensor<1x256x2560xf32>
  return %r : tensor<1x256x2560xf32>
}

// Heads of 64 are whole tiles already.
// CHECK-LABEL: func.func @aligned(
// CHECK-NOT: forge.constant dense<0
func.func @aligned(%x: tensor<1x256x2560xf32>) -> tensor<1x256x2560xf32> {
  %w = forge.parameter "w_qkv" : tensor<2560x7680xf32>
  %b = forge.parameter "b_qkv" : tensor<7680xf32>
  %wo = forge.parameter "w_o" : tensor<2560x2560xf32>
  %s = forge.scalar_constant constant 0.1118 dtype f32 : tensor<1xf32>
  %m = forge.matmul %x, %w : (tensor<1x256x2560xf32>, tensor<2560x7680xf32>) -> tensor<1x256x7680xf32>
  %a = forge.add %m, %b : (tensor<1x256x7680xf32>, tensor<7680xf32>) -> tensor<1x256x7680xf32>
  %q, %k, %v = forge.split %a dim -1 sizes [2560, 2560, 2560] : (tensor<1x256x7680xf32>) -> (tensor<1x256x2560xf32>, tensor<1x256x2560xf32>, tensor<1x256x2560xf32>)
  %q1 = forge.reshape %q shape [1, 256, 40, 64] : (tensor<1x256x2560xf32>) -> tensor<1x256x40x64xf32>
  %k1 = forge.reshape %k shape [1, 256, 40, 64] : (tensor<1x256x2560xf32>) -> tensor<1x256x40x64xf32>
  %v1 = forge.reshape %v shape [1, 256, 40, 64] : (tensor<1x256x2560xf32>) -> tensor<1x256x40x64xf32>
  %q2 = forge.transpose %q1 dims -3, -2 : (tensor<1x256x40x64xf32>) -> tensor<1x40x256x64xf32>
  %k2 = forge.transpose %k1 dims -3, -2 : (tensor<1x256x40x64xf32>) -> tensor<1x40x256x64xf32>
  %v2 = forge.transpose %v1 dims -3, -2 : (tensor<1x256x40x64xf32>) -> tensor<1x40x256x64xf32>
  %k3 = forge.transpose %k2 dims -2, -1 : (tensor<1x40x256x64xf32>) -> tensor<1x40x64x256xf32>
  %q3 = forge.multiply %q2, %s : (tensor<1x40x256x64xf32>, tensor<1xf32>) -> tensor<1x40x256x64xf32>
  %sc = forge.matmul %q3, %k3 : (tensor<1x40x256x64xf32>, tensor<1x40x64x256xf32>) -> tensor<1x40x256x256xf32>
  %p = forge.softmax %sc dim -1 stable : tensor<1x40x256x256xf32>
  %o = forge.matmul %p, %v2 : (tensor<1x40x256x256xf32>, tensor<1x40x256x64xf32>) -> tensor<1x40x256x64xf32>
  %o1 = forge.transpose %o dims -3, -2 : (tensor<1x40x256x64xf32>) -> tensor<1x256x40x64xf32>
  %o2 = forge.reshape %o1 shape [1, 256, 2560] : (tensor<1x256x40x64xf32>) -> tensor<1x256x2560xf32>
  %r = forge.matmul %o2, %wo : (tensor<1x256x2560xf32>, tensor<2560x2560xf32>) -> tensor<1x256x2560xf32>
  return %r : tensor<1x256x2560xf32>
}

// Not padded: exp(0) is 1, so that the padded columns would add to the scores.
// CHECK-LABEL: func.func @exponential(
// CHECK-NOT: forge.constant dense<0
func.func @exponential(%x: tensor<1x256x2560xf32>) -> tensor<1x256x2560xf32> {
  %w = forge.parameter "w_qkv" : tensor<2560x7680xf32>
  %b = forge.parameter "b_qkv" : tensor<7680xf32>
  %wo = forge.parameter "w_o" : tensor<2560x2560xf32>
  %s = forge.scalar_constant constant 0.1118 dtype f32 : tensor<1xf32>
  %m = forge.matmul %x, %w : (tensor<1x256x2560xf32>, tensor<2560x7680xf32>) -> tensor<1x256x7680xf32>
  %a = forge.add %m, %b : (tensor<1x256x7680xf32>, tensor<7680xf32>) -> tensor<1x256x7680xf32>
  %q, %k, %v = forge.split %a dim -1 sizes [2560, 2560, 2560] : (tensor<1x256x7680xf32>) -> (tensor<1x256x2560xf32>, tensor<1x256x2560xf32>, tensor<1x256x2560xf32>)
  %q1 = forge.reshape %q shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %k1 = forge.reshape %k shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %v1 = forge.reshape %v shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %q2 = forge.transpose %q1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %k2 = forge.transpose %k1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %v2 = forge.transpose %v1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %k3 = forge.transpose %k2 dims -2, -1 : (tensor<1x32x256x80xf32>) -> tensor<1x32x80x256xf32>
  %q3 = forge.exp %q2 : tensor<1x32x256x80xf32>
  %sc = forge.matmul %q3, %k3 : (tensor<1x32x256x80xf32>, tensor<1x32x80x256xf32>) -> tensor<1x32x256x256xf32>
  %p = forge.softmax %sc dim -1 stable : tensor<1x32x256x256xf32>
  %o = forge.matmul %p, %v2 : (tensor<1x32x256x256xf32>, tensor<1x32x256x80xf32>) -> tensor<1x32x256x80xf32>
  %o1 = forge.transpose %o dims -3, -2 : (tensor<1x32x256x80xf32>) -> tensor<1x256x32x80xf32>
  %o2 = forge.reshape %o1 shape [1, 256, 2560] : (tensor<1x256x32x80xf32>) -> tensor<1x256x2560xf32>
  %r = forge.matmul %o2, %wo : (tensor<1x256x2560xf32>, tensor<2560x2560xf32>) -> tensor<1x256x2560xf32>
  return %r : tensor<1x256x2560xf32>
}

// Not padded: zero times infinity is NaN.
// CHECK-LABEL: func.func @infinite(
// CHECK-NOT: forge.constant dense<0
func.func @infinite(%x: tensor<1x256x2560xf32>) -> tensor<1x256x2560xf32> {
  %w = forge.parameter "w_qkv" : tensor<2560x7680xf32>
  %b = forge.parameter "b_qkv" : tensor<7680xf32>
  %wo = forge.parameter "w_o" : tensor<2560x2560xf32>
  %s = forge.scalar_constant constant 0x7F800000 dtype f32 : tensor<1xf32>
  %m = forge.matmul %x, %w : (tensor<1x256x2560xf32>, tensor<2560x7680xf32>) -> tensor<1x256x7680xf32>
  %a = forge.add %m, %b : (tensor<1x256x7680xf32>, tensor<7680xf32>) -> tensor<1x256x7680xf32>
  %q, %k, %v = forge.split %a dim -1 sizes [2560, 2560, 2560] : (tensor<1x256x7680xf32>) -> (tensor<1x256x2560xf32>, tensor<1x256x2560xf32>, tensor<1x256x2560xf32>)
  %q1 = forge.reshape %q shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %k1 = forge.reshape %k shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %v1 = forge.reshape %v shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %q2 = forge.transpose %q1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %k2 = forge.transpose %k1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %v2 = forge.transpose %v1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %k3 = forge.transpose %k2 dims -2, -1 : (tensor<1x32x256x80xf32>) -> tensor<1x32x80x256xf32>
  %q3 = forge.multiply %q2, %s : (tensor<1x32x256x80xf32>, tensor<1xf32>) -> tensor<1x32x256x80xf32>
  %sc = forge.matmul %q3, %k3 : (tensor<1x32x256x80xf32>, tensor<1x32x80x256xf32>) -> tensor<1x32x256x256xf32>
  %p = forge.softmax %sc dim -1 stable : tensor<1x32x256x256xf32>
  %o = forge.matmul %p, %v2 : (tensor<1x32x256x256xf32>, tensor<1x32x256x80xf32>) -> tensor<1x32x256x80xf32>
  %o1 = forge.transpose %o dims -3, -2 : (tensor<1x32x256x80xf32>) -> tensor<1x256x32x80xf32>
  %o2 = forge.reshape %o1 shape [1, 256, 2560] : (tensor<1x256x32x80xf32>) -> tensor<1x256x2560xf32>
  %r = forge.matmul %o2, %wo : (tensor<1x256x2560xf32>, tensor<2560x2560xf32>) -> tensor<1x256x2560xf32>
  return %r : tensor<1x256x2560xf32>
}

// Not padded: a constant with one factor per column has no factors for the padded columns.
// CHECK-LABEL: func.func @per_column(
// CHECK-NOT: forge.constant dense<0
func.func @per_column(%x: tensor<1x256x2560xf32>) -> tensor<1x256x2560xf32> {
  %w = forge.parameter "w_qkv" : tensor<2560x7680xf32>
  %b = forge.parameter "b_qkv" : tensor<7680xf32>
  %wo = forge.parameter "w_o" : tensor<2560x2560xf32>
  %s = forge.scalar_constant constant 0.1118 dtype f32 : tensor<1xf32>
  %m = forge.matmul %x, %w : (tensor<1x256x2560xf32>, tensor<2560x7680xf32>) -> tensor<1x256x7680xf32>
  %a = forge.add %m, %b : (tensor<1x256x7680xf32>, tensor<7680xf32>) -> tensor<1x256x7680xf32>
  %q, %k, %v = forge.split %a dim -1 sizes [2560, 2560, 2560] : (tensor<1x256x7680xf32>) -> (tensor<1x256x2560xf32>, tensor<1x256x2560xf32>, tensor<1x256x2560xf32>)
  %q1 = forge.reshape %q shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %k1 = forge.reshape %k shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %v1 = forge.reshape %v shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %q2 = forge.transpose %q1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %k2 = forge.transpose %k1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %v2 = forge.transpose %v1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %k3 = forge.transpose %k2 dims -2, -1 : (tensor<1x32x256x80xf32>) -> tensor<1x32x80x256xf32>
  %c = forge.constant dense<2.0> : tensor<80xf32>
  %q3 = forge.multiply %q2, %c : (tensor<1x32x256x80xf32>, tensor<80xf32>) -> tensor<1x32x256x80xf32>
  %sc = forge.matmul %q3, %k3 : (tensor<1x32x256x80xf32>, tensor<1x32x80x256xf32>) -> tensor<1x32x256x256xf32>
  %p = forge.softmax %sc dim -1 stable : tensor<1x32x256x256xf32>
  %o = forge.matmul %p, %v2 : (tensor<1x32x256x256xf32>, tensor<1x32x256x80xf32>) -> tensor<1x32x256x80xf32>
  %o1 = forge.transpose %o dims -3, -2 : (tensor<1x32x256x80xf32>) -> tensor<1x256x32x80xf32>
  %o2 = forge.reshape %o1 shape [1, 256, 2560] : (tensor<1x256x32x80xf32>) -> tensor<1x256x2560xf32>
  %r = forge.matmul %o2, %wo : (tensor<1x256x2560xf32>, tensor<2560x2560xf32>) -> tensor<1x256x2560xf32>
  return %r : tensor<1x256x2560xf32>
}

// Not padded: 0 + 0.1 is not zero.
// CHECK-LABEL: func.func @addition(
// CHECK-NOT: forge.constant dense<0
func.func @addition(%x: tensor<1x256x2560xf32>) -> tensor<1x256x2560xf32> {
  %w = forge.parameter "w_qkv" : tensor<2560x7680xf32>
  %b = forge.parameter "b_qkv" : tensor<7680xf32>
  %wo = forge.parameter "w_o" : tensor<2560x2560xf32>
  %s = forge.scalar_constant constant 0.1118 dtype f32 : tensor<1xf32>
  %m = forge.matmul %x, %w : (tensor<1x256x2560xf32>, tensor<2560x7680xf32>) -> tensor<1x256x7680xf32>
  %a = forge.add %m, %b : (tensor<1x256x7680xf32>, tensor<7680xf32>) -> tensor<1x256x7680xf32>
  %q, %k, %v = forge.split %a dim -1 sizes [2560, 2560, 2560] : (tensor<1x256x7680xf32>) -> (tensor<1x256x2560xf32>, tensor<1x256x2560xf32>, tensor<1x256x2560xf32>)
  %q1 = forge.reshape %q shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %k1 = forge.reshape %k shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %v1 = forge.reshape %v shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %q2 = forge.transpose %q1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %k2 = forge.transpose %k1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %v2 = forge.transpose %v1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %k3 = forge.transpose %k2 dims -2, -1 : (tensor<1x32x256x80xf32>) -> tensor<1x32x80x256xf32>
  %q3 = forge.add %q2, %s : (tensor<1x32x256x80xf32>, tensor<1xf32>) -> tensor<1x32x256x80xf32>
  %sc = forge.matmul %q3, %k3 : (tensor<1x32x256x80xf32>, tensor<1x32x80x256xf32>) -> tensor<1x32x256x256xf32>
  %p = forge.softmax %sc dim -1 stable : tensor<1x32x256x256xf32>
  %o = forge.matmul %p, %v2 : (tensor<1x32x256x256xf32>, tensor<1x32x256x80xf32>) -> tensor<1x32x256x80xf32>
  %o1 = forge.transpose %o dims -3, -2 : (tensor<1x32x256x80xf32>) -> tensor<1x256x32x80xf32>
  %o2 = forge.reshape %o1 shape [1, 256, 2560] : (tensor<1x256x32x80xf32>) -> tensor<1x256x2560xf32>
  %r = forge.matmul %o2, %wo : (tensor<1x256x2560xf32>, tensor<2560x2560xf32>) -> tensor<1x256x2560xf32>
  return %r : tensor<1x256x2560xf32>
}

// Not padded: a softmax over the padded axis would include its zeros.
// CHECK-LABEL: func.func @softmax(
// CHECK-NOT: forge.constant dense<0
func.func @softmax(%x: tensor<1x256x2560xf32>) -> tensor<1x256x2560xf32> {
  %w = forge.parameter "w_qkv" : tensor<2560x7680xf32>
  %b = forge.parameter "b_qkv" : tensor<7680xf32>
  %wo = forge.parameter "w_o" : tensor<2560x2560xf32>
  %s = forge.scalar_constant constant 0.1118 dtype f32 : tensor<1xf32>
  %m = forge.matmul %x, %w : (tensor<1x256x2560xf32>, tensor<2560x7680xf32>) -> tensor<1x256x7680xf32>
  %a = forge.add %m, %b : (tensor<1x256x7680xf32>, tensor<7680xf32>) -> tensor<1x256x7680xf32>
  %q, %k, %v = forge.split %a dim -1 sizes [2560, 2560, 2560] : (tensor<1x256x7680xf32>) -> (tensor<1x256x2560xf32>, tensor<1x256x2560xf32>, tensor<1x256x2560xf32>)
  %q1 = forge.reshape %q shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %k1 = forge.reshape %k shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %v1 = forge.reshape %v shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %q2 = forge.transpose %q1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %k2 = forge.transpose %k1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %v2 = forge.transpose %v1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %k3 = forge.transpose %k2 dims -2, -1 : (tensor<1x32x256x80xf32>) -> tensor<1x32x80x256xf32>
  %q3 = forge.softmax %q2 dim -1 stable : tensor<1x32x256x80xf32>
  %sc = forge.matmul %q3, %k3 : (tensor<1x32x256x80xf32>, tensor<1x32x80x256xf32>) -> tensor<1x32x256x256xf32>
  %p = forge.softmax %sc dim -1 stable : tensor<1x32x256x256xf32>
  %o = forge.matmul %p, %v2 : (tensor<1x32x256x256xf32>, tensor<1x32x256x80xf32>) -> tensor<1x32x256x80xf32>
  %o1 = forge.transpose %o dims -3, -2 : (tensor<1x32x256x80xf32>) -> tensor<1x256x32x80xf32>
  %o2 = forge.reshape %o1 shape [1, 256, 2560] : (tensor<1x256x32x80xf32>) -> tensor<1x256x2560xf32>
  %r = forge.matmul %o2, %wo : (tensor<1x256x2560xf32>, tensor<2560x2560xf32>) -> tensor<1x256x2560xf32>
  return %r : tensor<1x256x2560xf32>
}

// Not padded: the padded value would be an output.
// CHECK-LABEL: func.func @returned(
// CHECK-NOT: forge.constant dense<0
func.func @returned(%x: tensor<1x256x2560xf32>) -> (tensor<1x256x2560xf32>, tensor<1x32x256x80xf32>) {
  %w = forge.parameter "w_qkv" : tensor<2560x7680xf32>
  %b = forge.parameter "b_qkv" : tensor<7680xf32>
  %wo = forge.parameter "w_o" : tensor<2560x2560xf32>
  %s = forge.scalar_constant constant 0.1118 dtype f32 : tensor<1xf32>
  %m = forge.matmul %x, %w : (tensor<1x256x2560xf32>, tensor<2560x7680xf32>) -> tensor<1x256x7680xf32>
  %a = forge.add %m, %b : (tensor<1x256x7680xf32>, tensor<7680xf32>) -> tensor<1x256x7680xf32>
  %q, %k, %v = forge.split %a dim -1 sizes [2560, 2560, 2560] : (tensor<1x256x7680xf32>) -> (tensor<1x256x2560xf32>, tensor<1x256x2560xf32>, tensor<1x256x2560xf32>)
  %q1 = forge.reshape %q shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %k1 = forge.reshape %k shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %v1 = forge.reshape %v shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %q2 = forge.transpose %q1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %k2 = forge.transpose %k1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %v2 = forge.transpose %v1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %k3 = forge.transpose %k2 dims -2, -1 : (tensor<1x32x256x80xf32>) -> tensor<1x32x80x256xf32>
  %q3 = forge.multiply %q2, %s : (tensor<1x32x256x80xf32>, tensor<1xf32>) -> tensor<1x32x256x80xf32>
  %sc = forge.matmul %q3, %k3 : (tensor<1x32x256x80xf32>, tensor<1x32x80x256xf32>) -> tensor<1x32x256x256xf32>
  %p = forge.softmax %sc dim -1 stable : tensor<1x32x256x256xf32>
  %o = forge.matmul %p, %v2 : (tensor<1x32x256x256xf32>, tensor<1x32x256x80xf32>) -> tensor<1x32x256x80xf32>
  %o1 = forge.transpose %o dims -3, -2 : (tensor<1x32x256x80xf32>) -> tensor<1x256x32x80xf32>
  %o2 = forge.reshape %o1 shape [1, 256, 2560] : (tensor<1x256x32x80xf32>) -> tensor<1x256x2560xf32>
  %r = forge.matmul %o2, %wo : (tensor<1x256x2560xf32>, tensor<2560x2560xf32>) -> tensor<1x256x2560xf32>
  return %r, %q3 : tensor<1x256x2560xf32>, tensor<1x32x256x80xf32>
}

// Not padded: a rotary embedding slices heads into halves.
// CHECK-LABEL: func.func @halves_of_heads(
// CHECK-NOT: forge.constant dense<0
func.func @halves_of_heads(%x: tensor<1x256x2560xf32>) -> tensor<1x256x2560xf32> {
  %w = forge.parameter "w_qkv" : tensor<2560x7680xf32>
  %b = forge.parameter "b_qkv" : tensor<7680xf32>
  %wo = forge.parameter "w_o" : tensor<2560x2560xf32>
  %s = forge.scalar_constant constant 0.1118 dtype f32 : tensor<1xf32>
  %m = forge.matmul %x, %w : (tensor<1x256x2560xf32>, tensor<2560x7680xf32>) -> tensor<1x256x7680xf32>
  %a = forge.add %m, %b : (tensor<1x256x7680xf32>, tensor<7680xf32>) -> tensor<1x256x7680xf32>
  %q, %k, %v = forge.split %a dim -1 sizes [2560, 2560, 2560] : (tensor<1x256x7680xf32>) -> (tensor<1x256x2560xf32>, tensor<1x256x2560xf32>, tensor<1x256x2560xf32>)
  %q1 = forge.reshape %q shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %k1 = forge.reshape %k shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %v1 = forge.reshape %v shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %q2 = forge.transpose %q1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %k2 = forge.transpose %k1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %v2 = forge.transpose %v1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %k3 = forge.transpose %k2 dims -2, -1 : (tensor<1x32x256x80xf32>) -> tensor<1x32x80x256xf32>
  %h0 = forge.strided_slice %q2 dim 3 [0:40] : (tensor<1x32x256x80xf32>) -> tensor<1x32x256x40xf32>
  %h1 = forge.strided_slice %q2 dim 3 [40:80] : (tensor<1x32x256x80xf32>) -> tensor<1x32x256x40xf32>
  %q4 = forge.concatenate %h1, %h0 axis -1 : (tensor<1x32x256x40xf32>, tensor<1x32x256x40xf32>) -> tensor<1x32x256x80xf32>
  %q3 = forge.multiply %q4, %s : (tensor<1x32x256x80xf32>, tensor<1xf32>) -> tensor<1x32x256x80xf32>
  %sc = forge.matmul %q3, %k3 : (tensor<1x32x256x80xf32>, tensor<1x32x80x256xf32>) -> tensor<1x32x256x256xf32>
  %p = forge.softmax %sc dim -1 stable : tensor<1x32x256x256xf32>
  %o = forge.matmul %p, %v2 : (tensor<1x32x256x256xf32>, tensor<1x32x256x80xf32>) -> tensor<1x32x256x80xf32>
  %o1 = forge.transpose %o dims -3, -2 : (tensor<1x32x256x80xf32>) -> tensor<1x256x32x80xf32>
  %o2 = forge.reshape %o1 shape [1, 256, 2560] : (tensor<1x256x32x80xf32>) -> tensor<1x256x2560xf32>
  %r = forge.matmul %o2, %wo : (tensor<1x256x2560xf32>, tensor<2560x2560xf32>) -> tensor<1x256x2560xf32>
  return %r : tensor<1x256x2560xf32>
}

// Not padded: the output weight is an input, to which no rows can be added.
// CHECK-LABEL: func.func @argument(
// CHECK-NOT: forge.constant dense<0
func.func @argument(%x: tensor<1x256x2560xf32>, %wo: tensor<2560x2560xf32>) -> tensor<1x256x2560xf32> {
  %w = forge.parameter "w_qkv" : tensor<2560x7680xf32>
  %b = forge.parameter "b_qkv" : tensor<7680xf32>
  %s = forge.scalar_constant constant 0.1118 dtype f32 : tensor<1xf32>
  %m = forge.matmul %x, %w : (tensor<1x256x2560xf32>, tensor<2560x7680xf32>) -> tensor<1x256x7680xf32>
  %a = forge.add %m, %b : (tensor<1x256x7680xf32>, tensor<7680xf32>) -> tensor<1x256x7680xf32>
  %q, %k, %v = forge.split %a dim -1 sizes [2560, 2560, 2560] : (tensor<1x256x7680xf32>) -> (tensor<1x256x2560xf32>, tensor<1x256x2560xf32>, tensor<1x256x2560xf32>)
  %q1 = forge.reshape %q shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %k1 = forge.reshape %k shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %v1 = forge.reshape %v shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %q2 = forge.transpose %q1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %k2 = forge.transpose %k1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %v2 = forge.transpose %v1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %k3 = forge.transpose %k2 dims -2, -1 : (tensor<1x32x256x80xf32>) -> tensor<1x32x80x256xf32>
  %q3 = forge.multiply %q2, %s : (tensor<1x32x256x80xf32>, tensor<1xf32>) -> tensor<1x32x256x80xf32>
  %sc = forge.matmul %q3, %k3 : (tensor<1x32x256x80xf32>, tensor<1x32x80x256xf32>) -> tensor<1x32x256x256xf32>
  %p = forge.softmax %sc dim -1 stable : tensor<1x32x256x256xf32>
  %o = forge.matmul %p, %v2 : (tensor<1x32x256x256xf32>, tensor<1x32x256x80xf32>) -> tensor<1x32x256x80xf32>
  %o1 = forge.transpose %o dims -3, -2 : (tensor<1x32x256x80xf32>) -> tensor<1x256x32x80xf32>
  %o2 = forge.reshape %o1 shape [1, 256, 2560] : (tensor<1x256x32x80xf32>) -> tensor<1x256x2560xf32>
  %r = forge.matmul %o2, %wo : (tensor<1x256x2560xf32>, tensor<2560x2560xf32>) -> tensor<1x256x2560xf32>
  return %r : tensor<1x256x2560xf32>
}

// Not padded: a reshape of the result splits the heads.
// CHECK-LABEL: func.func @split_heads(
// CHECK-NOT: forge.constant dense<0
func.func @split_heads(%x: tensor<1x256x2560xf32>) -> tensor<1x256x2560xf32> {
  %w = forge.parameter "w_qkv" : tensor<2560x7680xf32>
  %b = forge.parameter "b_qkv" : tensor<7680xf32>
  %wo = forge.parameter "w_o" : tensor<2560x2560xf32>
  %s = forge.scalar_constant constant 0.1118 dtype f32 : tensor<1xf32>
  %m = forge.matmul %x, %w : (tensor<1x256x2560xf32>, tensor<2560x7680xf32>) -> tensor<1x256x7680xf32>
  %a = forge.add %m, %b : (tensor<1x256x7680xf32>, tensor<7680xf32>) -> tensor<1x256x7680xf32>
  %q, %k, %v = forge.split %a dim -1 sizes [2560, 2560, 2560] : (tensor<1x256x7680xf32>) -> (tensor<1x256x2560xf32>, tensor<1x256x2560xf32>, tensor<1x256x2560xf32>)
  %q1 = forge.reshape %q shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %k1 = forge.reshape %k shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %v1 = forge.reshape %v shape [1, 256, 32, 80] : (tensor<1x256x2560xf32>) -> tensor<1x256x32x80xf32>
  %q2 = forge.transpose %q1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %k2 = forge.transpose %k1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %v2 = forge.transpose %v1 dims -3, -2 : (tensor<1x256x32x80xf32>) -> tensor<1x32x256x80xf32>
  %k3 = forge.transpose %k2 dims -2, -1 : (tensor<1x32x256x80xf32>) -> tensor<1x32x80x256xf32>
  %q3 = forge.multiply %q2, %s : (tensor<1x32x256x80xf32>, tensor<1xf32>) -> tensor<1x32x256x80xf32>
  %sc = forge.matmul %q3, %k3 : (tensor<1x32x256x80xf32>, tensor<1x32x80x256xf32>) -> tensor<1x32x256x256xf32>
  %p = forge.softmax %sc dim -1 stable : tensor<1x32x256x256xf32>
  %o = forge.matmul %p, %v2 : (tensor<1x32x256x256xf32>, tensor<1x32x256x80xf32>) -> tensor<1x32x256x80xf32>
  %o1 = forge.transpose %o dims -3, -2 : (tensor<1x32x256x80xf32>) -> tensor<1x256x32x80xf32>
  %o9 = forge.reshape %o1 shape [1, 256, 64, 40] : (tensor<1x256x32x80xf32>) -> tensor<1x256x64x40xf32>
  %o2 = forge.reshape %o9 shape [1, 256, 2560] : (tensor<1x256x64x40xf32>) -> tensor<1x256x2560xf32>
  %r = forge.matmul %o2, %wo : (tensor<1x256x2560xf32>, tensor<2560x2560xf32>) -> tensor<1x256x2560xf32>
  return %r : tensor<1x256x2560xf32>
}

// Not padded: with few rows, the weights would gain more tiles than the heads save.
// CHECK-LABEL: func.func @few_rows(
// CHECK-NOT: forge.constant dense<0
func.func @few_rows(%x: tensor<1x32x2560xf32>) -> tensor<1x32x2560xf32> {
  %w = forge.parameter "w_qkv" : tensor<2560x7680xf32>
  %b = forge.parameter "b_qkv" : tensor<7680xf32>
  %wo = forge.parameter "w_o" : tensor<2560x2560xf32>
  %s = forge.scalar_constant constant 0.1118 dtype f32 : tensor<1xf32>
  %m = forge.matmul %x, %w : (tensor<1x32x2560xf32>, tensor<2560x7680xf32>) -> tensor<1x32x7680xf32>
  %a = forge.add %m, %b : (tensor<1x32x7680xf32>, tensor<7680xf32>) -> tensor<1x32x7680xf32>
  %q, %k, %v = forge.split %a dim -1 sizes [2560, 2560, 2560] : (tensor<1x32x7680xf32>) -> (tensor<1x32x2560xf32>, tensor<1x32x2560xf32>, tensor<1x32x2560xf32>)
  %q1 = forge.reshape %q shape [1, 32, 32, 80] : (tensor<1x32x2560xf32>) -> tensor<1x32x32x80xf32>
  %k1 = forge.reshape %k shape [1, 32, 32, 80] : (tensor<1x32x2560xf32>) -> tensor<1x32x32x80xf32>
  %v1 = forge.reshape %v shape [1, 32, 32, 80] : (tensor<1x32x2560xf32>) -> tensor<1x32x32x80xf32>
  %q2 = forge.transpose %q1 dims -3, -2 : tensor<1x32x32x80xf32>
  %k2 = forge.transpose %k1 dims -3, -2 : tensor<1x32x32x80xf32>
  %v2 = forge.transpose %v1 dims -3, -2 : tensor<1x32x32x80xf32>
  %k3 = forge.transpose %k2 dims -2, -1 : (tensor<1x32x32x80xf32>) -> tensor<1x32x80x32xf32>
  %q3 = forge.multiply %q2, %s : (tensor<1x32x32x80xf32>, tensor<1xf32>) -> tensor<1x32x32x80xf32>
  %sc = forge.matmul %q3, %k3 : (tensor<1x32x32x80xf32>, tensor<1x32x80x32xf32>) -> tensor<1x32x32x32xf32>
  %p = forge.softmax %sc dim -1 stable : tensor<1x32x32x32xf32>
  %o = forge.matmul %p, %v2 : (tensor<1x32x32x32xf32>, tensor<1x32x32x80xf32>) -> tensor<1x32x32x80xf32>
  %o1 = forge.transpose %o dims -3, -2 : tensor<1x32x32x80xf32>
  %o2 = forge.reshape %o1 shape [1, 32, 2560] : (tensor<1x32x32x80xf32>) -> tensor<1x32x2560xf32>
  %r = forge.matmul %o2, %wo : (tensor<1x32x2560xf32>, tensor<2560x2560xf32>) -> tensor<1x32x2560xf32>
  return %r : tensor<1x32x2560xf32>
}
