// Where an op reads tile padding as if it were elements, the padding is filled with a value that does not change its
// result.
// RUN: forge-opt %s --forge-fill-tile-padding="target=ttnn-conservative" --split-input-file | FileCheck %s

// exp(0) is not 0 (B17), so that the padding is filled after the exponential; only that of the columns.
// CHECK-LABEL: func @sum_of_exp
func.func @sum_of_exp(%x: tensor<1x10xf32>) -> tensor<1x1xf32> {
  // CHECK: %[[E:.*]] = forge.exp %arg0
  // CHECK: %[[P:.*]] = forge.pad %[[E]] {{.*}}pad [0, 22] mode constant value 0.000000e+00
  // CHECK: forge.reduce_sum %[[P]] {{.*}}(tensor<1x32xf32>) -> tensor<1x1xf32>
  %e = forge.exp %x : tensor<1x10xf32>
  %s = forge.reduce_sum %e dim -1 keep_dim : (tensor<1x10xf32>) -> tensor<1x1xf32>
  return %s : tensor<1x1xf32>
}

// -----

// The host fills the padding of inputs with zeros (B18), and the absolute value keeps them zero.
// CHECK-LABEL: func @sum_of_input
// CHECK-NOT: forge.pad
func.func @sum_of_input(%x: tensor<1x10xf32>) -> (tensor<1x1xf32>, tensor<1x1xf32>) {
  %a = forge.abs %x : tensor<1x10xf32>
  %s = forge.reduce_sum %x dim -1 keep_dim : (tensor<1x10xf32>) -> tensor<1x1xf32>
  %t = forge.reduce_sum %a dim -1 keep_dim : (tensor<1x10xf32>) -> tensor<1x1xf32>
  return %s, %t : tensor<1x1xf32>, tensor<1x1xf32>
}

// -----

// One fill, before the softmax: its padding becomes exactly 0, and 0 times the zeros of %v is 0 (B19). The right
// operand of the product needs no fill.
// CHECK-LABEL: func @attention
func.func @attention(%scores: tensor<1x12x64x197xf32>, %v: tensor<1x12x197x64xf32>) -> tensor<1x12x64x64xf32> {
  // CHECK-COUNT-1: forge.pad %{{.*}}pad [0, 27] mode constant value 0xFF800000
  // CHECK: %[[S:.*]] = forge.softmax {{.*}} : {{.*}}tensor<1x12x64x224xf32> loc
  // CHECK: %[[C:.*]] = forge.index %[[S]] dim -1 [0:197]
  // CHECK-NOT: forge.pad
  // CHECK: forge.matmul %[[C]], %arg1
  %p = forge.softmax %scores dim -1 stable : tensor<1x12x64x197xf32>
  %o = forge.matmul %p, %v : (tensor<1x12x64x197xf32>, tensor<1x12x197x64xf32>) -> tensor<1x12x64x64xf32>
  return %o : tensor<1x12x64x64xf32>
}

// -----

// Two reductions need two different fills, each directly before its use (B20). The second must not rely on the zeros of
// the input, since the first may be in place. A third reduction uses the last fill.
// CHECK-LABEL: func @sum_and_max
func.func @sum_and_max(%x: tensor<4x10xf32>) -> (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>) {
  // CHECK: %[[MAX:.*]] = forge.pad %arg0 {{.*}}value 0xFF800000
  // CHECK-NEXT: forge.reduce_max %[[MAX]]
  // CHECK-NEXT: %[[SUM:.*]] = forge.pad %arg0 {{.*}}value 0.000000e+00
  // CHECK-NEXT: forge.reduce_sum %[[SUM]]
  // CHECK-NEXT: forge.reduce_sum %[[SUM]]
  %m = forge.reduce_max %x dim -1 keep_dim : (tensor<4x10xf32>) -> tensor<4x1xf32>
  %s = forge.reduce_sum %x dim -1 keep_dim : (tensor<4x10xf32>) -> tensor<4x1xf32>
  %t = forge.reduce_sum %x dim 1 keep_dim : (tensor<4x10xf32>) -> tensor<4x1xf32>
  return %m, %s, %t : tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>
}

// -----

// Shapes that are multiples of a tile have no padding (B22).
// CHECK-LABEL: func @aligned
// CHECK-NOT: forge.pad
func.func @aligned(%x: tensor<1x128x768xbf16>, %w: tensor<768xbf16>) -> tensor<1x128x768xbf16> {
  %s = forge.softmax %x dim -1 stable : tensor<1x128x768xbf16>
  %n = forge.layernorm %s, %w, %w dim -1 epsilon 1.0e-05
      : (tensor<1x128x768xbf16>, tensor<768xbf16>, tensor<768xbf16>) -> tensor<1x128x768xbf16>
  return %n : tensor<1x128x768xbf16>
}

// -----

// A mean of the padded axis would divide by 32: it becomes a sum, divided by the 10 elements, in f32, as means are
// computed.
// CHECK-LABEL: func @mean
func.func @mean(%x: tensor<3x10xbf16>) -> tensor<3xbf16> {
  // CHECK: %[[E:.*]] = forge.exp
  // CHECK: %[[P:.*]] = forge.pad %[[E]] {{.*}}value 0.000000e+00
  // CHECK: %[[W:.*]] = forge.cast %[[P]] dtype f32
  // CHECK: %[[N:.*]] = forge.constant dense<1.000000e+01> : tensor<1xf32>
  // CHECK-NOT: forge.reduce_avg
  // CHECK: forge.divide %{{.*}}, %[[N]]
  %e = forge.exp %x : tensor<3x10xbf16>
  %m = forge.reduce_avg %e dim -1 : (tensor<3x10xbf16>) -> tensor<3xbf16>
  return %m : tensor<3xbf16>
}

// -----

// The padding of the input is zero for the mean; the squares of the centred padding are not zero and are filled.
// CHECK-LABEL: func @layernorm
func.func @layernorm(%x: tensor<64x10xf32>, %w: tensor<10xf32>) -> tensor<64x10xf32> {
  // CHECK: %[[MEAN:.*]] = forge.reduce_avg %arg0
  // CHECK: %[[C:.*]] = forge.subtract %arg0, %[[MEAN]]
  // CHECK: %[[SQ:.*]] = forge.multiply %[[C]], %[[C]]
  // CHECK: %[[P:.*]] = forge.pad %[[SQ]] {{.*}}value 0.000000e+00
  // CHECK: forge.reduce_sum %[[P]]
  // CHECK-NOT: forge.layernorm
  %n = forge.layernorm %x, %w, %w dim -1 epsilon 1.0e-05
      : (tensor<64x10xf32>, tensor<10xf32>, tensor<10xf32>) -> tensor<64x10xf32>
  return %n : tensor<64x10xf32>
}

// -----

// A layer norm accepts a scale of more axes than its operand has; a multiplication would add these axes to its result,
// so that the scale is reshaped.
// CHECK-LABEL: func @layernorm_with_scales_of_more_axes
func.func @layernorm_with_scales_of_more_axes(%x: tensor<64x10xf32>, %w: tensor<1x1x10xf32>) -> tensor<64x10xf32> {
  // CHECK: %[[S:.*]] = forge.reshape %arg1 shape [1, 10]
  // CHECK: forge.multiply %{{.*}}, %[[S]] : (tensor<64x10xf32>, tensor<1x10xf32>) -> tensor<64x10xf32>
  // CHECK: forge.add %{{.*}} : (tensor<64x10xf32>, tensor<1x10xf32>) -> tensor<64x10xf32>
  %n = forge.layernorm %x, %w, %w dim -1 epsilon 1.0e-05
      : (tensor<64x10xf32>, tensor<1x1x10xf32>, tensor<1x1x10xf32>) -> tensor<64x10xf32>
  return %n : tensor<64x10xf32>
}

// -----

// Zero padding of one operand suffices if the other is finite there, as the logarithm of padding is (here -23); its
// square root is NaN.
// CHECK-LABEL: func @product
func.func @product(%x: tensor<64x10xf32>, %w: tensor<10x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %l = forge.log %x : tensor<64x10xf32>
  %a = forge.add %l, %l : tensor<64x10xf32>
  // CHECK: %[[R:.*]] = forge.sqrt
  %r = forge.sqrt %l : tensor<64x10xf32>
  // CHECK: forge.matmul %{{.*}}, %arg1 : (tensor<64x10xf32>, tensor<10x64xf32>)
  %p = forge.matmul %l, %w : (tensor<64x10xf32>, tensor<10x64xf32>) -> tensor<64x64xf32>
  // CHECK: %[[PA:.*]] = forge.pad %[[R]] {{.*}}pad [0, 22]
  // CHECK: %[[PB:.*]] = forge.pad %arg1 {{.*}}pad [0, 0, 0, 22]
  // CHECK: forge.matmul %[[PA]], %[[PB]]
  %q = forge.matmul %r, %w : (tensor<64x10xf32>, tensor<10x64xf32>) -> tensor<64x64xf32>
  return %p, %q : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// Padding of rows is filled below them. Integers have a lowest value instead of an infinity.
// CHECK-LABEL: func @rows
func.func @rows(%x: tensor<2x10x64xi32>) -> (tensor<2x64xi32>, tensor<2x1x64xi32>) {
  // CHECK: %[[P:.*]] = forge.pad {{.*}}pad [0, 0, 0, 22] mode constant value -2.14748365E+9
  // CHECK: forge.argmax %[[P]]
  %a = forge.argmax %x dim -2 : (tensor<2x10x64xi32>) -> tensor<2x64xi32>
  // CHECK-NEXT: forge.reduce_max %[[P]]
  %m = forge.reduce_max %x dim -2 keep_dim : (tensor<2x10x64xi32>) -> tensor<2x1x64xi32>
  return %a, %m : tensor<2x64xi32>, tensor<2x1x64xi32>
}

// -----

// A cumulative sum reads no padding before an element, and an axis that is not tiled has no padding.
// CHECK-LABEL: func @no_padding_read
// CHECK-NOT: forge.pad
func.func @no_padding_read(%x: tensor<10x10x10xf32>) -> (tensor<10x10x10xf32>, tensor<1x10x10xf32>) {
  %e = forge.exp %x : tensor<10x10x10xf32>
  %c = forge.cum_sum %e dim -1 : tensor<10x10x10xf32>
  %s = forge.reduce_sum %e dim 0 keep_dim : (tensor<10x10x10xf32>) -> tensor<1x10x10xf32>
  return %c, %s : tensor<10x10x10xf32>, tensor<1x10x10xf32>
}

// -----

// Integer division traps on the zero padding of a divisor, unless the divisor is a broadcast scalar.
// CHECK-LABEL: func @remainder
func.func @remainder(%x: tensor<2x10xi32>, %y: tensor<2x10xi32>) -> (tensor<2x10xi32>, tensor<2x10xi32>) {
  // CHECK: %[[P:.*]] = forge.pad %arg1 {{.*}}pad [0, 22, 0, 30] mode constant value 1.000000e+00
  // CHECK: %[[C:.*]] = forge.index %[[P]] dim -1 [
  // CHECK: %[[D:.*]] = forge.index %[[C]] dim -2 [
  // CHECK: forge.remainder %arg0, %[[D]]
  %r = forge.remainder %x, %y : tensor<2x10xi32>
  %seven = forge.constant dense<7> : tensor<1xi32>
  // CHECK-NOT: forge.pad
  // CHECK: forge.remainder
  %s = forge.remainder %x, %seven : (tensor<2x10xi32>, tensor<1xi32>) -> tensor<2x10xi32>
  return %r, %s : tensor<2x10xi32>, tensor<2x10xi32>
}

// -----

// A slice that ends inside a tile has elements of the next slice as padding: it is filled, whatever it holds.
// CHECK-LABEL: func @slice_inside_tiles
func.func @slice_inside_tiles(%x: tensor<1x64x240xf32>) -> (tensor<1x64x1xf32>, tensor<1x64x1xf32>) {
  // CHECK: %[[S:.*]] = forge.index
  // CHECK: forge.pad %[[S]] {{.*}}pad [0, 16]
  %d = forge.index %x dim -1 [0:80] : (tensor<1x64x240xf32>) -> tensor<1x64x80xf32>
  %s = forge.reduce_sum %d dim -1 keep_dim : (tensor<1x64x80xf32>) -> tensor<1x64x1xf32>
  // A slice at the end of the tensor has its zeros as padding. The fill above does not change it, even if it is in
  // place.
  %v = forge.index %x dim -1 [160:240] : (tensor<1x64x240xf32>) -> tensor<1x64x80xf32>
  // CHECK-NOT: forge.pad
  // CHECK: return
  %t = forge.reduce_sum %v dim -1 keep_dim : (tensor<1x64x80xf32>) -> tensor<1x64x1xf32>
  return %s, %t : tensor<1x64x1xf32>, tensor<1x64x1xf32>
}

// -----

// A function that runs on the CPU has no tiles.
// CHECK-LABEL: func @on_the_cpu
// CHECK-NOT: forge.pad
func.func @on_the_cpu(%x: tensor<4x10xf32>) -> tensor<4x10xf32> attributes {forge.partition = "cpu"} {
  %s = forge.softmax %x dim -1 stable : tensor<4x10xf32>
  return %s : tensor<4x10xf32>
}

// -----

// A second fill of the same storage overwrites the first, so that the third is inserted again.
// CHECK-LABEL: func @three_fills
func.func @three_fills(%x: tensor<4x10xf32>) -> (tensor<4x10xf32>, tensor<4x1xf32>, tensor<4x10xf32>) {
  // CHECK: forge.pad %arg0 {{.*}}value 0xFF800000
  // CHECK: forge.pad %arg0 {{.*}}value 0.000000e+00
  // CHECK: forge.pad %arg0 {{.*}}value 0xFF800000
  %a = forge.softmax %x dim -1 stable : tensor<4x10xf32>
  %s = forge.reduce_sum %x dim -1 keep_dim : (tensor<4x10xf32>) -> tensor<4x1xf32>
  %b = forge.log_softmax %x dim -1 stable : tensor<4x10xf32>
  return %a, %s, %b : tensor<4x10xf32>, tensor<4x1xf32>, tensor<4x10xf32>
}

// -----

// A view shares the storage of its source: a fill of one changes the padding of the other.
// CHECK-LABEL: func @views
func.func @views(%x: tensor<1x4x10xf32>) -> (tensor<4x10xf32>, tensor<1x4x1xf32>) {
  // CHECK: %[[V:.*]] = forge.reshape %arg0
  // CHECK: forge.pad %[[V]] {{.*}}value 0xFF800000
  // CHECK: forge.pad %arg0 {{.*}}value 0.000000e+00
  %v = forge.reshape %x shape [4, 10] : (tensor<1x4x10xf32>) -> tensor<4x10xf32>
  %a = forge.softmax %v dim -1 stable : tensor<4x10xf32>
  %s = forge.reduce_sum %x dim -1 keep_dim : (tensor<1x4x10xf32>) -> tensor<1x4x1xf32>
  return %a, %s : tensor<4x10xf32>, tensor<1x4x1xf32>
}

// -----

// Both operands are finite, neither is 0: the one with fewer tiles is filled, and the other is padded to the same size.
// CHECK-LABEL: func @finite_sides
func.func @finite_sides(%x: tensor<64x10xf32>) -> tensor<64x64xf32> {
  %w = forge.parameter "w" : tensor<10x64xf32>
  // CHECK: %[[A:.*]] = forge.sigmoid %arg0
  // CHECK: %[[B:.*]] = forge.cosine
  %a = forge.sigmoid %x : tensor<64x10xf32>
  %b = forge.cosine %w : tensor<10x64xf32>
  // CHECK-DAG: %[[PA:.*]] = forge.pad %[[A]] {{.*}}value 0.000000e+00
  // CHECK-DAG: %[[PB:.*]] = forge.pad %[[B]] {{.*}}value 0.000000e+00
  // CHECK: forge.matmul %[[PA]], %[[PB]]
  %p = forge.matmul %a, %b : (tensor<64x10xf32>, tensor<10x64xf32>) -> tensor<64x64xf32>
  return %p : tensor<64x64xf32>
}

// -----

// A product with a vector contracts the columns of the left operand, and these are filled.
// CHECK-LABEL: func @vector
func.func @vector(%x: tensor<10x64xf32>, %v: tensor<10xf32>) -> tensor<64xf32> {
  // CHECK: %[[R:.*]] = forge.reshape
  // CHECK-DAG: forge.pad %[[R]] {{.*}}pad [0, 22]{{.*}} -> tensor<64x32xf32>
  // CHECK-DAG: forge.pad %arg1 {{.*}}pad [0, 22]{{.*}} -> tensor<32xf32>
  %r = forge.reshape %x shape [64, 10] : (tensor<10x64xf32>) -> tensor<64x10xf32>
  %p = forge.matmul %r, %v : (tensor<64x10xf32>, tensor<10xf32>) -> tensor<64xf32>
  return %p : tensor<64xf32>
}

// -----

// The padding of the rows would be copied into the cache. A global average pool is a mean.
// CHECK-LABEL: func @cache_and_pool
func.func @cache_and_pool(%cache: tensor<1x4x64x32xf32>, %x: tensor<1x4x5x32xf32>, %y: tensor<1x8x10xf32>)
    -> (tensor<1x4x64x32xf32>, tensor<1x8x1xf32>) {
  // CHECK: %[[E:.*]] = forge.exp %arg1
  // CHECK: %[[P:.*]] = forge.pad %[[E]] {{.*}}pad [0, 0, 0, 27] mode constant value 0.000000e+00
  // CHECK: %[[C:.*]] = forge.index %[[P]] dim -2 [0:5]
  // CHECK: forge.fill_cache %arg0, %[[C]]
  %e = forge.exp %x : tensor<1x4x5x32xf32>
  %c = forge.fill_cache %cache, %e
      : (tensor<1x4x64x32xf32>, tensor<1x4x5x32xf32>) -> tensor<1x4x64x32xf32>
  // CHECK: %[[Q:.*]] = forge.pad {{.*}} tensor<1x8x32xf32> loc
  // CHECK: %[[S:.*]] = forge.reduce_sum %[[Q]]
  // CHECK: forge.divide %[[S]]
  %f = forge.exp %y : tensor<1x8x10xf32>
  %a = forge.avg_pool1d %f kernel_size 10 stride 10 padding 0 count_include_pad
      : (tensor<1x8x10xf32>) -> tensor<1x8x1xf32>
  return %c, %a : tensor<1x4x64x32xf32>, tensor<1x8x1xf32>
}

// -----

// A scalar is one element of a tile.
// CHECK-LABEL: func @scalar
func.func @scalar(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  // CHECK: %[[A:.*]] = forge.add
  // CHECK: %[[R:.*]] = forge.reshape %[[A]] shape [1, 1]
  // CHECK: %[[P:.*]] = forge.pad %[[R]] {{.*}}pad [0, 31, 0, 31] mode constant value 1.000000e+00
  // CHECK: %[[C:.*]] = forge.index %[[P]] dim -1
  // CHECK: %[[D:.*]] = forge.index %[[C]] dim -2
  // CHECK: %[[S:.*]] = forge.reshape %[[D]] shape [] : (tensor<1x1xi32>) -> tensor<i32>
  // CHECK: forge.remainder %arg0, %[[S]]
  %a = forge.add %x, %y : tensor<i32>
  %q = forge.remainder %x, %a : tensor<i32>
  return %q : tensor<i32>
}

// -----

// In place, the pad writes its elements to the padding of %e. As they are read after the softmax, a copy of %e is
// filled. The fill before the sum needs no copy: the elements are those of its operand.
// CHECK-LABEL: func @fill_after_pad
func.func @fill_after_pad(%x: tensor<7x1xf32>) -> (tensor<7x1xf32>, tensor<7x6xf32>, tensor<7x1xf32>) {
  // CHECK: %[[E:.*]] = forge.exp %arg0
  // CHECK: %[[P:.*]] = forge.pad %[[E]] {{.*}}-> tensor<7x6xf32>
  // CHECK: %[[C:.*]] = forge.multiply %[[E]]
  // CHECK: %[[F:.*]] = forge.pad %[[C]] {{.*}}value 0xFF800000
  // CHECK: forge.softmax %[[F]]
  // CHECK: forge.tanh %[[P]]
  // CHECK: forge.pad %[[P]] {{.*}}-> tensor<7x32xf32>
  %e = forge.exp %x : tensor<7x1xf32>
  %p = forge.pad %e pad [0, 5] mode constant value 0.0 : (tensor<7x1xf32>) -> tensor<7x6xf32>
  %s = forge.softmax %e dim -1 stable : tensor<7x1xf32>
  %t = forge.tanh %p : tensor<7x6xf32>
  %u = forge.reduce_sum %p dim -1 keep_dim : (tensor<7x6xf32>) -> tensor<7x1xf32>
  return %s, %t, %u : tensor<7x1xf32>, tensor<7x6xf32>, tensor<7x1xf32>
}
