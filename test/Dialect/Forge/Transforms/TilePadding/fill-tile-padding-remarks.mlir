// Remarks say why each fill is inserted or not, and the totals.
// RUN: forge-opt %s --forge-fill-tile-padding="target=ttnn-conservative explain=true" --split-input-file -verify-diagnostics

// expected-remark @+1 {{tile padding: {"by_profile":0,"by_state":1,"inserted":2,"naive":3,"shape_pads":0,"shared":0,"target":"ttnn-conservative"}}}
func.func @reductions(%x: tensor<4x10xf32>) -> (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>) {
  // expected-remark @+1 {{'forge.reduce_sum' reads the padding columns of operand 0, whose padding holds 0: no fill}}
  %s = forge.reduce_sum %x dim -1 keep_dim : (tensor<4x10xf32>) -> tensor<4x1xf32>
  %e = forge.exp %x : tensor<4x10xf32>
  // expected-remark @+1 {{'forge.reduce_sum' reads the padding columns of operand 0, whose padding holds 1: filled with 0}}
  %t = forge.reduce_sum %e dim -1 keep_dim : (tensor<4x10xf32>) -> tensor<4x1xf32>
  %r = forge.sqrt %x : tensor<4x10xf32>
  // expected-remark @+1 {{'forge.reduce_max' reads the padding columns of operand 0, whose padding holds 0: filled with -inf}}
  %m = forge.reduce_max %r dim -1 keep_dim : (tensor<4x10xf32>) -> tensor<4x1xf32>
  return %s, %t, %m : tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>
}

// -----

// expected-remark @+1 {{"by_state":3,"inserted":1,"naive":4,"shape_pads":1}}
func.func @products(%x: tensor<64x10xf32>, %w: tensor<10x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  // expected-remark @+2 {{of operand 0, whose padding holds 0: no fill, a product with what the other side holds is 0}}
  // expected-remark @+1 {{'forge.matmul' reads the padding rows of operand 1, whose padding holds 0: no fill, a product}}
  %p = forge.matmul %x, %w : (tensor<64x10xf32>, tensor<10x64xf32>) -> tensor<64x64xf32>
  %r = forge.sqrt %p : tensor<64x64xf32>
  %u = forge.index %r dim -1 [0:10] : (tensor<64x64xf32>) -> tensor<64x10xf32>
  // expected-remark @+2 {{of operand 0, whose padding holds live undef: filled with 0}}
  // expected-remark @+1 {{of operand 1, whose padding holds 0: no fill, padded to the size of the other side}}
  %q = forge.matmul %u, %w : (tensor<64x10xf32>, tensor<10x64xf32>) -> tensor<64x64xf32>
  return %p, %q : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// expected-remark @+1 {{"by_state":1,"inserted":1,"naive":2}}
func.func @layernorm(%x: tensor<64x10xf32>, %w: tensor<10xf32>) -> tensor<64x10xf32> {
  // expected-remark @+2 {{'forge.layernorm' reads the padding columns of operand 0, whose padding holds 0: no fill}}
  // expected-remark @+1 {{'forge.layernorm' reads the padding columns of operand 0, whose padding holds undef: filled with 0}}
  %n = forge.layernorm %x, %w, %w dim -1 epsilon 1.0e-05
      : (tensor<64x10xf32>, tensor<10xf32>, tensor<10xf32>) -> tensor<64x10xf32>
  return %n : tensor<64x10xf32>
}

// -----

// Either operand may be filled: the one with fewer tiles is.
// expected-remark @+1 {{"by_state":1,"inserted":1,"naive":2,"shape_pads":1,"shared":0}}
func.func @finite_sides(%x: tensor<8x64x10xf32>, %y: tensor<10x64xf32>) -> tensor<8x64x64xf32> {
  %a = forge.sigmoid %x : tensor<8x64x10xf32>
  %b = forge.cosine %y : tensor<10x64xf32>
  // expected-remark @+2 {{of operand 0, whose padding holds 0.5: no fill, padded to the size of the other side}}
  // expected-remark @+1 {{of operand 1, whose padding holds 1: filled with 0}}
  %p = forge.matmul %a, %b : (tensor<8x64x10xf32>, tensor<10x64xf32>) -> tensor<8x64x64xf32>
  return %p : tensor<8x64x64xf32>
}

// -----

// The tiles at the edge are counted by matrix: 4 of one tile each are fewer than 5 tiles.
// expected-remark @+1 {{"by_state":1,"inserted":1,"naive":2,"shape_pads":1,"shared":0}}
func.func @edges_of_matrices(%x: tensor<4x17x10xf32>, %y: tensor<10x160xf32>) -> tensor<4x17x160xf32> {
  %a = forge.sigmoid %x : tensor<4x17x10xf32>
  %b = forge.cosine %y : tensor<10x160xf32>
  // expected-remark @+2 {{of operand 0, whose padding holds 0.5: filled with 0}}
  // expected-remark @+1 {{of operand 1, whose padding holds 1: no fill, padded to the size of the other side}}
  %p = forge.matmul %a, %b : (tensor<4x17x10xf32>, tensor<10x160xf32>) -> tensor<4x17x160xf32>
  return %p : tensor<4x17x160xf32>
}

// -----

// Zero padding of one operand does not suffice: the other has NaN from 0 / 0, and 0 times NaN is NaN.
// expected-remark @+1 {{"by_state":1,"inserted":1,"naive":2,"shape_pads":1}}
func.func @zero_times_undef(%x: tensor<64x10xf32>, %y: tensor<10x64xf32>) -> tensor<64x64xf32> {
  %c = forge.divide %y, %y : tensor<10x64xf32>
  // expected-remark @+2 {{of operand 0, whose padding holds 0: no fill, padded to the size of the other side}}
  // expected-remark @+1 {{of operand 1, whose padding holds undef: filled with 0}}
  %p = forge.matmul %x, %c : (tensor<64x10xf32>, tensor<10x64xf32>) -> tensor<64x64xf32>
  return %p : tensor<64x64xf32>
}
