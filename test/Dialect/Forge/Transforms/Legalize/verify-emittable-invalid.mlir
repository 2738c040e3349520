// RUN: forge-opt %s --forge-verify-emittable -split-input-file -verify-diagnostics

// The message names the node and the pass.
// expected-error @unknown {{'forge.split' of node 'layer/0\n' has no Forge call; run --forge-lower-split first}}
func.func @split(%x: tensor<2x10xf32>) -> tensor<1x10xf32> {
  %0:2 = forge.split %x dim 0 sizes [1, 1] : (tensor<2x10xf32>) -> (tensor<1x10xf32>, tensor<1x10xf32>) loc("layer/0\0A")
  %1 = forge.relu %0#0 : tensor<1x10xf32>
  return %1 : tensor<1x10xf32>
}

// -----

// Slices have no Forge call.
// expected-error @unknown {{'forge.strided_slice' of node 'layer/0\n' has no Forge call; run --forge-lower-strided-slice first}}
func.func @slice(%x: tensor<2x10xf32>) -> tensor<2x3xf32> {
  %0 = forge.strided_slice %x dim 1 [2:5] : (tensor<2x10xf32>) -> tensor<2x3xf32> loc("layer/0\0A")
  %1 = forge.relu %0 : tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

// ONNX nodes have no Forge call.
// expected-error @unknown {{'torch.operator' of node 'layer/0\n' has no Forge call; run --convert-onnx-to-forge first}}
func.func @node(%x: tensor<2x10xf32>) -> tensor<2x10xf32> {
  %0 = torch.operator "onnx.Relu"(%x) : (tensor<2x10xf32>) -> tensor<2x10xf32> loc("layer/0\0A")
  return %0 : tensor<2x10xf32>
}

// -----

// Calls of other functions have no Forge call, and no pass is named that would convert them.
func.func private @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = forge.relu %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @g(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'func.call' has no Forge call}}
  %0 = call @f(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// Calls that the device cannot lower: all of them are reported.
// expected-error @unknown {{'forge.pow' of node 'layer/0\n' cannot be lowered by the device (forge.op.Pow)}}
func.func @lowering(%x: tensor<2x10xf32>) -> tensor<2x10xf32> {
  %0 = forge.pow %x exponent 2.0 : tensor<2x10xf32> loc("layer/0\0A")
  // expected-error @+1 {{'forge.logical_and' cannot be lowered by the device (forge.op.LogicalAnd)}}
  %1 = forge.logical_and %0, %x : tensor<2x10xf32>
  return %1 : tensor<2x10xf32>
}

// -----

// Types that Forge cannot hold.
// expected-error @+3 {{input '' has type 'tensor<2xi64>', which Forge cannot hold; run --forge-legalize-types first}}
// expected-error @+2 {{input '' has type 'tensor<f32>', which Forge cannot hold; run --forge-legalize-types first}}
// expected-error @+1 {{input '' has type 'tensor<2xi1>', which Forge cannot hold; run --forge-legalize-types first}}
func.func @types(%x: tensor<2xi64>, %y: tensor<f32>, %z: tensor<2xi1>) -> tensor<2xi64> {
  // expected-error @+1 {{'forge.add' has type 'tensor<2xi64>', which Forge cannot hold; run --forge-legalize-types first}}
  %0 = forge.add %x, %x : tensor<2xi64>
  return %0 : tensor<2xi64>
}

// -----

// An input that is an output.
// expected-error @+1 {{an output has no call of its own; run --forge-isolate-outputs first}}
func.func @input(%x: tensor<2x10xf32>) -> tensor<2x10xf32> {

  return %x : tensor<2x10xf32>
}

// -----

// A weight that is an output.
// expected-error @+1 {{an output has no call of its own; run --forge-isolate-outputs first}}
func.func @weight() -> tensor<2xf32> {
  %0 = forge.parameter "w" : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// A scalar constant that is an output: it is an input of the graph, not a call.
// expected-error @+1 {{an output has no call of its own; run --forge-isolate-outputs first}}
func.func @scalar() -> tensor<1xf32> {
  %0 = forge.scalar_constant constant 1.0 dtype f32 : tensor<1xf32>
  return %0 : tensor<1xf32>
}

// -----

// A tensor that is returned twice.
// expected-error @+1 {{an output has no call of its own; run --forge-isolate-outputs first}}
func.func @twice(%x: tensor<2x10xf32>) -> (tensor<2x10xf32>, tensor<2x10xf32>) {
  %0 = forge.relu %x : tensor<2x10xf32>
  return %0, %0 : tensor<2x10xf32>, tensor<2x10xf32>
}

// -----

// A function without a body.
// expected-error @+1 {{expected a function of one block for --forge-verify-emittable}}
func.func private @declared(tensor<2xf32>)

// -----

// A pad that only convolutions read, on which the device's compiler asserts.
// expected-error @unknown {{'forge.pad' of node 'layer/0\n' is read by convolutions alone; run --forge-convolution-pads first}}
func.func @pad(%x: tensor<1x7x6x2xf32>) -> tensor<1x7x6x4xf32> {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %0 = forge.pad %x pad [1, 0] mode constant value 0.0 : (tensor<1x7x6x2xf32>) -> tensor<1x7x6x3xf32> loc("layer/0\0A")
  %1 = forge.conv2d %0, %w stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x7x6x3xf32>, tensor<4x3x3x3xf32>) -> tensor<1x7x6x4xf32>
  return %1 : tensor<1x7x6x4xf32>
}

// -----

// Slices of the second part of a split axis, which Forge makes slices of the first part.
// expected-error @unknown {{'forge.reshape' of node 'layer/0\n' would be fused by the device's compiler; run --forge-isolate-outputs first}}
func.func @slices(%x: tensor<2x6xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = forge.reshape %x shape [2, 3, 2] : (tensor<2x6xf32>) -> tensor<2x3x2xf32> loc("layer/0\0A")
  %1 = forge.index %0 dim -1 [0:1] : (tensor<2x3x2xf32>) -> tensor<2x3x1xf32>
  %2 = forge.index %0 dim -1 [1:2] : (tensor<2x3x2xf32>) -> tensor<2x3x1xf32>
  %3 = forge.reshape %1 shape [2, 3] : (tensor<2x3x1xf32>) -> tensor<2x3xf32>
  %4 = forge.reshape %2 shape [2, 3] : (tensor<2x3x1xf32>) -> tensor<2x3xf32>
  return %3, %4 : tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

// Integer quotients have no Forge call.
// expected-error @unknown {{'forge.quotient' of node 'layer/0\n' has no Forge call; run --forge-lower-integers first}}
func.func @quotient(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = forge.quotient %x, %x : tensor<2xi32> loc("layer/0\0A")
  %1 = forge.add %0, %0 : tensor<2xi32>
  return %1 : tensor<2xi32>
}

// -----

// A token in a weight would remain there in the next run.
func.func @cache_of_weights(%token: tensor<1x2x1x4xf32>, %place: tensor<1xi32>) -> tensor<1x2x8x4xf32> {
  %cache = forge.parameter "cache" : tensor<1x2x8x4xf32>
  // expected-error @+1 {{'forge.update_cache' writes into a weight}}
  %0 = forge.update_cache %cache, %token, %place : (tensor<1x2x8x4xf32>, tensor<1x2x1x4xf32>, tensor<1xi32>) -> tensor<1x2x8x4xf32>
  return %0 : tensor<1x2x8x4xf32>
}

// -----

// The device removes an identity, so that the token would be written into the weight.
func.func @identity_of_weights(%token: tensor<1x2x1x4xf32>, %place: tensor<1xi32>) -> tensor<1x2x8x4xf32> {
  %w = forge.parameter "cache" : tensor<1x2x8x4xf32>
  %cache = forge.identity %w : tensor<1x2x8x4xf32>
  // expected-error @+1 {{'forge.update_cache' writes into a weight}}
  %0 = forge.update_cache %cache, %token, %place : (tensor<1x2x8x4xf32>, tensor<1x2x1x4xf32>, tensor<1xi32>) -> tensor<1x2x8x4xf32>
  return %0 : tensor<1x2x8x4xf32>
}

// -----

// A reshape may be a view, so that the sum would read the token, or not, depending on the order of calls.
func.func @view_of_cache(%x: tensor<2x8x4xf32>, %token: tensor<1x2x1x4xf32>, %place: tensor<1xi32>)
    -> (tensor<1x2x8x4xf32>, tensor<2x8x4xf32>) {
  %cache = forge.reshape %x shape [1, 2, 8, 4] : (tensor<2x8x4xf32>) -> tensor<1x2x8x4xf32>
  // expected-error @+1 {{'forge.update_cache' writes into a cache that something else reads, too}}
  %0 = forge.update_cache %cache, %token, %place : (tensor<1x2x8x4xf32>, tensor<1x2x1x4xf32>, tensor<1xi32>) -> tensor<1x2x8x4xf32>
  %1 = forge.add %x, %x : tensor<2x8x4xf32>
  return %0, %1 : tensor<1x2x8x4xf32>, tensor<2x8x4xf32>
}

// -----

// The first write gives the same cache as its result, into which the second one may write.
func.func @two_writes(%cache: tensor<1x2x8x4xf32>, %token: tensor<1x2x1x4xf32>, %place: tensor<1xi32>) -> tensor<1x2x8x4xf32> {
  %0 = forge.fill_cache %cache, %token : (tensor<1x2x8x4xf32>, tensor<1x2x1x4xf32>) -> tensor<1x2x8x4xf32>
  %1 = forge.update_cache %0, %token, %place : (tensor<1x2x8x4xf32>, tensor<1x2x1x4xf32>, tensor<1xi32>) -> tensor<1x2x8x4xf32>
  return %1 : tensor<1x2x8x4xf32>
}

// -----

// A reduction of an operand that Forge replaces, and of which it then removes an axis.
// expected-error @unknown {{'forge.reduce_sum' of node 'layer/1\n' would be fused by the device's compiler; run --forge-isolate-outputs first}}
func.func @reduction(%x: tensor<2x6xf32>) -> tensor<3xf32> {
  %0 = forge.pad %x pad [0, 0, 1, 0] mode constant value 0.0 : (tensor<2x6xf32>) -> tensor<3x6xf32>
  %1 = forge.reduce_sum %0 dim -1 : (tensor<3x6xf32>) -> tensor<3xf32> loc("layer/1\0A")
  return %1 : tensor<3xf32>
}
