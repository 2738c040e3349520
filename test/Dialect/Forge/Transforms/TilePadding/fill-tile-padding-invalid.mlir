// RUN: forge-opt %s --forge-fill-tile-padding="format=bfp8" --split-input-file -verify-diagnostics
// RUN: not forge-opt %s --forge-fill-tile-padding="target=gpu" 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not forge-opt %s --forge-fill-tile-padding="format=fp8" 2>&1 | FileCheck %s --check-prefix=FORMAT
// TARGET: error: [FM2006] expected a target of ttnn-conservative, ttnn-self-masking, none, but got 'gpu'
// FORMAT: error: [FM2006] expected a format out of f32 f16 bf16 bfp8 bfp4 bfp2, but got 'fp8'

func.func @softmax_in_block_floats(%x: tensor<4x10xf32>) -> tensor<4x10xf32> {
  // expected-error @+1 {{'forge.softmax' reads the padding columns of 'tensor<4x10xf32>', which holds 0: no constant fill for block floats; keep this tensor in bf16}}
  %s = forge.softmax %x dim -1 stable : tensor<4x10xf32>
  return %s : tensor<4x10xf32>
}

// -----

func.func @maximum_in_block_floats(%x: tensor<2x3x4x10xf32>) -> tensor<2x3x4x1xf32> {
  // expected-error @+1 {{block floats need copies of the last element, which Forge's pad cannot make at rank 4; keep this tensor in bf16}}
  %m = forge.reduce_max %x dim -1 keep_dim : (tensor<2x3x4x10xf32>) -> tensor<2x3x4x1xf32>
  return %m : tensor<2x3x4x1xf32>
}

// -----

func.func @position_in_the_whole_tensor(%x: tensor<4x10xf32>) -> tensor<1xi32> {
  // expected-error @+1 {{no fill leaves its result alone; make the size a multiple of 32}}
  %a = forge.argmax %x : (tensor<4x10xf32>) -> tensor<i32>
  %r = forge.reshape %a shape [1] : (tensor<i32>) -> tensor<1xi32>
  return %r : tensor<1xi32>
}
