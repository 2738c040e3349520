// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-float-format{float-format=bfloat16 native-outputs=true}))' | FileCheck %s

// A convolution reads the integers of a quantiser; the scale of the next quantiser is divided by the scale of these
// integers.

// The scale of the next quantiser is divided, and no multiplication remains.
// CHECK-LABEL: func.func @scaled(
// CHECK: %[[I:.+]] = forge.subtract
// CHECK: %[[Q:.+]] = forge.cast %[[I]] dtype bf16
// CHECK: %[[P:.+]] = forge.conv2d %[[Q]], {{.*}}bf16
// CHECK: %[[T:.+]] = forge.scalar_constant constant 2.0
// CHECK: forge.divide %[[P]], %[[T]]
// CHECK-NOT: forge.multiply
func.func @scaled(%x: tensor<1x3x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = forge.parameter "w" : tensor<2x3x1x1xf32>
  %step = forge.scalar_constant constant 0.25 dtype f32 : tensor<1xf32>
  %next = forge.scalar_constant constant 0.5 dtype f32 : tensor<1xf32>
  %round = forge.scalar_constant constant 12582912.0 dtype f32 : tensor<1xf32>
  %0 = forge.clip %x min -128.0 max 127.0 : tensor<1x3x4x4xf32>
  %1 = forge.add %0, %round : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %integers = forge.subtract %1, %round : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %scaled = forge.multiply %integers, %step : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %product = forge.conv2d %scaled, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32>
  %quotient = forge.divide %product, %next : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  return %quotient : tensor<1x2x4x4xf32>
}

// The integers may have another user.
// CHECK-LABEL: func.func @integers_with_another_user(
// CHECK: %[[I:.+]] = forge.subtract
// CHECK: %[[Q:.+]] = forge.cast %[[I]] dtype bf16
// CHECK: %[[P:.+]] = forge.conv2d %[[Q]], {{.*}}bf16
// CHECK: %[[T:.+]] = forge.scalar_constant constant 2.0
// CHECK: forge.divide %[[P]], %[[T]]
// CHECK: forge.exp %[[Q]]
func.func @integers_with_another_user(%x: tensor<1x3x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x3x4x4xf32>) {
  %w = forge.parameter "w" : tensor<2x3x1x1xf32>
  %step = forge.scalar_constant constant 0.25 dtype f32 : tensor<1xf32>
  %next = forge.scalar_constant constant 0.5 dtype f32 : tensor<1xf32>
  %round = forge.scalar_constant constant 12582912.0 dtype f32 : tensor<1xf32>
  %0 = forge.clip %x min -128.0 max 127.0 : tensor<1x3x4x4xf32>
  %1 = forge.add %0, %round : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %integers = forge.subtract %1, %round : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %scaled = forge.multiply %integers, %step : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %product = forge.conv2d %scaled, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32>
  %quotient = forge.divide %product, %next : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  %other = forge.exp %integers : tensor<1x3x4x4xf32>
  return %quotient, %other : tensor<1x2x4x4xf32>, tensor<1x3x4x4xf32>
}

// The integers may be an output.
// CHECK-LABEL: func.func @integers_returned(
// CHECK: %[[I:.+]] = forge.subtract
// CHECK: %[[Q:.+]] = forge.cast %[[I]] dtype bf16
// CHECK: %[[P:.+]] = forge.conv2d %[[Q]], {{.*}}bf16
// CHECK: %[[T:.+]] = forge.scalar_constant constant 2.0
// CHECK: forge.divide %[[P]], %[[T]]
// CHECK: return {{.*}}, %[[I]]
func.func @integers_returned(%x: tensor<1x3x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x3x4x4xf32>) {
  %w = forge.parameter "w" : tensor<2x3x1x1xf32>
  %step = forge.scalar_constant constant 0.25 dtype f32 : tensor<1xf32>
  %next = forge.scalar_constant constant 0.5 dtype f32 : tensor<1xf32>
  %round = forge.scalar_constant constant 12582912.0 dtype f32 : tensor<1xf32>
  %0 = forge.clip %x min -128.0 max 127.0 : tensor<1x3x4x4xf32>
  %1 = forge.add %0, %round : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %integers = forge.subtract %1, %round : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %scaled = forge.multiply %integers, %step : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %product = forge.conv2d %scaled, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32>
  %quotient = forge.divide %product, %next : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  return %quotient, %integers : tensor<1x2x4x4xf32>, tensor<1x3x4x4xf32>
}

// Another user of the scaled value still reads it.
// CHECK-LABEL: func.func @scaled_with_another_user(
// CHECK: %[[I:.+]] = forge.subtract
// CHECK: %[[Q:.+]] = forge.cast %[[I]] dtype bf16
// CHECK: %[[S:.+]] = forge.multiply %[[Q]]
// CHECK: %[[C:.+]] = forge.cast %[[S]]
// CHECK: %[[P:.+]] = forge.conv2d %[[Q]], {{.*}}bf16
// CHECK: %[[T:.+]] = forge.scalar_constant constant 2.0
// CHECK: forge.divide %[[P]], %[[T]]
// CHECK: forge.exp %[[C]]
func.func @scaled_with_another_user(%x: tensor<1x3x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x3x4x4xf32>) {
  %w = forge.parameter "w" : tensor<2x3x1x1xf32>
  %step = forge.scalar_constant constant 0.25 dtype f32 : tensor<1xf32>
  %next = forge.scalar_constant constant 0.5 dtype f32 : tensor<1xf32>
  %round = forge.scalar_constant constant 12582912.0 dtype f32 : tensor<1xf32>
  %0 = forge.clip %x min -128.0 max 127.0 : tensor<1x3x4x4xf32>
  %1 = forge.add %0, %round : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %integers = forge.subtract %1, %round : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %scaled = forge.multiply %integers, %step : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %product = forge.conv2d %scaled, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32>
  %quotient = forge.divide %product, %next : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  %other = forge.exp %scaled : tensor<1x3x4x4xf32>
  return %quotient, %other : tensor<1x2x4x4xf32>, tensor<1x3x4x4xf32>
}

// The scaled value may be an output, too.
// CHECK-LABEL: func.func @scaled_returned(
// CHECK: %[[I:.+]] = forge.subtract
// CHECK: %[[Q:.+]] = forge.cast %[[I]] dtype bf16
// CHECK: %[[S:.+]] = forge.multiply %[[Q]]
// CHECK: %[[P:.+]] = forge.conv2d %[[Q]], {{.*}}bf16
// CHECK: %[[T:.+]] = forge.scalar_constant constant 2.0
// CHECK: forge.divide %[[P]], %[[T]]
// CHECK: return {{.*}}, %[[S]]
func.func @scaled_returned(%x: tensor<1x3x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x3x4x4xf32>) {
  %w = forge.parameter "w" : tensor<2x3x1x1xf32>
  %step = forge.scalar_constant constant 0.25 dtype f32 : tensor<1xf32>
  %next = forge.scalar_constant constant 0.5 dtype f32 : tensor<1xf32>
  %round = forge.scalar_constant constant 12582912.0 dtype f32 : tensor<1xf32>
  %0 = forge.clip %x min -128.0 max 127.0 : tensor<1x3x4x4xf32>
  %1 = forge.add %0, %round : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %integers = forge.subtract %1, %round : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %scaled = forge.multiply %integers, %step : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %product = forge.conv2d %scaled, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32>
  %quotient = forge.divide %product, %next : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  return %quotient, %scaled : tensor<1x2x4x4xf32>, tensor<1x3x4x4xf32>
}

// Another user of the convolution needs its result with the scale: unchanged.
// CHECK-LABEL: func.func @convolution_with_another_user(
// CHECK: %[[S:.+]] = forge.multiply
// CHECK: %[[C:.+]] = forge.cast %[[S]]
// CHECK: %[[P:.+]] = forge.conv2d %[[C]],
// CHECK: %[[D:.+]] = forge.divide %[[P]]
// CHECK: forge.exp %[[P]]
func.func @convolution_with_another_user(%x: tensor<1x3x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) {
  %w = forge.parameter "w" : tensor<2x3x1x1xf32>
  %step = forge.scalar_constant constant 0.25 dtype f32 : tensor<1xf32>
  %next = forge.scalar_constant constant 0.5 dtype f32 : tensor<1xf32>
  %round = forge.scalar_constant constant 12582912.0 dtype f32 : tensor<1xf32>
  %0 = forge.clip %x min -128.0 max 127.0 : tensor<1x3x4x4xf32>
  %1 = forge.add %0, %round : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %integers = forge.subtract %1, %round : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %scaled = forge.multiply %integers, %step : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %product = forge.conv2d %scaled, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32>
  %quotient = forge.divide %product, %next : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  %other = forge.exp %product : tensor<1x2x4x4xf32>
  return %quotient, %other : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
}

// So does an output: unchanged.
// CHECK-LABEL: func.func @convolution_returned(
// CHECK: %[[S:.+]] = forge.multiply
// CHECK: %[[C:.+]] = forge.cast %[[S]]
// CHECK: %[[P:.+]] = forge.conv2d %[[C]],
// CHECK: %[[D:.+]] = forge.divide %[[P]]
// CHECK: return %[[D]], %[[P]]
func.func @convolution_returned(%x: tensor<1x3x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) {
  %w = forge.parameter "w" : tensor<2x3x1x1xf32>
  %step = forge.scalar_constant constant 0.25 dtype f32 : tensor<1xf32>
  %next = forge.scalar_constant constant 0.5 dtype f32 : tensor<1xf32>
  %round = forge.scalar_constant constant 12582912.0 dtype f32 : tensor<1xf32>
  %0 = forge.clip %x min -128.0 max 127.0 : tensor<1x3x4x4xf32>
  %1 = forge.add %0, %round : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %integers = forge.subtract %1, %round : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %scaled = forge.multiply %integers, %step : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %product = forge.conv2d %scaled, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32>
  %quotient = forge.divide %product, %next : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  return %quotient, %product : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
}

// With a tiny scale, the bias divided by the scale would be infinite.
// CHECK-LABEL: func.func @tiny_scale(
// CHECK: forge.multiply
// CHECK: forge.conv2d
// CHECK: forge.divide
func.func @tiny_scale(%x: tensor<1x3x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = forge.parameter "w" : tensor<2x3x1x1xf32>
  %b = forge.constant dense<10.0> : tensor<1x1x1x2xf32>
  %step = forge.scalar_constant constant 1.0e-38 dtype f32 : tensor<1xf32>
  %next = forge.scalar_constant constant 1.0 dtype f32 : tensor<1xf32>
  %round = forge.scalar_constant constant 12582912.0 dtype f32 : tensor<1xf32>
  %0 = forge.clip %x min -128.0 max 127.0 : tensor<1x3x4x4xf32>
  %1 = forge.add %0, %round : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %integers = forge.subtract %1, %round : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %scaled = forge.multiply %integers, %step : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %product = forge.conv2d %scaled, %w, %b stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x4x4xf32>
  %quotient = forge.divide %product, %next : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  return %quotient : tensor<1x2x4x4xf32>
}

// A large bias divided by an ordinary scale would be infinite as well.
// CHECK-LABEL: func.func @large_bias(
// CHECK: forge.multiply
// CHECK: forge.conv2d
// CHECK: forge.divide
func.func @large_bias(%x: tensor<1x3x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = forge.parameter "w" : tensor<2x3x1x1xf32>
  %b = forge.constant dense<1.0e+38> : tensor<1x1x1x2xf32>
  %step = forge.scalar_constant constant 0.125 dtype f32 : tensor<1xf32>
  %next = forge.scalar_constant constant 0.5 dtype f32 : tensor<1xf32>
  %round = forge.scalar_constant constant 12582912.0 dtype f32 : tensor<1xf32>
  %0 = forge.clip %x min -128.0 max 127.0 : tensor<1x3x4x4xf32>
  %1 = forge.add %0, %round : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %integers = forge.subtract %1, %round : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %scaled = forge.multiply %integers, %step : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %product = forge.conv2d %scaled, %w, %b stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x4x4xf32>
  %quotient = forge.divide %product, %next : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  return %quotient : tensor<1x2x4x4xf32>
}

// A clip whose bounds are reversed gives its upper bound, here an integer that bf16 does not represent.
// CHECK-LABEL: func.func @reversed_bounds(
// CHECK-NOT: forge.cast
// CHECK: [[I:%.*]] = forge.subtract {{.*}} -> tensor<1x3x4x4xf32>
// CHECK-NEXT: forge.multiply [[I]], {{.*}} : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
func.func @reversed_bounds(%x: tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32> {
  %step = forge.scalar_constant constant 0.25 dtype f32 : tensor<1xf32>
  %round = forge.scalar_constant constant 12582912.0 dtype f32 : tensor<1xf32>
  %0 = forge.clip %x min 100.0 max -3001.0 : tensor<1x3x4x4xf32>
  %1 = forge.add %0, %round : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %integers = forge.subtract %1, %round : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  %scaled = forge.multiply %integers, %step : (tensor<1x3x4x4xf32>, tensor<1xf32>) -> tensor<1x3x4x4xf32>
  return %scaled : tensor<1x3x4x4xf32>
}
