// A batch norm of the result of a convolution is folded into the weights of the convolution.
// RUN: forge-opt %s --forge-device-forms --forge-fold-weights | FileCheck %s

// CHECK-LABEL: func.func @conv_norm(
//      CHECK: %[[F:.+]] = forge.divide %{{.+}}, %{{.+}} : tensor<4xf32>
//      CHECK: %[[W:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<4x3x3x3xf32>, tensor<4x1x1x1xf32>) -> tensor<4x3x3x3xf32>
//      CHECK: %[[C:.+]] = forge.multiply %{{.+}}, %{{.+}} : tensor<4xf32>
//      CHECK: %[[T:.+]] = forge.multiply %{{.+}}, %[[F]] : tensor<4xf32>
//      CHECK: %[[O:.+]] = forge.subtract %{{.+}}, %[[T]] : tensor<4xf32>
//      CHECK: %[[B:.+]] = forge.add %[[C]], %{{.+}} : tensor<4xf32>
//      CHECK: %[[Y:.+]] = forge.conv2d %arg0, %[[W]], %[[B]]
// CHECK-NEXT: return %[[Y]]
func.func @conv_norm(%x: tensor<1x3x8x8xf32>) -> tensor<1x4x6x6xf32> {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %c = forge.parameter "c" : tensor<4xf32>
  %s = forge.parameter "s" : tensor<4xf32>
  %m = forge.parameter "m" : tensor<4xf32>
  %0 = forge.conv2d %x, %w, %c stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<1x4x6x6xf32>
  %1 = forge.batchnorm %0, %s, %s, %m, %m epsilon 1.0e-5 : (tensor<1x4x6x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x6x6xf32>
  return %1 : tensor<1x4x6x6xf32>
}

// The weights of a transposed convolution have the output channels in axis 1.
// CHECK-LABEL: func.func @conv_transpose_norm(
//      CHECK: %[[W:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<3x4x3x3xf32>, tensor<4x1x1xf32>) -> tensor<3x4x3x3xf32>
//      CHECK: %[[Y:.+]] = forge.conv2d_transpose %arg0, %[[W]], %{{.+}}
// CHECK-NEXT: return %[[Y]]
func.func @conv_transpose_norm(%x: tensor<1x3x8x8xf32>) -> tensor<1x4x10x10xf32> {
  %w = forge.parameter "w" : tensor<3x4x3x3xf32>
  %s = forge.parameter "s" : tensor<4xf32>
  %0 = forge.conv2d_transpose %x, %w stride [1, 1] padding [0, 0] : (tensor<1x3x8x8xf32>, tensor<3x4x3x3xf32>) -> tensor<1x4x10x10xf32>
  %1 = forge.batchnorm %0, %s, %s, %s, %s epsilon 1.0e-5 : (tensor<1x4x10x10xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x10x10xf32>
  return %1 : tensor<1x4x10x10xf32>
}

// The convolution has a second user: the batch norm becomes a multiplication and an addition.
// CHECK-LABEL: func.func @conv_with_two_users(
//      CHECK: %[[X:.+]] = forge.conv2d %arg0
//      CHECK: %[[P:.+]] = forge.multiply %[[X]], %{{.+}} : (tensor<1x4x6x6xf32>
//      CHECK: %[[Y:.+]] = forge.add %[[P]], %{{.+}} : (tensor<1x4x6x6xf32>
// CHECK-NEXT: return %[[X]], %[[Y]]
func.func @conv_with_two_users(%x: tensor<1x3x8x8xf32>) -> (tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>) {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %s = forge.parameter "s" : tensor<4xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  %1 = forge.batchnorm %0, %s, %s, %s, %s epsilon 1.0e-5 : (tensor<1x4x6x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x6x6xf32>
  return %0, %1 : tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>
}

// The weights are an input: the batch norm becomes a multiplication and an addition.
// CHECK-LABEL: func.func @conv_with_input_weights(
//      CHECK: %[[X:.+]] = forge.conv2d %arg0, %arg1
//      CHECK: %[[P:.+]] = forge.multiply %[[X]], %{{.+}} : (tensor<1x4x6x6xf32>
//      CHECK: %[[Y:.+]] = forge.add %[[P]], %{{.+}} : (tensor<1x4x6x6xf32>
// CHECK-NEXT: return %[[Y]]
func.func @conv_with_input_weights(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32> {
  %s = forge.parameter "s" : tensor<4xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  %1 = forge.batchnorm %0, %s, %s, %s, %s epsilon 1.0e-5 : (tensor<1x4x6x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x6x6xf32>
  return %1 : tensor<1x4x6x6xf32>
}

// With groups, axis 1 has the output channels of one group only.
// CHECK-LABEL: func.func @grouped_conv_transpose_norm(
//      CHECK: %[[F:.+]] = forge.reshape %{{.+}} shape [2, 1, 3, 1, 1]
//      CHECK: %[[P:.+]] = forge.multiply %{{.+}}, %[[F]] : (tensor<2x2x3x3x3xf32>, tensor<2x1x3x1x1xf32>)
//      CHECK: %[[W:.+]] = forge.reshape %[[P]] shape [4, 3, 3, 3]
//      CHECK: %[[B:.+]] = forge.add
//      CHECK: %[[Y:.+]] = forge.conv2d_transpose %arg0, %[[W]], %[[B]]
// CHECK-NEXT: return %[[Y]]
func.func @grouped_conv_transpose_norm(%x: tensor<1x4x8x8xf32>) -> tensor<1x6x10x10xf32> {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %c = forge.parameter "c" : tensor<6xf32>
  %s = forge.parameter "s" : tensor<6xf32>
  %m = forge.parameter "m" : tensor<6xf32>
  %0 = forge.conv2d_transpose %x, %w, %c stride [1, 1] padding [0, 0] groups 2 : (tensor<1x4x8x8xf32>, tensor<4x3x3x3xf32>, tensor<6xf32>) -> tensor<1x6x10x10xf32>
  %1 = forge.batchnorm %0, %s, %s, %m, %m epsilon 1.0e-5 : (tensor<1x6x10x10xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<1x6x10x10xf32>
  return %1 : tensor<1x6x10x10xf32>
}

// The second user, here a result of the function, needs the convolution without the norm.
// CHECK-LABEL: func.func @grouped_with_two_users(
//      CHECK: %[[Y:.+]] = forge.conv2d_transpose
//      CHECK: %[[P:.+]] = forge.multiply %[[Y]],
//      CHECK: %[[S:.+]] = forge.add %[[P]],
//      CHECK: return %[[Y]], %[[S]]
func.func @grouped_with_two_users(%x: tensor<1x4x8x8xf32>) -> (tensor<1x6x10x10xf32>, tensor<1x6x10x10xf32>) {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %s = forge.parameter "s" : tensor<6xf32>
  %m = forge.parameter "m" : tensor<6xf32>
  %0 = forge.conv2d_transpose %x, %w stride [1, 1] padding [0, 0] groups 2 : (tensor<1x4x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x6x10x10xf32>
  %1 = forge.batchnorm %0, %s, %s, %m, %m epsilon 1.0e-5 : (tensor<1x6x10x10xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<1x6x10x10xf32>
  return %0, %1 : tensor<1x6x10x10xf32>, tensor<1x6x10x10xf32>
}

// Without an epsilon, a variance of 0 would make the scale infinite: x is divided by the deviation, as in ONNX.
// CHECK-LABEL: func.func @no_epsilon(
//      CHECK: %[[D:.+]] = forge.sqrt
//      CHECK: %[[Z:.+]] = forge.reshape %[[D]] shape [1, 4, 1, 1]
//      CHECK: %[[Q:.+]] = forge.divide %{{.+}}, %[[Z]] : (tensor<1x4x6x6xf32>, tensor<1x4x1x1xf32>)
//      CHECK: %[[Y:.+]] = forge.add %[[Q]],
// CHECK-NEXT: return %[[Y]]
func.func @no_epsilon(%x: tensor<1x3x8x8xf32>) -> tensor<1x4x6x6xf32> {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %s = forge.parameter "s" : tensor<4xf32>
  %v = forge.parameter "v" : tensor<4xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  %1 = forge.batchnorm %0, %s, %s, %s, %v epsilon 0.0 : (tensor<1x4x6x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x6x6xf32>
  return %1 : tensor<1x4x6x6xf32>
}

// A shift of bias - mean * scale would be NaN for an infinite scale.
// CHECK-LABEL: func.func @infinite_scale(
//       CHECK: %[[X:.+]] = forge.subtract %arg0,
//       CHECK: forge.multiply %[[X]],
func.func @infinite_scale(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %s = forge.constant dense<[0x7F800000, 1.0]> : tensor<2xf32>
  %z = forge.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = forge.batchnorm %x, %s, %z, %z, %z epsilon 1.0e-5 : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// A mean may be small, because its product with the scale is an addend.
// CHECK-LABEL: func.func @small_mean(
//       CHECK: %[[X:.+]] = forge.multiply %arg0,
//       CHECK: %[[Y:.+]] = forge.add %[[X]],
//  CHECK-NEXT: return %[[Y]]
func.func @small_mean(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %s = forge.parameter "s" : tensor<2xf32>
  %m = forge.constant dense<[1.0e-9, 2.0]> : tensor<2xf32>
  %0 = forge.batchnorm %x, %s, %s, %m, %s epsilon 1.0e-5 : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}
