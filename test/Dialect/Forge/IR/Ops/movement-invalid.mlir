// A violation of every numbered constraint.
// RUN: forge-opt %s -split-input-file -verify-diagnostics

// transpose (C1).
func.func @invalid(%arg0: tensor<2x3x4xf32>) {
  // expected-error @+2 {{'forge.transpose' op (C1) expected 'dim1' inside rank 3, but got 3}}
  // expected-error @+1 {{'forge.transpose' op failed to infer returned types}}
  %0 = forge.transpose %arg0 dims 0, 3 : tensor<2x3x4xf32>
  return
}

// -----

// transpose (C2): one axis twice, once counted from the end.
func.func @invalid(%arg0: tensor<2x3x4xf32>) {
  // expected-error @+2 {{'forge.transpose' op (C2) expected two different axes, but got 2 and -1}}
  // expected-error @+1 {{'forge.transpose' op failed to infer returned types}}
  %0 = forge.transpose %arg0 dims 2, -1 : tensor<2x3x4xf32>
  return
}

// -----

// reshape (C1): a dim of 0, which ONNX copies.
func.func @invalid(%arg0: tensor<2x3x4xf32>) {
  // expected-error @+2 {{'forge.reshape' op (C1) expected positive dims, but got [0, 12]}}
  // expected-error @+1 {{'forge.reshape' op failed to infer returned types}}
  %0 = forge.reshape %arg0 shape [0, 12] : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  return
}

// -----

// reshape (C1): a dim of -1, which ONNX infers.
func.func @invalid(%arg0: tensor<2x3x4xf32>) {
  // expected-error @+2 {{'forge.reshape' op (C1) expected positive dims, but got [-1, 12]}}
  // expected-error @+1 {{'forge.reshape' op failed to infer returned types}}
  %0 = forge.reshape %arg0 shape [-1, 12] : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  return
}

// -----

// reshape (C1): a product beyond 64 bits.
func.func @invalid(%arg0: tensor<2x3x4xf32>) {
  // expected-error @+2 {{'forge.reshape' op (C1) expected positive dims, but got [2147483647, 2147483647, 2147483647]}}
  // expected-error @+1 {{'forge.reshape' op failed to infer returned types}}
  %0 = forge.reshape %arg0 shape [2147483647, 2147483647, 2147483647] : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  return
}

// -----

// reshape (C2).
func.func @invalid(%arg0: tensor<2x3x4xf32>) {
  // expected-error @+2 {{'forge.reshape' op (C2) expected 24 elements, but got shape [5, 5]}}
  // expected-error @+1 {{'forge.reshape' op failed to infer returned types}}
  %0 = forge.reshape %arg0 shape [5, 5] : (tensor<2x3x4xf32>) -> tensor<5x5xf32>
  return
}

// -----

// reshape: a shape of positive dims for an empty tensor.
func.func @invalid(%arg0: tensor<0xf32>) {
  // expected-error @+2 {{'forge.reshape' op (C2) expected 0 elements, but got shape [1]}}
  // expected-error @+1 {{'forge.reshape' op failed to infer returned types}}
  %0 = forge.reshape %arg0 shape [1] : (tensor<0xf32>) -> tensor<1xf32>
  return
}

// -----

// pad (C1): three values.
func.func @invalid(%arg0: tensor<2x3x4xf32>) {
  // expected-error @+2 {{'forge.pad' op (C1) expected 'pad' with 2 or 4 values, none negative, but got [1, 2, 3]}}
  // expected-error @+1 {{'forge.pad' op failed to infer returned types}}
  %0 = forge.pad %arg0 pad [1, 2, 3] mode constant value 0.000000e+00 : tensor<2x3x4xf32>
  return
}

// -----

// pad (C1): negative.
func.func @invalid(%arg0: tensor<2x3x4xf32>) {
  // expected-error @+2 {{'forge.pad' op (C1) expected 'pad' with 2 or 4 values, none negative, but got [1, -1]}}
  // expected-error @+1 {{'forge.pad' op failed to infer returned types}}
  %0 = forge.pad %arg0 pad [1, -1] mode constant value 0.000000e+00 : tensor<2x3x4xf32>
  return
}

// -----

// pad: beyond 64 bits.
func.func @invalid(%arg0: tensor<2x3x4xf32>) {
  // expected-error @+1 {{'forge.pad' op attribute 'pad' does not fit 32 bits: 9223372036854775807}}
  %0 = forge.pad %arg0 pad [9223372036854775807, 1] mode constant value 0.000000e+00 : tensor<2x3x4xf32>
  return
}

// -----

// pad: beyond 32 bits.
func.func @invalid(%arg0: tensor<2xf32>) {
  // expected-error @+1 {{'forge.pad' op attribute 'pad' does not fit 32 bits: 2147483648}}
  %0 = forge.pad %arg0 pad [2147483648, 0] mode constant value 0.000000e+00 : (tensor<2xf32>) -> tensor<2147483650xf32>
  return
}

// -----

// pad (C2).
func.func @invalid(%arg0: tensor<2xf32>) {
  // expected-error @+2 {{'forge.pad' op (C2) expected rank 2 or more, but got 'tensor<2xf32>'}}
  // expected-error @+1 {{'forge.pad' op failed to infer returned types}}
  %0 = forge.pad %arg0 pad [1, 1, 1, 1] mode constant value 0.000000e+00 : tensor<2xf32>
  return
}

// -----

// pad (C3): two values on rank 4.
func.func @invalid(%arg0: tensor<1x2x3x4xf32>) {
  // expected-error @+2 {{'forge.pad' op (C3) expected rank 2 or 3 for mode 'reflect', but got 'tensor<1x2x3x4xf32>'}}
  // expected-error @+1 {{'forge.pad' op failed to infer returned types}}
  %0 = forge.pad %arg0 pad [1, 1] mode reflect value 0.000000e+00 : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x6xf32>
  return
}

// -----

// pad (C3): four values on rank 2.
func.func @invalid(%arg0: tensor<3x4xf32>) {
  // expected-error @+2 {{'forge.pad' op (C3) expected rank 3 or 4 for mode 'replicate', but got 'tensor<3x4xf32>'}}
  // expected-error @+1 {{'forge.pad' op failed to infer returned types}}
  %0 = forge.pad %arg0 pad [1, 1, 1, 1] mode replicate value 0.000000e+00 : (tensor<3x4xf32>) -> tensor<5x6xf32>
  return
}

// -----

// pad (C4): a pad as long as the axis.
func.func @invalid(%arg0: tensor<2x3x4xf32>) {
  // expected-error @+2 {{'forge.pad' op (C4) expected pads smaller than the axis of 4, but got 4 and 0}}
  // expected-error @+1 {{'forge.pad' op failed to infer returned types}}
  %0 = forge.pad %arg0 pad [4, 0] mode reflect value 0.000000e+00 : (tensor<2x3x4xf32>) -> tensor<2x3x8xf32>
  return
}

// -----

// pad (C2): channel_last needs one more axis.
func.func @invalid(%arg0: tensor<4xf32>) {
  // expected-error @+2 {{'forge.pad' op (C2) expected rank 2 or more, but got 'tensor<4xf32>'}}
  // expected-error @+1 {{'forge.pad' op failed to infer returned types}}
  %0 = forge.pad %arg0 pad [1, 1] mode constant value 0.000000e+00 channel_last : tensor<4xf32>
  return
}

// -----

// pad has three modes.
func.func @invalid(%arg0: tensor<2x3x4xf32>) {
  // expected-error @+1 {{'forge.pad' op attribute 'mode' failed to satisfy constraint: string attribute one of 'constant', 'replicate', 'reflect'}}
  %0 = forge.pad %arg0 pad [1, 0] mode edge value 0.000000e+00 : (tensor<2x3x4xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

// pad (C6): a value that is not an integer, and one that exceeds the type.
func.func @invalid(%arg0: tensor<2x3xi32>) {
  // expected-error @+1 {{'forge.pad' op (C6) expected a 'value' of 'i32', but got 1.5}}
  %0 = forge.pad %arg0 pad [1, 0] mode constant value 1.500000e+00 : (tensor<2x3xi32>) -> tensor<2x4xi32>
  return
}

// -----

func.func @invalid(%arg0: tensor<2x3xi32>) {
  // expected-error @+1 {{'forge.pad' op (C6) expected a 'value' of 'i32', but got 2.147484e+09}}
  %0 = forge.pad %arg0 pad [1, 0] mode constant value 2147483648.0 : (tensor<2x3xi32>) -> tensor<2x4xi32>
  return
}

// -----

// constant_pad (C1): other than two values per axis.
func.func @invalid(%arg0: tensor<2x3xf32>) {
  // expected-error @+2 {{'forge.constant_pad' op (C1) expected 'padding' with 4 values, none negative, but got [1, 0]}}
  // expected-error @+1 {{'forge.constant_pad' op failed to infer returned types}}
  %0 = forge.constant_pad %arg0 padding [1, 0] value 0.000000e+00 : tensor<2x3xf32>
  return
}

// -----

// constant_pad (C1): a negative value.
func.func @invalid(%arg0: tensor<2x3xf32>) {
  // expected-error @+2 {{'forge.constant_pad' op (C1) expected 'padding' with 4 values, none negative, but got [1, 0, -1, 0]}}
  // expected-error @+1 {{'forge.constant_pad' op failed to infer returned types}}
  %0 = forge.constant_pad %arg0 padding [1, 0, -1, 0] value 0.000000e+00 : tensor<2x3xf32>
  return
}

// -----

// broadcast (C1).
func.func @invalid(%arg0: tensor<2x1xf32>) {
  // expected-error @+2 {{'forge.broadcast' op (C1) expected 'dim' inside rank 2, but got 2}}
  // expected-error @+1 {{'forge.broadcast' op failed to infer returned types}}
  %0 = forge.broadcast %arg0 dim 2 shape 4 : (tensor<2x1xf32>) -> tensor<2x4xf32>
  return
}

// -----

// broadcast (C2).
func.func @invalid(%arg0: tensor<2x3xf32>) {
  // expected-error @+2 {{'forge.broadcast' op (C2) expected an axis of 1 or 6, but got 3}}
  // expected-error @+1 {{'forge.broadcast' op failed to infer returned types}}
  %0 = forge.broadcast %arg0 dim 1 shape 6 : (tensor<2x3xf32>) -> tensor<2x6xf32>
  return
}

// -----

// broadcast (C2): an axis of size 0.
func.func @invalid(%arg0: tensor<2x1xf32>) {
  // expected-error @+2 {{'forge.broadcast' op (C2) expected an axis of 1 or 0, but got 1}}
  // expected-error @+1 {{'forge.broadcast' op failed to infer returned types}}
  %0 = forge.broadcast %arg0 dim 1 shape 0 : (tensor<2x1xf32>) -> tensor<2x0xf32>
  return
}

// -----

// repeat (C1): too few values.
func.func @invalid(%arg0: tensor<2x3xf32>) {
  // expected-error @+2 {{'forge.repeat' op (C1) expected 2 positive 'repeats' or more, but got [2]}}
  // expected-error @+1 {{'forge.repeat' op failed to infer returned types}}
  %0 = forge.repeat %arg0 repeats [2] : (tensor<2x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

// repeat (C1): zero.
func.func @invalid(%arg0: tensor<2x3xf32>) {
  // expected-error @+2 {{'forge.repeat' op (C1) expected 2 positive 'repeats' or more, but got [2, 0]}}
  // expected-error @+1 {{'forge.repeat' op failed to infer returned types}}
  %0 = forge.repeat %arg0 repeats [2, 0] : (tensor<2x3xf32>) -> tensor<4x0xf32>
  return
}

// -----

// repeat (C1): beyond 64 bits.
func.func @invalid(%arg0: tensor<9223372036854775807xf32>) {
  // expected-error @+2 {{'forge.repeat' op (C1) expected 'repeats' that fit, but got [2]}}
  // expected-error @+1 {{'forge.repeat' op failed to infer returned types}}
  %0 = forge.repeat %arg0 repeats [2] : (tensor<9223372036854775807xf32>) -> tensor<4x0xf32>
  return
}

// -----

// repeat: a result with too many elements.
func.func @invalid(%arg0: tensor<4294967296xf32>) {
  // expected-error @+1 {{'forge.repeat' op result #0 must be statically shaped tensor of a supported element type, with fewer than 2^63 elements, but got 'tensor<2147483647x1x8589934592xf32>'}}
  %0 = forge.repeat %arg0 repeats [2147483647, 1, 2] : (tensor<4294967296xf32>) -> tensor<2147483647x1x8589934592xf32>
  return
}

// -----

// repeat_interleave (C1).
func.func @invalid(%arg0: tensor<2x3xf32>) {
  // expected-error @+2 {{'forge.repeat_interleave' op (C1) expected 'dim' inside rank 2, but got 2}}
  // expected-error @+1 {{'forge.repeat_interleave' op failed to infer returned types}}
  %0 = forge.repeat_interleave %arg0 repeats 2 dim 2 : (tensor<2x3xf32>) -> tensor<2x6xf32>
  return
}

// -----

// repeat_interleave (C2).
func.func @invalid(%arg0: tensor<2x3xf32>) {
  // expected-error @+2 {{'forge.repeat_interleave' op (C2) expected positive 'repeats', but got 0}}
  // expected-error @+1 {{'forge.repeat_interleave' op failed to infer returned types}}
  %0 = forge.repeat_interleave %arg0 repeats 0 dim 1 : (tensor<2x3xf32>) -> tensor<2x0xf32>
  return
}

// -----

// unsqueeze (C1).
func.func @invalid(%arg0: tensor<2x3xf32>) {
  // expected-error @+2 {{'forge.unsqueeze' op (C1) expected 'dim' inside rank 3, but got 3}}
  // expected-error @+1 {{'forge.unsqueeze' op failed to infer returned types}}
  %0 = forge.unsqueeze %arg0 dim 3 : (tensor<2x3xf32>) -> tensor<2x3x1xf32>
  return
}

// -----

// unsqueeze (C1): below.
func.func @invalid(%arg0: tensor<2x3xf32>) {
  // expected-error @+2 {{'forge.unsqueeze' op (C1) expected 'dim' inside rank 3, but got -4}}
  // expected-error @+1 {{'forge.unsqueeze' op failed to infer returned types}}
  %0 = forge.unsqueeze %arg0 dim -4 : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
  return
}

// -----

// squeeze (C1).
func.func @invalid(%arg0: tensor<2x1xf32>) {
  // expected-error @+2 {{'forge.squeeze' op (C1) expected 'dim' inside rank 2, but got 2}}
  // expected-error @+1 {{'forge.squeeze' op failed to infer returned types}}
  %0 = forge.squeeze %arg0 dim 2 : (tensor<2x1xf32>) -> tensor<2xf32>
  return
}

// -----

// squeeze (C2).
func.func @invalid(%arg0: tensor<2x1xf32>) {
  // expected-error @+2 {{'forge.squeeze' op (C2) expected an axis of size 1, but got 2}}
  // expected-error @+1 {{'forge.squeeze' op failed to infer returned types}}
  %0 = forge.squeeze %arg0 dim 0 : (tensor<2x1xf32>) -> tensor<1xf32>
  return
}

// -----

// pixel_shuffle (C1).
func.func @invalid(%arg0: tensor<4x4xf32>) {
  // expected-error @+2 {{'forge.pixel_shuffle' op (C1) expected rank 3 or more, but got 'tensor<4x4xf32>'}}
  // expected-error @+1 {{'forge.pixel_shuffle' op failed to infer returned types}}
  %0 = forge.pixel_shuffle %arg0 upscale_factor 2 : tensor<4x4xf32>
  return
}

// -----

// pixel_shuffle (C2): channels that do not divide.
func.func @invalid(%arg0: tensor<1x6x4x4xf32>) {
  // expected-error @+2 {{'forge.pixel_shuffle' op (C2) expected channels that divide by the square of 'upscale_factor' 2, but got 'tensor<1x6x4x4xf32>'}}
  // expected-error @+1 {{'forge.pixel_shuffle' op failed to infer returned types}}
  %0 = forge.pixel_shuffle %arg0 upscale_factor 2 : (tensor<1x6x4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

// pixel_shuffle (C2): zero.
func.func @invalid(%arg0: tensor<1x4x4x4xf32>) {
  // expected-error @+2 {{'forge.pixel_shuffle' op (C2) expected channels that divide by the square of 'upscale_factor' 0, but got 'tensor<1x4x4x4xf32>'}}
  // expected-error @+1 {{'forge.pixel_shuffle' op failed to infer returned types}}
  %0 = forge.pixel_shuffle %arg0 upscale_factor 0 : (tensor<1x4x4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

// concatenate (C1): no operands.
func.func @invalid() {
  // expected-error @+2 {{'forge.concatenate' op (C1) expected at least one operand}}
  // expected-error @+1 {{'forge.concatenate' op failed to infer returned types}}
  %0 = forge.concatenate axis 0 : () -> tensor<2xf32>
  return
}

// -----

// concatenate (C1): element types.
func.func @invalid(%arg0: tensor<2xf32>, %arg1: tensor<2xf16>) {
  // expected-error @+2 {{'forge.concatenate' op (C1) expected operands of element type 'f32', but got 'tensor<2xf16>'}}
  // expected-error @+1 {{'forge.concatenate' op failed to infer returned types}}
  %0 = forge.concatenate %arg0, %arg1 axis 0 : (tensor<2xf32>, tensor<2xf16>) -> tensor<4xf32>
  return
}

// -----

// concatenate (C1): ranks.
func.func @invalid(%arg0: tensor<2xf32>, %arg1: tensor<1x2xf32>) {
  // expected-error @+2 {{'forge.concatenate' op (C1) expected operands of rank 1, but got 'tensor<1x2xf32>'}}
  // expected-error @+1 {{'forge.concatenate' op failed to infer returned types}}
  %0 = forge.concatenate %arg0, %arg1 axis 0 : (tensor<2xf32>, tensor<1x2xf32>) -> tensor<4xf32>
  return
}

// -----

// concatenate (C2).
func.func @invalid(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) {
  // expected-error @+2 {{'forge.concatenate' op (C2) expected 'axis' inside rank 1, but got 1}}
  // expected-error @+1 {{'forge.concatenate' op failed to infer returned types}}
  %0 = forge.concatenate %arg0, %arg1 axis 1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  return
}

// -----

// concatenate (C3).
func.func @invalid(%arg0: tensor<2x3xf32>, %arg1: tensor<2x4xf32>) {
  // expected-error @+2 {{'forge.concatenate' op (C3) expected dims other than 0 as in 'tensor<2x3xf32>', but got 'tensor<2x4xf32>'}}
  // expected-error @+1 {{'forge.concatenate' op failed to infer returned types}}
  %0 = forge.concatenate %arg0, %arg1 axis 0 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return
}

// -----

// concatenate (C4).
func.func @invalid(%arg0: tensor<2x3xf32>, %arg1: tensor<0x3xf32>) {
  // expected-error @+2 {{'forge.concatenate' op (C4) expected no empty operand, but got 'tensor<0x3xf32>'}}
  // expected-error @+1 {{'forge.concatenate' op failed to infer returned types}}
  %0 = forge.concatenate %arg0, %arg1 axis 0 : (tensor<2x3xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// stack (C1): no operands.
func.func @invalid() {
  // expected-error @+2 {{'forge.stack' op (C1) expected at least one operand}}
  // expected-error @+1 {{'forge.stack' op failed to infer returned types}}
  %0 = forge.stack axis 0 : () -> tensor<2xf32>
  return
}

// -----

// stack (C1): operands of different types.
func.func @invalid(%arg0: tensor<2x3xf32>, %arg1: tensor<2x1xf32>) {
  // expected-error @+2 {{'forge.stack' op (C1) expected operands of type 'tensor<2x3xf32>', but got 'tensor<2x1xf32>'}}
  // expected-error @+1 {{'forge.stack' op failed to infer returned types}}
  %0 = forge.stack %arg0, %arg1 axis 0 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x2x3xf32>
  return
}

// -----

// stack (C2).
func.func @invalid(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) {
  // expected-error @+2 {{'forge.stack' op (C2) expected 'axis' inside rank 3, but got 3}}
  // expected-error @+1 {{'forge.stack' op failed to infer returned types}}
  %0 = forge.stack %arg0, %arg1 axis 3 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3x2xf32>
  return
}

// -----

// pad (C6): a value that overflows the type.
func.func @invalid(%arg0: tensor<2x3xf16>) {
  // expected-error @+1 {{'forge.pad' op (C6) expected a 'value' of 'f16', but got 1.0}}
  %0 = forge.pad %arg0 pad [1, 0] mode constant value 1.0e+30 : (tensor<2x3xf16>) -> tensor<2x4xf16>
  return
}
