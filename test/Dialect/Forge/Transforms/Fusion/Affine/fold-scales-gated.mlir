// RUN: forge-opt %s --forge-fold-weights | FileCheck %s

// QuickGELU between two projections: the scale is folded into the first projection and its bias, the inverse into the
// second.
// CHECK-LABEL: func.func @quick_gelu(
//       CHECK: %[[C:.+]] = forge.scalar_constant constant 1.702000e+00
//       CHECK: %[[W:.+]] = forge.multiply %{{.+}}, %[[C]] : (tensor<8x16xf32>, tensor<1xf32>)
//       CHECK: %[[D:.+]] = forge.scalar_constant constant 1.702000e+00
//       CHECK: %[[B:.+]] = forge.multiply %{{.+}}, %[[D]] : (tensor<16xf32>, tensor<1xf32>)
//       CHECK: %[[Y:.+]] = forge.matmul %arg0, %[[W]], %[[B]]
//       CHECK: %[[S:.+]] = forge.sigmoid %[[Y]]
//       CHECK: %[[G:.+]] = forge.multiply %[[Y]], %[[S]]
//       CHECK: %[[I:.+]] = forge.scalar_constant constant 0.587544
//       CHECK: %[[V:.+]] = forge.multiply %{{.+}}, %[[I]] : (tensor<16x8xf32>, tensor<1xf32>)
//       CHECK: forge.matmul %[[G]], %[[V]]
func.func @quick_gelu(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w = forge.parameter "w" : tensor<8x16xf32>
  %b = forge.parameter "b" : tensor<16xf32>
  %v = forge.parameter "v" : tensor<16x8xf32>
  %c = forge.scalar_constant constant 1.702000e+00 dtype f32 : () -> tensor<1xf32>
  %0 = forge.matmul %x, %w, %b : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<16xf32>) -> tensor<4x16xf32>
  %1 = forge.multiply %0, %c : (tensor<4x16xf32>, tensor<1xf32>) -> tensor<4x16xf32>
  %2 = forge.sigmoid %1 : tensor<4x16xf32>
  %3 = forge.multiply %0, %2 : tensor<4x16xf32>
  %4 = forge.matmul %3, %v : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// Hard swish used by a squeeze-and-excite block: its factor is moved through the pool and through the product with the
// gate, once each.
// CHECK-LABEL: func.func @hard_swish(
//       CHECK: %[[Y:.+]] = forge.conv2d %arg0
//   CHECK-NOT: forge.divide %[[Y]]
//       CHECK: %[[A:.+]] = forge.add %[[Y]]
//       CHECK: %[[K:.+]] = forge.clip %[[A]]
//       CHECK: %[[H:.+]] = forge.multiply %[[Y]], %[[K]]
//       CHECK: %[[P:.+]] = forge.avg_pool2d %[[H]]
//       CHECK: %[[U:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<4x4x1x1xf32>, tensor<1xf32>)
//       CHECK: %[[Q:.+]] = forge.conv2d %[[P]], %[[U]]
//       CHECK: %[[G:.+]] = forge.sigmoid %[[Q]]
//       CHECK: %[[E:.+]] = forge.multiply %[[H]], %[[G]]
//       CHECK: %[[V:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<2x4x1x1xf32>, tensor<1xf32>)
//       CHECK: forge.conv2d %[[E]], %[[V]]
func.func @hard_swish(%x: tensor<1x3x8x8xf32>) -> tensor<1x2x8x8xf32> {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %u = forge.parameter "u" : tensor<4x4x1x1xf32>
  %v = forge.parameter "v" : tensor<2x4x1x1xf32>
  %six = forge.scalar_constant constant 6.000000e+00 dtype f32 : () -> tensor<1xf32>
  %half = forge.scalar_constant constant 5.000000e-01 dtype f32 : () -> tensor<1xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  %1 = forge.divide %0, %six : (tensor<1x4x8x8xf32>, tensor<1xf32>) -> tensor<1x4x8x8xf32>
  %2 = forge.add %1, %half : (tensor<1x4x8x8xf32>, tensor<1xf32>) -> tensor<1x4x8x8xf32>
  %3 = forge.clip %2 min 0.000000e+00 max 1.000000e+00 : tensor<1x4x8x8xf32>
  %4 = forge.multiply %0, %3 : tensor<1x4x8x8xf32>
  %5 = forge.avg_pool2d %4 kernel_size [8, 8] stride [8, 8] padding [0, 0, 0, 0] : (tensor<1x4x8x8xf32>) -> tensor<1x4x1x1xf32>
  %6 = forge.conv2d %5, %u stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x4x1x1xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x1x1xf32>
  %7 = forge.sigmoid %6 : tensor<1x4x1x1xf32>
  %8 = forge.multiply %4, %7 : (tensor<1x4x8x8xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  %9 = forge.conv2d %8, %v stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x4x8x8xf32>, tensor<2x4x1x1xf32>) -> tensor<1x2x8x8xf32>
  return %9 : tensor<1x2x8x8xf32>
}

// Unchanged: a square of the gated value would have the factor twice, and a residual addition or a result of the
// function needs the value without it.
// CHECK-LABEL: func.func @squared(
//       CHECK: forge.multiply %{{.+}}, %{{.+}} : (tensor<4x8xf32>, tensor<1xf32>)
func.func @squared(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %v = forge.parameter "v" : tensor<8x8xf32>
  %c = forge.scalar_constant constant 1.702000e+00 dtype f32 : () -> tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = forge.multiply %0, %c : (tensor<4x8xf32>, tensor<1xf32>) -> tensor<4x8xf32>
  %2 = forge.sigmoid %1 : tensor<4x8xf32>
  %3 = forge.multiply %0, %2 : tensor<4x8xf32>
  %4 = forge.multiply %3, %3 : tensor<4x8xf32>
  %5 = forge.matmul %4, %v : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %5 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @residual(
//       CHECK: %[[X:.+]] = forge.matmul %arg0
//       CHECK: forge.multiply %[[X]], %{{.+}} : (tensor<4x8xf32>, tensor<1xf32>)
func.func @residual(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %c = forge.scalar_constant constant 1.702000e+00 dtype f32 : () -> tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = forge.multiply %0, %c : (tensor<4x8xf32>, tensor<1xf32>) -> tensor<4x8xf32>
  %2 = forge.sigmoid %1 : tensor<4x8xf32>
  %3 = forge.multiply %0, %2 : tensor<4x8xf32>
  %4 = forge.add %3, %x : tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// The value before the scale has another user.
// CHECK-LABEL: func.func @other_user(
//       CHECK: %[[X:.+]] = forge.matmul %arg0
//       CHECK: forge.multiply %[[X]], %{{.+}} : (tensor<4x8xf32>, tensor<1xf32>)
func.func @other_user(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %v = forge.parameter "v" : tensor<8x8xf32>
  %c = forge.scalar_constant constant 1.702000e+00 dtype f32 : () -> tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = forge.multiply %0, %c : (tensor<4x8xf32>, tensor<1xf32>) -> tensor<4x8xf32>
  %2 = forge.sigmoid %1 : tensor<4x8xf32>
  %3 = forge.multiply %0, %2 : tensor<4x8xf32>
  %4 = forge.matmul %3, %v : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %4, %0 : tensor<4x8xf32>, tensor<4x8xf32>
}
