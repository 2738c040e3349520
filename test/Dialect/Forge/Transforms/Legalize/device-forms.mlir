// RUN: forge-opt %s --mlir-print-debuginfo=false --forge-device-forms | FileCheck %s

// A batch norm becomes a scale and a shift per channel, computed from weights.
// CHECK-LABEL: func.func @batchnorm(
// CHECK-DAG: %[[S:.+]] = forge.parameter "s"
// CHECK-DAG: %[[B:.+]] = forge.parameter "b"
// CHECK-DAG: %[[M:.+]] = forge.parameter "m"
// CHECK-DAG: %[[V:.+]] = forge.parameter "v"
// CHECK-DAG: %[[EPSILON:.+]] = forge.constant dense<9.99999974E-6> : tensor<f32>
// CHECK-DAG: %[[V1:.+]] = forge.add %[[V]], %[[EPSILON]] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
// CHECK-DAG: %[[V2:.+]] = forge.sqrt %[[V1]] : tensor<3xf32>
// CHECK-DAG: %[[V3:.+]] = forge.divide %[[S]], %[[V2]] : tensor<3xf32>
// CHECK-DAG: %[[V4:.+]] = forge.multiply %[[M]], %[[V3]] : tensor<3xf32>
// CHECK-DAG: %[[V5:.+]] = forge.subtract %[[B]], %[[V4]] : tensor<3xf32>
// CHECK-DAG: %[[V6:.+]] = forge.reshape %[[V3]] shape [1, 3, 1, 1] : (tensor<3xf32>) -> tensor<1x3x1x1xf32>
// CHECK-DAG: %[[V7:.+]] = forge.multiply %arg0, %[[V6]] : (tensor<2x3x4x5xf32>, tensor<1x3x1x1xf32>) -> tensor<2x3x4x5xf32>
// CHECK-DAG: %[[V8:.+]] = forge.reshape %[[V5]] shape [1, 3, 1, 1] : (tensor<3xf32>) -> tensor<1x3x1x1xf32>
// CHECK-DAG: %[[V9:.+]] = forge.add %[[V7]], %[[V8]] : (tensor<2x3x4x5xf32>, tensor<1x3x1x1xf32>) -> tensor<2x3x4x5xf32>
// CHECK: return %[[V9]] : tensor<2x3x4x5xf32>
func.func @batchnorm(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %s = forge.parameter "s" : tensor<3xf32>
  %b = forge.parameter "b" : tensor<3xf32>
  %m = forge.parameter "m" : tensor<3xf32>
  %v = forge.parameter "v" : tensor<3xf32>
  %0 = forge.batchnorm %x, %s, %b, %m, %v epsilon 1.0e-5 : (tensor<2x3x4x5xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}

// Inputs may be infinite. bias - mean * scale could then be NaN where the result is infinite, so that the mean is
// subtracted from x.
// CHECK-LABEL: func.func @batchnorm_of_inputs(
// CHECK-DAG: %[[EPSILON:.+]] = forge.constant dense<9.99999974E-6> : tensor<f32>
// CHECK-DAG: %[[V1:.+]] = forge.add %arg4, %[[EPSILON]] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
// CHECK-DAG: %[[V2:.+]] = forge.sqrt %[[V1]] : tensor<3xf32>
// CHECK-DAG: %[[V3:.+]] = forge.divide %arg1, %[[V2]] : tensor<3xf32>
// CHECK-DAG: %[[V4:.+]] = forge.reshape %arg3 shape [1, 3, 1, 1]
// CHECK-DAG: %[[V5:.+]] = forge.subtract %arg0, %[[V4]] : (tensor<2x3x4x5xf32>, tensor<1x3x1x1xf32>) -> tensor<2x3x4x5xf32>
// CHECK-DAG: %[[V6:.+]] = forge.reshape %[[V3]] shape [1, 3, 1, 1]
// CHECK-DAG: %[[V7:.+]] = forge.multiply %[[V5]], %[[V6]] : (tensor<2x3x4x5xf32>, tensor<1x3x1x1xf32>) -> tensor<2x3x4x5xf32>
// CHECK-DAG: %[[V8:.+]] = forge.reshape %arg2 shape [1, 3, 1, 1]
// CHECK-DAG: %[[V9:.+]] = forge.add %[[V7]], %[[V8]] : (tensor<2x3x4x5xf32>, tensor<1x3x1x1xf32>) -> tensor<2x3x4x5xf32>
// CHECK: return %[[V9]] : tensor<2x3x4x5xf32>
func.func @batchnorm_of_inputs(%x: tensor<2x3x4x5xf32>, %s: tensor<3xf32>, %b: tensor<3xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>) -> tensor<2x3x4x5xf32> {
  %0 = forge.batchnorm %x, %s, %b, %m, %v epsilon 1.0e-5 : (tensor<2x3x4x5xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}

// In 16-bit types, the scale and the shift are computed in f32.
// CHECK-LABEL: func.func @batchnorm_half(
// CHECK-DAG: %[[S:.+]] = forge.parameter "s"
// CHECK-DAG: %[[M:.+]] = forge.parameter "m"
// CHECK-DAG: %[[EPSILON:.+]] = forge.constant dense<9.99999974E-6> : tensor<f32>
// CHECK-DAG: forge.cast %[[M]] dtype f32 : (tensor<3xf16>) -> tensor<3xf32>
// CHECK-DAG: forge.add %{{.+}}, %[[EPSILON]] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
// CHECK-DAG: forge.cast %[[S]] dtype f32 : (tensor<3xf16>) -> tensor<3xf32>
// CHECK-DAG: %[[SCALE:.+]] = forge.divide %{{.+}}, %{{.+}} : tensor<3xf32>
// CHECK-DAG: %[[SHIFT:.+]] = forge.subtract %{{.+}}, %{{.+}} : tensor<3xf32>
// CHECK-DAG: %[[V10:.+]] = forge.reshape %[[SCALE]] shape [1, 3] : (tensor<3xf32>) -> tensor<1x3xf32>
// CHECK-DAG: %[[V11:.+]] = forge.cast %arg0 dtype f32 : (tensor<2x3xf16>) -> tensor<2x3xf32>
// CHECK-DAG: %[[V12:.+]] = forge.multiply %[[V11]], %[[V10]] : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
// CHECK-DAG: %[[V13:.+]] = forge.reshape %[[SHIFT]] shape [1, 3] : (tensor<3xf32>) -> tensor<1x3xf32>
// CHECK-DAG: %[[V14:.+]] = forge.add %[[V12]], %[[V13]] : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
// CHECK-DAG: %[[V15:.+]] = forge.cast %[[V14]] dtype f16 : (tensor<2x3xf32>) -> tensor<2x3xf16>
// CHECK: return %[[V15]] : tensor<2x3xf16>
func.func @batchnorm_half(%x: tensor<2x3xf16>) -> tensor<2x3xf16> {
  %s = forge.parameter "s" : tensor<3xf16>
  %m = forge.parameter "m" : tensor<3xf16>
  %0 = forge.batchnorm %x, %s, %s, %m, %m epsilon 1.0e-5 : (tensor<2x3xf16>, tensor<3xf16>, tensor<3xf16>, tensor<3xf16>, tensor<3xf16>) -> tensor<2x3xf16>
  return %0 : tensor<2x3xf16>
}

// Unchanged, because a reshape cannot express an empty tensor.
// CHECK-LABEL: func.func @batchnorm_empty(
// CHECK: %[[V0:.+]] = forge.batchnorm %arg0, %arg1, %arg1, %arg1, %arg1 epsilon 9.99999974E-6 : (tensor<2x0xf32>, tensor<0xf32>, tensor<0xf32>, tensor<0xf32>, tensor<0xf32>) -> tensor<2x0xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x0xf32>
func.func @batchnorm_empty(%x: tensor<2x0xf32>, %s: tensor<0xf32>) -> tensor<2x0xf32> {
  %0 = forge.batchnorm %x, %s, %s, %s, %s epsilon 1.0e-5 : (tensor<2x0xf32>, tensor<0xf32>, tensor<0xf32>, tensor<0xf32>, tensor<0xf32>) -> tensor<2x0xf32>
  return %0 : tensor<2x0xf32>
}

// CHECK-LABEL: func.func @left_of_lower_rank(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 4, 8] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.matmul %[[V0]], %arg1 : (tensor<1x4x8xf32>, tensor<3x8x5xf32>) -> tensor<3x4x5xf32>
// CHECK-NEXT: return %[[V1]] : tensor<3x4x5xf32>
func.func @left_of_lower_rank(%a: tensor<4x8xf32>, %b: tensor<3x8x5xf32>) -> tensor<3x4x5xf32> {
  %0 = forge.matmul %a, %b : (tensor<4x8xf32>, tensor<3x8x5xf32>) -> tensor<3x4x5xf32>
  return %0 : tensor<3x4x5xf32>
}

// CHECK-LABEL: func.func @vector_left(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 1, 8] : (tensor<8xf32>) -> tensor<1x1x8xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.matmul %[[V0]], %arg1 : (tensor<1x1x8xf32>, tensor<3x8x5xf32>) -> tensor<3x1x5xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.reshape %[[V1]] shape [3, 5] : (tensor<3x1x5xf32>) -> tensor<3x5xf32>
// CHECK-NEXT: %[[V3:.+]] = forge.add %[[V2]], %arg2 : (tensor<3x5xf32>, tensor<5xf32>) -> tensor<3x5xf32>
// CHECK-NEXT: return %[[V3]] : tensor<3x5xf32>
func.func @vector_left(%a: tensor<8xf32>, %b: tensor<3x8x5xf32>, %c: tensor<5xf32>) -> tensor<3x5xf32> {
  %0 = forge.matmul %a, %b, %c : (tensor<8xf32>, tensor<3x8x5xf32>, tensor<5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// Without the bias of float32, the product would be rounded to bfloat16 before the addition.
// CHECK-LABEL: func.func @vector_left_with_a_bias_of_float32(
// CHECK: %[[V0:.+]] = forge.cast %arg0 dtype f32 : (tensor<8xbf16>) -> tensor<8xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.reshape %[[V0]] shape [1, 1, 8]
// CHECK-NEXT: forge.matmul %[[V1]], %arg1 : (tensor<1x1x8xf32>, tensor<3x8x5xbf16>) -> tensor<3x1x5xf32>
func.func @vector_left_with_a_bias_of_float32(%a: tensor<8xbf16>, %b: tensor<3x8x5xbf16>, %c: tensor<5xf32>) -> tensor<3x5xf32> {
  %0 = forge.matmul %a, %b, %c : (tensor<8xbf16>, tensor<3x8x5xbf16>, tensor<5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// CHECK-LABEL: func.func @both_sides(
// CHECK: %[[V0:.+]] = forge.repeat %arg0 repeats [1, 3, 1, 1] : (tensor<2x1x4x8xf32>) -> tensor<2x3x4x8xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.repeat %arg1 repeats [2, 1, 1, 1] : (tensor<1x3x8x5xf32>) -> tensor<2x3x8x5xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.matmul %[[V0]], %[[V1]] : (tensor<2x3x4x8xf32>, tensor<2x3x8x5xf32>) -> tensor<2x3x4x5xf32>
// CHECK-NEXT: return %[[V2]] : tensor<2x3x4x5xf32>
func.func @both_sides(%a: tensor<2x1x4x8xf32>, %b: tensor<1x3x8x5xf32>) -> tensor<2x3x4x5xf32> {
  %0 = forge.matmul %a, %b : (tensor<2x1x4x8xf32>, tensor<1x3x8x5xf32>) -> tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}

// CHECK-LABEL: func.func @right_of_lower_rank(
// CHECK: %[[V0:.+]] = forge.reshape %arg1 shape [1, 3, 8, 5] : (tensor<3x8x5xf32>) -> tensor<1x3x8x5xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.repeat %[[V0]] repeats [2, 1, 1, 1] : (tensor<1x3x8x5xf32>) -> tensor<2x3x8x5xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.matmul %arg0, %[[V1]] : (tensor<2x3x4x8xf32>, tensor<2x3x8x5xf32>) -> tensor<2x3x4x5xf32>
// CHECK-NEXT: return %[[V2]] : tensor<2x3x4x5xf32>
func.func @right_of_lower_rank(%a: tensor<2x3x4x8xf32>, %b: tensor<3x8x5xf32>) -> tensor<2x3x4x5xf32> {
  %0 = forge.matmul %a, %b : (tensor<2x3x4x8xf32>, tensor<3x8x5xf32>) -> tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}

// The device broadcasts either all batch axes of an operand or none: if one of two is broadcast, it is repeated.
// CHECK-LABEL: func.func @some_batches(
// CHECK: %[[V0:.+]] = forge.repeat %arg0 repeats [1, 3, 1, 1] : (tensor<2x1x4x8xf32>) -> tensor<2x3x4x8xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.matmul %[[V0]], %arg1 : (tensor<2x3x4x8xf32>, tensor<2x3x8x5xf32>) -> tensor<2x3x4x5xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x3x4x5xf32>
func.func @some_batches(%a: tensor<2x1x4x8xf32>, %b: tensor<2x3x8x5xf32>) -> tensor<2x3x4x5xf32> {
  %0 = forge.matmul %a, %b : (tensor<2x1x4x8xf32>, tensor<2x3x8x5xf32>) -> tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}

// Products that the device accepts are unchanged.
// CHECK-LABEL: func.func @legal_products(
// CHECK: %[[V0:.+]] = forge.matmul %arg0, %arg1 : (tensor<3x4x8xf32>, tensor<8x5xf32>) -> tensor<3x4x5xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.matmul %[[V0]], %arg2 : (tensor<3x4x5xf32>, tensor<3x5x7xf32>) -> tensor<3x4x7xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.matmul %[[V1]], %arg3 : (tensor<3x4x7xf32>, tensor<1x7x2xf32>) -> tensor<3x4x2xf32>
// CHECK-NEXT: %[[V3:.+]] = forge.matmul %arg4, %[[V2]] : (tensor<1x6x4xf32>, tensor<3x4x2xf32>) -> tensor<3x6x2xf32>
// CHECK-NEXT: return %[[V3]] : tensor<3x6x2xf32>
func.func @legal_products(%a: tensor<3x4x8xf32>, %b: tensor<8x5xf32>, %c: tensor<3x5x7xf32>, %d: tensor<1x7x2xf32>, %e: tensor<1x6x4xf32>) -> tensor<3x6x2xf32> {
  %0 = forge.matmul %a, %b : (tensor<3x4x8xf32>, tensor<8x5xf32>) -> tensor<3x4x5xf32>
  %1 = forge.matmul %0, %c : (tensor<3x4x5xf32>, tensor<3x5x7xf32>) -> tensor<3x4x7xf32>
  %2 = forge.matmul %1, %d : (tensor<3x4x7xf32>, tensor<1x7x2xf32>) -> tensor<3x4x2xf32>
  %3 = forge.matmul %e, %2 : (tensor<1x6x4xf32>, tensor<3x4x2xf32>) -> tensor<3x6x2xf32>
  return %3 : tensor<3x6x2xf32>
}

// CHECK-LABEL: func.func @conv_half(
// CHECK-DAG: %[[V0:.+]] = forge.cast %arg0 dtype f32 : (tensor<1x3x8x8xf16>) -> tensor<1x3x8x8xf32>
// CHECK-DAG: %[[V1:.+]] = forge.cast %arg1 dtype f32 : (tensor<4x3x3x3xf16>) -> tensor<4x3x3x3xf32>
// CHECK-DAG: %[[V2:.+]] = forge.cast %arg2 dtype f32 : (tensor<4xf16>) -> tensor<4xf32>
// CHECK-DAG: %[[V3:.+]] = forge.conv2d %[[V0]], %[[V1]], %[[V2]] stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<1x4x6x6xf32>
// CHECK-DAG: %[[V4:.+]] = forge.cast %[[V3]] dtype f16 : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf16>
// CHECK: return %[[V4]] : tensor<1x4x6x6xf16>
func.func @conv_half(%x: tensor<1x3x8x8xf16>, %w: tensor<4x3x3x3xf16>, %b: tensor<4xf16>) -> tensor<1x4x6x6xf16> {
  %0 = forge.conv2d %x, %w, %b stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x8x8xf16>, tensor<4x3x3x3xf16>, tensor<4xf16>) -> tensor<1x4x6x6xf16>
  return %0 : tensor<1x4x6x6xf16>
}

// CHECK-LABEL: func.func @conv_transpose_half(
// CHECK: %[[V0:.+]] = forge.cast %arg0 dtype f32 : (tensor<1x3x8x8xf16>) -> tensor<1x3x8x8xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.cast %arg1 dtype f32 : (tensor<3x4x3x3xf16>) -> tensor<3x4x3x3xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.conv2d_transpose %[[V0]], %[[V1]] stride [1, 1] padding [0, 0] : (tensor<1x3x8x8xf32>, tensor<3x4x3x3xf32>) -> tensor<1x4x10x10xf32>
// CHECK-NEXT: %[[V3:.+]] = forge.cast %[[V2]] dtype f16 : (tensor<1x4x10x10xf32>) -> tensor<1x4x10x10xf16>
// CHECK-NEXT: return %[[V3]] : tensor<1x4x10x10xf16>
func.func @conv_transpose_half(%x: tensor<1x3x8x8xf16>, %w: tensor<3x4x3x3xf16>) -> tensor<1x4x10x10xf16> {
  %0 = forge.conv2d_transpose %x, %w stride [1, 1] padding [0, 0] : (tensor<1x3x8x8xf16>, tensor<3x4x3x3xf16>) -> tensor<1x4x10x10xf16>
  return %0 : tensor<1x4x10x10xf16>
}

// The device computes convolutions in bf16 and f32: unchanged.
// CHECK-LABEL: func.func @conv_bfloat(
// CHECK: %[[V0:.+]] = forge.conv2d %arg0, %arg1 stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x8x8xbf16>, tensor<4x3x3x3xbf16>) -> tensor<1x4x6x6xbf16>
// CHECK-NEXT: return %[[V0]] : tensor<1x4x6x6xbf16>
func.func @conv_bfloat(%x: tensor<1x3x8x8xbf16>, %w: tensor<4x3x3x3xbf16>) -> tensor<1x4x6x6xbf16> {
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x8x8xbf16>, tensor<4x3x3x3xbf16>) -> tensor<1x4x6x6xbf16>
  return %0 : tensor<1x4x6x6xbf16>
}

// Adjacent axes along which the same operand is broadcast are merged, because the device accepts at most five axes. An
// axis of size 1 can be merged with any other.
// CHECK-LABEL: func.func @broadcast_7(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [24, 5, 42] : (tensor<2x3x1x4x5x6x7xf32>) -> tensor<24x5x42xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.reshape %arg1 shape [1, 5, 1] : (tensor<5x1x1xf32>) -> tensor<1x5x1xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.add %[[V0]], %[[V1]] : (tensor<24x5x42xf32>, tensor<1x5x1xf32>) -> tensor<24x5x42xf32>
// CHECK-NEXT: %[[V3:.+]] = forge.reshape %[[V2]] shape [2, 3, 1, 4, 5, 6, 7] : (tensor<24x5x42xf32>) -> tensor<2x3x1x4x5x6x7xf32>
// CHECK-NEXT: return %[[V3]] : tensor<2x3x1x4x5x6x7xf32>
func.func @broadcast_7(%a: tensor<2x3x1x4x5x6x7xf32>, %b: tensor<5x1x1xf32>) -> tensor<2x3x1x4x5x6x7xf32> {
  %0 = forge.add %a, %b : (tensor<2x3x1x4x5x6x7xf32>, tensor<5x1x1xf32>) -> tensor<2x3x1x4x5x6x7xf32>
  return %0 : tensor<2x3x1x4x5x6x7xf32>
}

// CHECK-LABEL: func.func @where_7(
// CHECK-DAG: %[[V0:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK-DAG: %[[V1:.+]] = forge.reshape %arg0 shape [1, 64] : (tensor<1x2x2x2x2x2x2xi1>) -> tensor<1x64xi1>
// CHECK-DAG: %[[V2:.+]] = forge.reshape %arg1 shape [2, 64] : (tensor<2x2x2x2x2x2x2xf32>) -> tensor<2x64xf32>
// CHECK-DAG: %[[V3:.+]] = forge.where %[[V1]], %[[V2]], %[[V0]] : (tensor<1x64xi1>, tensor<2x64xf32>, tensor<f32>) -> tensor<2x64xf32>
// CHECK-DAG: %[[V4:.+]] = forge.reshape %[[V3]] shape [2, 2, 2, 2, 2, 2, 2] : (tensor<2x64xf32>) -> tensor<2x2x2x2x2x2x2xf32>
// CHECK: return %[[V4]] : tensor<2x2x2x2x2x2x2xf32>
func.func @where_7(%c: tensor<1x2x2x2x2x2x2xi1>, %a: tensor<2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2x2xf32> {
  %z = forge.constant dense<0.0> : tensor<f32>
  %0 = forge.where %c, %a, %z : (tensor<1x2x2x2x2x2x2xi1>, tensor<2x2x2x2x2x2x2xf32>, tensor<f32>) -> tensor<2x2x2x2x2x2x2xf32>
  return %0 : tensor<2x2x2x2x2x2x2xf32>
}

// Unchanged: seven axes that are broadcast alternately, seven axes without a broadcast, and three axes.
// CHECK-LABEL: func.func @unmergeable_axes(
// CHECK: %[[V0:.+]] = forge.add %arg0, %arg1 : (tensor<2x1x2x1x2x1x2xf32>, tensor<1x2x1x2x1x2x1xf32>) -> tensor<2x2x2x2x2x2x2xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.multiply %[[V0]], %arg2 : tensor<2x2x2x2x2x2x2xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.max %arg3, %arg4 : (tensor<4x1x3xf32>, tensor<1x5x1xf32>) -> tensor<4x5x3xf32>
// CHECK-NEXT: return %[[V1]], %[[V2]] : tensor<2x2x2x2x2x2x2xf32>, tensor<4x5x3xf32>
func.func @unmergeable_axes(%a: tensor<2x1x2x1x2x1x2xf32>, %b: tensor<1x2x1x2x1x2x1xf32>, %c: tensor<2x2x2x2x2x2x2xf32>, %d: tensor<4x1x3xf32>, %e: tensor<1x5x1xf32>) -> (tensor<2x2x2x2x2x2x2xf32>, tensor<4x5x3xf32>) {
  %0 = forge.add %a, %b : (tensor<2x1x2x1x2x1x2xf32>, tensor<1x2x1x2x1x2x1xf32>) -> tensor<2x2x2x2x2x2x2xf32>
  %1 = forge.multiply %0, %c : tensor<2x2x2x2x2x2x2xf32>
  %2 = forge.max %d, %e : (tensor<4x1x3xf32>, tensor<1x5x1xf32>) -> tensor<4x5x3xf32>
  return %1, %2 : tensor<2x2x2x2x2x2x2xf32>, tensor<4x5x3xf32>
}

// A depthwise 1x1 convolution is a multiplication by one scale per channel.
// CHECK-LABEL: func.func @scale_per_channel(
// CHECK: %[[W:.+]] = forge.reshape %arg1 shape [1, 4, 1, 1] : (tensor<4x1x1x1xf32>) -> tensor<1x4x1x1xf32>
// CHECK-NEXT: %[[P:.+]] = forge.multiply %arg0, %[[W]] : (tensor<2x4x3x5xf32>, tensor<1x4x1x1xf32>) -> tensor<2x4x3x5xf32>
// CHECK-NEXT: %[[B:.+]] = forge.reshape %arg2 shape [1, 4, 1, 1] : (tensor<4xf32>) -> tensor<1x4x1x1xf32>
// CHECK-NEXT: %[[Y:.+]] = forge.add %[[P]], %[[B]] : (tensor<2x4x3x5xf32>, tensor<1x4x1x1xf32>) -> tensor<2x4x3x5xf32>
// CHECK-NEXT: return %[[Y]]
func.func @scale_per_channel(%x: tensor<2x4x3x5xf32>, %w: tensor<4x1x1x1xf32>, %b: tensor<4xf32>) -> tensor<2x4x3x5xf32> {
  %0 = forge.conv2d %x, %w, %b stride [1, 1] padding [0, 0, 0, 0] groups 4 : (tensor<2x4x3x5xf32>, tensor<4x1x1x1xf32>, tensor<4xf32>) -> tensor<2x4x3x5xf32>
  return %0 : tensor<2x4x3x5xf32>
}

// The same with channels last. Without a bias, the multiplication rounds as the convolution does, so that it stays in
// f16.
// CHECK-LABEL: func.func @scale_per_channel_last(
// CHECK: %[[W:.+]] = forge.reshape %arg1 shape [1, 1, 1, 4] : (tensor<4x1x1x1xf16>) -> tensor<1x1x1x4xf16>
// CHECK-NEXT: %[[P:.+]] = forge.multiply %arg0, %[[W]] : (tensor<2x3x5x4xf16>, tensor<1x1x1x4xf16>) -> tensor<2x3x5x4xf16>
// CHECK-NEXT: return %[[P]]
func.func @scale_per_channel_last(%x: tensor<2x3x5x4xf16>, %w: tensor<4x1x1x1xf16>) -> tensor<2x3x5x4xf16> {
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] groups 4 channel_last : (tensor<2x3x5x4xf16>, tensor<4x1x1x1xf16>) -> tensor<2x3x5x4xf16>
  return %0 : tensor<2x3x5x4xf16>
}

// With a bias, two ops would round twice in 16-bit types: they are computed in f32.
// CHECK-LABEL: func.func @half_per_channel(
// CHECK: forge.multiply %{{.+}}, %{{.+}} : (tensor<2x4x3x5xf32>, tensor<1x4x1x1xf32>) -> tensor<2x4x3x5xf32>
// CHECK: %[[S:.+]] = forge.add %{{.+}}, %{{.+}} : (tensor<2x4x3x5xf32>, tensor<1x4x1x1xf32>) -> tensor<2x4x3x5xf32>
// CHECK-NEXT: forge.cast %[[S]] dtype bf16
func.func @half_per_channel(%x: tensor<2x4x3x5xbf16>, %w: tensor<4x1x1x1xbf16>, %b: tensor<4xbf16>) -> tensor<2x4x3x5xbf16> {
  %0 = forge.conv2d %x, %w, %b stride [1, 1] padding [0, 0, 0, 0] groups 4 : (tensor<2x4x3x5xbf16>, tensor<4x1x1x1xbf16>, tensor<4xbf16>) -> tensor<2x4x3x5xbf16>
  return %0 : tensor<2x4x3x5xbf16>
}

// Unchanged: several outputs per channel, several inputs per output, a stride, and padding.
// CHECK-LABEL: func.func @no_scale_per_channel(
// CHECK-COUNT-4: forge.conv2d
// CHECK-NOT: forge.multiply
func.func @no_scale_per_channel(%x: tensor<2x4x3x5xf32>, %w: tensor<8x1x1x1xf32>, %v: tensor<4x2x1x1xf32>, %u: tensor<4x1x1x1xf32>) -> (tensor<2x8x3x5xf32>, tensor<2x4x3x5xf32>, tensor<2x4x2x3xf32>, tensor<2x4x5x7xf32>) {
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] groups 4 : (tensor<2x4x3x5xf32>, tensor<8x1x1x1xf32>) -> tensor<2x8x3x5xf32>
  %1 = forge.conv2d %x, %v stride [1, 1] padding [0, 0, 0, 0] groups 2 : (tensor<2x4x3x5xf32>, tensor<4x2x1x1xf32>) -> tensor<2x4x3x5xf32>
  %2 = forge.conv2d %x, %u stride [2, 2] padding [0, 0, 0, 0] groups 4 : (tensor<2x4x3x5xf32>, tensor<4x1x1x1xf32>) -> tensor<2x4x2x3xf32>
  %3 = forge.conv2d %x, %u stride [1, 1] padding [1, 1, 1, 1] groups 4 : (tensor<2x4x3x5xf32>, tensor<4x1x1x1xf32>) -> tensor<2x4x5x7xf32>
  return %0, %1, %2, %3 : tensor<2x8x3x5xf32>, tensor<2x4x3x5xf32>, tensor<2x4x2x3xf32>, tensor<2x4x5x7xf32>
}

// The operands have no elements to reshape, although the product has some, which are 0.
// CHECK-LABEL: func.func @contracted_axis_of_size_0(
// CHECK-NEXT: %[[V0:.+]] = forge.matmul %arg0, %arg1 : (tensor<2x3x0xf32>, tensor<5x2x0x4xf32>) -> tensor<5x2x3x4xf32>
// CHECK-NEXT: return %[[V0]]
func.func @contracted_axis_of_size_0(%a: tensor<2x3x0xf32>, %b: tensor<5x2x0x4xf32>) -> tensor<5x2x3x4xf32> {
  %0 = forge.matmul %a, %b : (tensor<2x3x0xf32>, tensor<5x2x0x4xf32>) -> tensor<5x2x3x4xf32>
  return %0 : tensor<5x2x3x4xf32>
}

// A value at two operands is reshaped once.
// CHECK-LABEL: func.func @one_value_twice(
// CHECK: forge.reshape %arg0
// CHECK-NEXT: %[[X:.+]] = forge.reshape %arg1
// CHECK-NEXT: forge.where %{{.+}}, %[[X]], %[[X]] :
func.func @one_value_twice(%c: tensor<2x2x2x2x2x2x2x3xf32>, %x: tensor<2x1x3xf32>) -> tensor<2x2x2x2x2x2x2x3xf32> {
  %0 = forge.where %c, %x, %x : (tensor<2x2x2x2x2x2x2x3xf32>, tensor<2x1x3xf32>, tensor<2x1x3xf32>) -> tensor<2x2x2x2x2x2x2x3xf32>
  return %0 : tensor<2x2x2x2x2x2x2x3xf32>
}

// The device refuses two ops of the replacement in turn: multiplications and additions that broadcast at rank 7.
// CHECK-LABEL: func.func @batchnorm_of_rank_7(
// CHECK-NOT: forge.{{multiply|add}} {{.*}} -> tensor<2x3x2x2x2x2x5xf32>
// CHECK: forge.add %{{.+}}, %{{.+}} : (tensor<2x3x80xf32>, tensor<1x3x1xf32>) -> tensor<2x3x80xf32>
// CHECK-NEXT: forge.reshape %{{.+}} shape [2, 3, 2, 2, 2, 2, 5]
// CHECK-NEXT: return
func.func @batchnorm_of_rank_7(%x: tensor<2x3x2x2x2x2x5xf32>) -> tensor<2x3x2x2x2x2x5xf32> {
  %s = forge.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %0 = forge.batchnorm %x, %s, %s, %s, %s epsilon 1.0e-5 : (tensor<2x3x2x2x2x2x5xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x2x2x2x2x5xf32>
  return %0 : tensor<2x3x2x2x2x2x5xf32>
}

// CHECK-LABEL: func.func @bias_at_rank_8(
// CHECK: forge.matmul
// CHECK: forge.add %{{.+}}, %{{.+}} : (tensor<192x5xf32>, tensor<1x5xf32>) -> tensor<192x5xf32>
// CHECK-NEXT: forge.reshape %{{.+}} shape [2, 2, 2, 2, 2, 2, 3, 5]
// CHECK-NEXT: return
func.func @bias_at_rank_8(%x: tensor<1x2x1x2x1x2x3x4xf32>, %w: tensor<2x1x2x1x2x1x4x5xf32>, %b: tensor<5xf32>) -> tensor<2x2x2x2x2x2x3x5xf32> {
  %0 = forge.matmul %x, %w, %b : (tensor<1x2x1x2x1x2x3x4xf32>, tensor<2x1x2x1x2x1x4x5xf32>, tensor<5xf32>) -> tensor<2x2x2x2x2x2x3x5xf32>
  return %0 : tensor<2x2x2x2x2x2x3x5xf32>
}

// Forge computes log(softmax(x)), which is -inf where the softmax underflows.
// CHECK-LABEL: func.func @log_softmax(
// CHECK: %[[MAX:.+]] = forge.reduce_max %arg0 dim -1 keep_dim : (tensor<2x5xf32>) -> tensor<2x1xf32>
// CHECK: %[[Y:.+]] = forge.subtract %arg0, %[[MAX]] : (tensor<2x5xf32>, tensor<2x1xf32>) -> tensor<2x5xf32>
// CHECK: %[[EXP:.+]] = forge.exp %[[Y]] : tensor<2x5xf32>
// CHECK: %[[SUM:.+]] = forge.reduce_sum %[[EXP]] dim -1 keep_dim : (tensor<2x5xf32>) -> tensor<2x1xf32>
// CHECK: %[[LOG:.+]] = forge.log %[[SUM]] : tensor<2x1xf32>
// CHECK: %[[RESULT:.+]] = forge.subtract %[[Y]], %[[LOG]] : (tensor<2x5xf32>, tensor<2x1xf32>) -> tensor<2x5xf32>
// CHECK: return %[[RESULT]]
func.func @log_softmax(%x: tensor<2x5xf32>) -> tensor<2x5xf32> {
  %0 = forge.log_softmax %x dim -1 : tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// CHECK-LABEL: func.func @log_softmax_half(
// CHECK: forge.cast %arg0 dtype f32 : (tensor<2x5xf16>) -> tensor<2x5xf32>
// CHECK: %[[LOG:.+]] = forge.log
// CHECK: %[[RESULT:.+]] = forge.subtract %{{.+}}, %[[LOG]] : (tensor<2x5xf32>, tensor<2x1xf32>) -> tensor<2x5xf32>
// CHECK: forge.cast %[[RESULT]] dtype f16 : (tensor<2x5xf32>) -> tensor<2x5xf16>
func.func @log_softmax_half(%x: tensor<2x5xf16>) -> tensor<2x5xf16> {
  %0 = forge.log_softmax %x dim -1 : tensor<2x5xf16>
  return %0 : tensor<2x5xf16>
}

// The device broadcasts up to rank 6, and a reduction has a dim from -4 to 3.
// CHECK-LABEL: func.func @log_softmax_axes(
// CHECK: %[[X:.+]] = forge.reshape %arg0 shape [2, 5, 3]
// CHECK: forge.reduce_max %[[X]] dim 1 keep_dim : (tensor<2x5x3xf32>)
// CHECK: %[[X:.+]] = forge.reshape %arg1 shape [4, 5, 12] : (tensor<1x1x1x4x5x1x1x3x4xf32>) -> tensor<4x5x12xf32>
// CHECK: forge.reduce_max %[[X]] dim 1 keep_dim : (tensor<4x5x12xf32>) -> tensor<4x1x12xf32>
// CHECK: forge.reshape %{{.+}} shape [1, 1, 1, 4, 5, 1, 1, 3, 4] : (tensor<4x5x12xf32>)
func.func @log_softmax_axes(%x: tensor<2x5x1x1x1x1x3xf32>, %y: tensor<1x1x1x4x5x1x1x3x4xf32>)
    -> (tensor<2x5x1x1x1x1x3xf32>, tensor<1x1x1x4x5x1x1x3x4xf32>) {
  %0 = forge.log_softmax %x dim -6 : tensor<2x5x1x1x1x1x3xf32>
  %1 = forge.log_softmax %y dim -5 : tensor<1x1x1x4x5x1x1x3x4xf32>
  return %0, %1 : tensor<2x5x1x1x1x1x3xf32>, tensor<1x1x1x4x5x1x1x3x4xf32>
}

// CHECK-LABEL: func.func @log_softmax_empty(
// CHECK: forge.log_softmax
func.func @log_softmax_empty(%x: tensor<2x0xf32>) -> tensor<2x0xf32> {
  %0 = forge.log_softmax %x dim -1 : tensor<2x0xf32>
  return %0 : tensor<2x0xf32>
}

// A vector as right operand becomes a matrix of one column, because Forge may remove an axis of the left operand. With
// a left operand of rank 1, this one becomes a matrix, too.
// CHECK-LABEL: func.func @vector_right(
// CHECK: %[[COLUMN:.+]] = forge.reshape %arg1 shape [8, 1] : (tensor<8xf32>) -> tensor<8x1xf32>
// CHECK: %[[PRODUCT:.+]] = forge.matmul %arg0, %[[COLUMN]] : (tensor<3x4x8xf32>, tensor<8x1xf32>) -> tensor<3x4x1xf32>
// CHECK: %[[RESULT:.+]] = forge.reshape %[[PRODUCT]] shape [3, 4] : (tensor<3x4x1xf32>) -> tensor<3x4xf32>
// CHECK: %[[SUM:.+]] = forge.add %[[RESULT]], %arg2 : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
// CHECK: return %[[SUM]]
func.func @vector_right(%a: tensor<3x4x8xf32>, %b: tensor<8xf32>, %c: tensor<4xf32>) -> tensor<3x4xf32> {
  %0 = forge.matmul %a, %b, %c : (tensor<3x4x8xf32>, tensor<8xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
