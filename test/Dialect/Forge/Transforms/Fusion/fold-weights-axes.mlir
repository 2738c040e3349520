// Axes of size 1 that are added or removed by squeezes and unsqueezes, which the converters do not create.
// RUN: forge-opt %s --forge-fold-weights | FileCheck %s

// A factor of one axis must not add an axis to a bias without axes.
// CHECK-LABEL: func.func @bias_without_axes(
//       CHECK: %[[F:.+]] = forge.reshape %{{.+}} shape [] : (tensor<1xf32>) -> tensor<f32>
//       CHECK: %[[B:.+]] = forge.multiply %{{.+}}, %[[F]] : tensor<f32>
//       CHECK: %[[S:.+]] = forge.add %{{.+}}, %[[B]] : tensor<f32>
//       CHECK: %[[Y:.+]] = forge.unsqueeze %[[S]]
//       CHECK: return %[[Y]]
func.func @bias_without_axes(%x: tensor<4xf32>) -> tensor<1xf32> {
  %w = forge.parameter "w" : tensor<4x1xf32>
  %b = forge.parameter "b" : tensor<f32>
  %s = forge.scalar_constant constant 3.0 dtype f32 : () -> tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<4xf32>, tensor<4x1xf32>) -> tensor<1xf32>
  %1 = forge.squeeze %0 dim 0 : (tensor<1xf32>) -> tensor<f32>
  %2 = forge.add %1, %b : tensor<f32>
  %3 = forge.unsqueeze %2 dim 0 : (tensor<f32>) -> tensor<1xf32>
  %4 = forge.multiply %3, %s : tensor<1xf32>
  return %4 : tensor<1xf32>
}

// A factor that may make weights infinite is not folded, and is known behind an unsqueeze too.
// CHECK-LABEL: func.func @large_factor(
//       CHECK: %[[X:.+]] = forge.multiply %arg0, %{{.+}} : (tensor<2x4xf32>, tensor<1x4xf32>)
//       CHECK: forge.matmul %[[X]], %{{.+}}
func.func @large_factor(%x: tensor<2x4xf32>) -> tensor<2x3xf32> {
  %w = forge.parameter "w" : tensor<4x3xf32>
  %c = forge.constant dense<[1.0e30, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %s = forge.unsqueeze %c dim 0 : (tensor<4xf32>) -> tensor<1x4xf32>
  %0 = forge.multiply %x, %s : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  %1 = forge.matmul %0, %w : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
