// RUN: forge-opt %s --forge-fold-weights | FileCheck %s
// RUN: forge-opt %s --forge-fold-weights="exact=true" | FileCheck %s --check-prefix=BITS

// CHECK-LABEL: func.func @column_scale(
//      CHECK: %[[V:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
//      CHECK: %[[P:.+]] = forge.matmul %arg0, %[[V]]
//      CHECK: %[[B:.+]] = forge.multiply %{{.+}}, %{{.+}} : tensor<4xf32>
//      CHECK: %[[Y:.+]] = forge.add %[[B]], %[[P]]
// CHECK-NEXT: return %[[Y]]
func.func @column_scale(%x: tensor<2x8xf32>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<8x4xf32>
  %b = forge.parameter "b" : tensor<4xf32>
  %s = forge.parameter "s" : tensor<4xf32>
  %0 = forge.matmul %x, %w : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %1 = forge.add %b, %0 : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = forge.multiply %s, %1 : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// A division of the scores is folded into the projection of the queries, through the reshape into heads and the product
// with the keys.
// CHECK-LABEL: func.func @attention_scale(
//      CHECK: %[[I:.+]] = forge.scalar_constant constant 5.000000e-01
//      CHECK: %[[V:.+]] = forge.multiply %{{.+}}, %[[I]] : (tensor<8x8xf32>, tensor<1xf32>) -> tensor<8x8xf32>
//      CHECK: %[[Q:.+]] = forge.matmul %arg0, %[[V]]
//      CHECK: %[[S:.+]] = forge.matmul %{{.+}}, %arg1
// CHECK-NEXT: return %[[S]]
func.func @attention_scale(%x: tensor<1x6x8xf32>, %k: tensor<1x2x4x6xf32>) -> tensor<1x2x6x6xf32> {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %s = forge.scalar_constant constant 2.0 dtype f32 : () -> tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<1x6x8xf32>, tensor<8x8xf32>) -> tensor<1x6x8xf32>
  %1 = forge.reshape %0 shape [1, 6, 2, 4] : (tensor<1x6x8xf32>) -> tensor<1x6x2x4xf32>
  %2 = forge.transpose %1 dims -3, -2 : (tensor<1x6x2x4xf32>) -> tensor<1x2x6x4xf32>
  %3 = forge.matmul %2, %k : (tensor<1x2x6x4xf32>, tensor<1x2x4x6xf32>) -> tensor<1x2x6x6xf32>
  %4 = forge.divide %3, %s : (tensor<1x2x6x6xf32>, tensor<1xf32>) -> tensor<1x2x6x6xf32>
  return %4 : tensor<1x2x6x6xf32>
}

// Scales of both activations are merged into one scale of their product.
// CHECK-LABEL: func.func @scales_of_both_operands(
//      CHECK: %[[P:.+]] = forge.matmul %arg0, %arg1
//      CHECK: %[[S:.+]] = forge.scalar_constant constant 2.500000e-01
//      CHECK: %[[Y:.+]] = forge.multiply %[[P]], %[[S]]
// CHECK-NEXT: return %[[Y]]
func.func @scales_of_both_operands(%q: tensor<2x6x4xf32>, %k: tensor<2x4x6xf32>) -> tensor<2x6x6xf32> {
  %s = forge.scalar_constant constant 0.5 dtype f32 : () -> tensor<1xf32>
  %0 = forge.multiply %q, %s : (tensor<2x6x4xf32>, tensor<1xf32>) -> tensor<2x6x4xf32>
  %1 = forge.multiply %s, %k : (tensor<1xf32>, tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %2 = forge.matmul %0, %1 : (tensor<2x6x4xf32>, tensor<2x4x6xf32>) -> tensor<2x6x6xf32>
  return %2 : tensor<2x6x6xf32>
}

// CHECK-LABEL: func.func @convolution(
//      CHECK: %[[S:.+]] = forge.reshape %{{.+}} shape [4, 1, 1, 1]
//      CHECK: %[[W:.+]] = forge.multiply %{{.+}}, %[[S]] : (tensor<4x3x1x1xf32>, tensor<4x1x1x1xf32>) -> tensor<4x3x1x1xf32>
//      CHECK: %[[B:.+]] = forge.reshape %{{.+}} shape [4] : (tensor<4x1x1xf32>) -> tensor<4xf32>
//      CHECK: %[[Y:.+]] = forge.conv2d %arg0, %[[W]], %[[B]]
// CHECK-NEXT: return %[[Y]]
func.func @convolution(%x: tensor<1x3x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %w = forge.parameter "w" : tensor<4x3x1x1xf32>
  %s = forge.parameter "s" : tensor<1x4x1x1xf32>
  %b = forge.parameter "b" : tensor<4x1x1xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32>
  %1 = forge.multiply %0, %s : (tensor<1x4x8x8xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  %2 = forge.add %1, %b : (tensor<1x4x8x8xf32>, tensor<4x1x1xf32>) -> tensor<1x4x8x8xf32>
  return %2 : tensor<1x4x8x8xf32>
}

// Unchanged: the product has another user, 16-bit types, a scale per row, and a product of two inputs.
// CHECK-LABEL: func.func @unchanged(
// CHECK: %[[A:.+]] = forge.matmul %arg0, %{{.+}}
// CHECK: forge.multiply %[[A]], %
// CHECK: %[[B:.+]] = forge.matmul %arg1, %{{.+}}
// CHECK: forge.multiply %[[B]], %
// CHECK: %[[C:.+]] = forge.matmul %arg0, %{{.+}}
// CHECK: forge.multiply %[[C]], %
// CHECK: %[[D:.+]] = forge.matmul %arg0, %arg2
// CHECK: forge.multiply %[[D]], %
func.func @unchanged(%x: tensor<2x8xf32>, %h: tensor<2x8xf16>, %y: tensor<8x4xf32>)
    -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf16>, tensor<2x4xf32>, tensor<2x4xf32>) {
  %s = forge.scalar_constant constant 2.0 dtype f32 : () -> tensor<1xf32>
  %t = forge.scalar_constant constant 2.0 dtype f16 : () -> tensor<1xf16>
  %r = forge.parameter "r" : tensor<2x1xf32>
  %v = forge.parameter "v" : tensor<8x4xf32>
  %u = forge.parameter "u" : tensor<8x4xf16>
  %0 = forge.matmul %x, %v : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %1 = forge.multiply %0, %s : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
  %2 = forge.matmul %h, %u : (tensor<2x8xf16>, tensor<8x4xf16>) -> tensor<2x4xf16>
  %3 = forge.multiply %2, %t : (tensor<2x4xf16>, tensor<1xf16>) -> tensor<2x4xf16>
  %4 = forge.matmul %x, %v : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %5 = forge.multiply %4, %r : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %6 = forge.matmul %x, %y : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %7 = forge.multiply %6, %s : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
  return %0, %1, %3, %5, %7 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf16>, tensor<2x4xf32>, tensor<2x4xf32>
}

// A large weight with another user is not stored a second time.
// CHECK-LABEL: func.func @shared_large_weight(
// CHECK: %[[A:.+]] = forge.matmul %arg0, %{{.+}}
// CHECK: forge.multiply %[[A]], %
func.func @shared_large_weight(%x: tensor<2x512xf32>) -> (tensor<2x512xf32>, tensor<2x512xf32>) {
  %s = forge.scalar_constant constant 2.0 dtype f32 : () -> tensor<1xf32>
  %w = forge.parameter "w" : tensor<512x512xf32>
  %0 = forge.matmul %x, %w : (tensor<2x512xf32>, tensor<512x512xf32>) -> tensor<2x512xf32>
  %1 = forge.multiply %0, %s : (tensor<2x512xf32>, tensor<1xf32>) -> tensor<2x512xf32>
  %2 = forge.matmul %1, %w : (tensor<2x512xf32>, tensor<512x512xf32>) -> tensor<2x512xf32>
  return %1, %2 : tensor<2x512xf32>, tensor<2x512xf32>
}

// Queries and keys are slices of one projection: the scale of the queries is folded into their columns, the columns of
// the keys are multiplied by 1.
// CHECK-LABEL: func.func @scale_of_a_slice(
//       CHECK: %[[R:.+]] = forge.repeat %{{.+}} repeats [3] : (tensor<1xf32>) -> tensor<3xf32>
//       CHECK: %[[ONES:.+]] = forge.constant dense<1.000000e+00> : tensor<3xf32>
//       CHECK: %[[ROW:.+]] = forge.concatenate %[[R]], %[[ONES]] axis -1
//       CHECK: %[[W:.+]] = forge.multiply %{{.+}}, %[[ROW]] : (tensor<8x6xf32>, tensor<6xf32>)
//       CHECK: forge.matmul %arg0, %[[W]]
//       CHECK: %[[B:.+]] = forge.multiply %{{.+}}, %{{.+}} : tensor<6xf32>
//       CHECK: %[[P:.+]] = forge.add %{{.+}}, %[[B]]
//       CHECK: %[[Q:.+]] = forge.index %[[P]] dim -1 [0:3]
//       CHECK: %[[K:.+]] = forge.index %[[P]] dim -1 [3:6]
//       CHECK: %[[T:.+]] = forge.transpose %[[K]]
//       CHECK: forge.matmul %[[Q]], %[[T]]
//  CHECK-NEXT: return
func.func @scale_of_a_slice(%x: tensor<1x5x8xf32>) -> tensor<1x5x5xf32> {
  %w = forge.parameter "w" : tensor<8x6xf32>
  %b = forge.parameter "b" : tensor<6xf32>
  %s = forge.scalar_constant constant 0.5 dtype f32 : () -> tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<1x5x8xf32>, tensor<8x6xf32>) -> tensor<1x5x6xf32>
  %1 = forge.add %0, %b : (tensor<1x5x6xf32>, tensor<6xf32>) -> tensor<1x5x6xf32>
  %q = forge.index %1 dim -1 [0:3] : (tensor<1x5x6xf32>) -> tensor<1x5x3xf32>
  %k = forge.index %1 dim -1 [3:6] : (tensor<1x5x6xf32>) -> tensor<1x5x3xf32>
  %t = forge.transpose %k dims -2, -1 : (tensor<1x5x3xf32>) -> tensor<1x3x5xf32>
  %2 = forge.matmul %q, %t : (tensor<1x5x3xf32>, tensor<1x3x5xf32>) -> tensor<1x5x5xf32>
  %3 = forge.multiply %2, %s : (tensor<1x5x5xf32>, tensor<1xf32>) -> tensor<1x5x5xf32>
  return %3 : tensor<1x5x5xf32>
}

// The bias of the projection may be either operand of its addition.
// CHECK-LABEL: func.func @scale_of_a_slice_after_its_bias(
//       CHECK: %[[S:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<8x6xf32>, tensor<6xf32>)
//       CHECK: forge.matmul %arg0, %[[S]]
//   CHECK-NOT: forge.multiply %{{.+}} : (tensor<1x5x
//       CHECK: return
func.func @scale_of_a_slice_after_its_bias(%x: tensor<1x5x8xf32>) -> (tensor<1x5x3xf32>, tensor<1x5x3xf32>) {
  %w = forge.parameter "w" : tensor<8x6xf32>
  %b = forge.parameter "b" : tensor<6xf32>
  %s = forge.scalar_constant constant 0.5 dtype f32 : () -> tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<1x5x8xf32>, tensor<8x6xf32>) -> tensor<1x5x6xf32>
  %1 = forge.add %b, %0 : (tensor<6xf32>, tensor<1x5x6xf32>) -> tensor<1x5x6xf32>
  %q = forge.index %1 dim -1 [0:3] : (tensor<1x5x6xf32>) -> tensor<1x5x3xf32>
  %k = forge.index %1 dim -1 [3:6] : (tensor<1x5x6xf32>) -> tensor<1x5x3xf32>
  %2 = forge.multiply %q, %s : (tensor<1x5x3xf32>, tensor<1xf32>) -> tensor<1x5x3xf32>
  return %2, %k : tensor<1x5x3xf32>, tensor<1x5x3xf32>
}

// The whole projection has another user: the scale stays.
// CHECK-LABEL: func.func @slice_of_a_product_with_another_user(
//       CHECK: tensor<8x6xf32>) -> tensor<1x5x6xf32>
//       CHECK: forge.multiply %{{.+}} : (tensor<1x5x3xf32>, tensor<1xf32>)
func.func @slice_of_a_product_with_another_user(%x: tensor<1x5x8xf32>) -> (tensor<1x5x3xf32>, tensor<1x5x6xf32>) {
  %w = forge.parameter "w" : tensor<8x6xf32>
  %s = forge.scalar_constant constant 0.5 dtype f32 : () -> tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<1x5x8xf32>, tensor<8x6xf32>) -> tensor<1x5x6xf32>
  %q = forge.index %0 dim -1 [0:3] : (tensor<1x5x6xf32>) -> tensor<1x5x3xf32>
  %1 = forge.multiply %q, %s : (tensor<1x5x3xf32>, tensor<1xf32>) -> tensor<1x5x3xf32>
  return %1, %0 : tensor<1x5x3xf32>, tensor<1x5x6xf32>
}

// A batch norm followed by another scale and shift: one multiplication and one addition remain.
// CHECK-LABEL: func.func @batch_norm_then_scale(
//      CHECK: %[[A:.+]] = forge.parameter "a"
//      CHECK: %[[B:.+]] = forge.parameter "b"
//      CHECK: %[[C:.+]] = forge.parameter "c"
//      CHECK: %[[D:.+]] = forge.parameter "d"
//      CHECK: %[[AC:.+]] = forge.multiply %[[A]], %[[C]] :
// CHECK-NEXT: %[[P:.+]] = forge.multiply %arg0, %[[AC]] :
// CHECK-NEXT: %[[BC:.+]] = forge.multiply %[[B]], %[[C]] :
// CHECK-NEXT: %[[T:.+]] = forge.add %[[BC]], %[[D]] :
// CHECK-NEXT: %[[Y:.+]] = forge.add %[[P]], %[[T]] : (tensor<1x4x5x5xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x5x5xf32>
// CHECK-NEXT: return %[[Y]]
func.func @batch_norm_then_scale(%x: tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32> {
  %a = forge.parameter "a" : tensor<1x4x1x1xf32>
  %b = forge.parameter "b" : tensor<1x4x1x1xf32>
  %c = forge.parameter "c" : tensor<4x1x1xf32>
  %d = forge.parameter "d" : tensor<4x1x1xf32>
  %0 = forge.multiply %x, %a : (tensor<1x4x5x5xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x5x5xf32>
  %1 = forge.add %0, %b : (tensor<1x4x5x5xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x5x5xf32>
  %2 = forge.multiply %1, %c : (tensor<1x4x5x5xf32>, tensor<4x1x1xf32>) -> tensor<1x4x5x5xf32>
  %3 = forge.add %2, %d : (tensor<1x4x5x5xf32>, tensor<4x1x1xf32>) -> tensor<1x4x5x5xf32>
  return %3 : tensor<1x4x5x5xf32>
}

// An addition that rounds to integers stays, and scales along different axes are not merged.
// CHECK-LABEL: func.func @not_merged(
//      CHECK: forge.add %arg0, %[[Z:[^ ]+]] :
//      CHECK: forge.add %{{.+}}, %[[M:[^ ]+]] :
//      CHECK: forge.multiply %arg1, %{{.+}} : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
//      CHECK: forge.multiply %{{.+}}, %{{.+}} : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
func.func @not_merged(%x: tensor<2x4xf32>, %y: tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<4x4xf32>) {
  %z = forge.scalar_constant constant 3.0 dtype f32 : tensor<1xf32>
  %m = forge.scalar_constant constant 12582912.0 dtype f32 : tensor<1xf32>
  %r = forge.parameter "r" : tensor<4x1xf32>
  %c = forge.parameter "c" : tensor<4xf32>
  %0 = forge.add %x, %z : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
  %1 = forge.add %0, %m : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
  %2 = forge.multiply %y, %r : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
  %3 = forge.multiply %2, %c : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  return %1, %3 : tensor<2x4xf32>, tensor<4x4xf32>
}

// A constant triangular mask times an input mask: the triangle is folded into the value that `where` selects.
// Every element is selected from the same two numbers, so that the rewrite is exact. Unchanged: a mask with values other
// than 0 and 1, and a product with another user.
// CHECK-LABEL: func.func @constant_mask(
//       CHECK: %[[Z:.+]] = forge.constant dense<{{\[\[}}0.000000e+00, 0xFF800000], [0.000000e+00, 0.000000e+00]]> : tensor<2x2xf32>
//  CHECK-NEXT: %[[A:.+]] = forge.where %arg0, %[[Z]], %{{.+}} : (tensor<3x1x2xi32>, tensor<2x2xf32>, tensor<1xf32>) -> tensor<3x2x2xf32>
//       CHECK: %[[OTHER:.+]] = forge.multiply
//  CHECK-NEXT: %[[B:.+]] = forge.where %[[OTHER]]
//       CHECK: %[[READ:.+]] = forge.multiply
//  CHECK-NEXT: %[[C:.+]] = forge.where %[[READ]]
//  CHECK-NEXT: return %[[A]], %[[B]], %[[C]], %[[READ]]
//  BITS-LABEL: func.func @constant_mask(
//        BITS: forge.where %arg0, %{{.+}}, %{{.+}} : (tensor<3x1x2xi32>, tensor<2x2xf32>, tensor<1xf32>) -> tensor<3x2x2xf32>
func.func @constant_mask(%given: tensor<3x1x2xi32>)
    -> (tensor<3x2x2xf32>, tensor<3x2x2xf32>, tensor<3x2x2xf32>, tensor<3x2x2xi32>) {
  %known = forge.constant dense<[[1, 0], [1, 1]]> : tensor<2x2xi32>
  %numbers = forge.constant dense<[[2, 0], [1, 1]]> : tensor<2x2xi32>
  %zero = forge.scalar_constant constant 0.0 dtype f32 : () -> tensor<1xf32>
  %low = forge.scalar_constant constant 0xFF800000 dtype f32 : () -> tensor<1xf32>
  %0 = forge.multiply %known, %given : (tensor<2x2xi32>, tensor<3x1x2xi32>) -> tensor<3x2x2xi32>
  %1 = forge.where %0, %zero, %low : (tensor<3x2x2xi32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3x2x2xf32>
  %2 = forge.multiply %given, %numbers : (tensor<3x1x2xi32>, tensor<2x2xi32>) -> tensor<3x2x2xi32>
  %3 = forge.where %2, %zero, %low : (tensor<3x2x2xi32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3x2x2xf32>
  %4 = forge.multiply %given, %known : (tensor<3x1x2xi32>, tensor<2x2xi32>) -> tensor<3x2x2xi32>
  %5 = forge.where %4, %zero, %low : (tensor<3x2x2xi32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3x2x2xf32>
  return %1, %3, %5, %4 : tensor<3x2x2xf32>, tensor<3x2x2xf32>, tensor<3x2x2xf32>, tensor<3x2x2xi32>
}

// An outer product of two weights becomes an elementwise multiplication with broadcasting; an outer product with an
// activation stays.
// CHECK-LABEL: func.func @outer_product(
//       CHECK: %[[ANGLES:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<1x4x1xf32>, tensor<1x1x8xf32>) -> tensor<1x4x8xf32>
//  CHECK-NEXT: %[[Y:.+]] = forge.add %arg0, %[[ANGLES]]
//  CHECK-NEXT: %[[Z:.+]] = forge.matmul %{{.+}}, %arg1
//  CHECK-NEXT: return %[[Y]], %[[Z]]
func.func @outer_product(%x: tensor<1x4x8xf32>, %positions: tensor<1x1x8xf32>) -> (tensor<1x4x8xf32>, tensor<1x4x8xf32>) {
  %frequencies = forge.parameter "f" : tensor<1x4x1xf32>
  %known = forge.parameter "p" : tensor<1x1x8xf32>
  %0 = forge.matmul %frequencies, %known : (tensor<1x4x1xf32>, tensor<1x1x8xf32>) -> tensor<1x4x8xf32>
  %1 = forge.add %x, %0 : (tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %2 = forge.matmul %frequencies, %positions : (tensor<1x4x1xf32>, tensor<1x1x8xf32>) -> tensor<1x4x8xf32>
  return %1, %2 : tensor<1x4x8xf32>, tensor<1x4x8xf32>
}

// Adding an integer zero is removed.
// CHECK-LABEL: func.func @zero_of_integers(
//       CHECK: return %arg0, %arg0
func.func @zero_of_integers(%i: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %0 = forge.scalar_constant constant 0.000000e+00 dtype i32 : () -> tensor<1xi32>
  %1 = forge.constant dense<0> : tensor<2xi32>
  %2 = forge.add %i, %0 : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
  %3 = forge.add %1, %i : tensor<2xi32>
  return %2, %3 : tensor<2xi32>, tensor<2xi32>
}

// A scale per channel after the transposes of a product, as in ConvNeXt, is folded into the columns of the weights.
// CHECK-LABEL: func.func @scale_after_transposes(
//       CHECK: %[[V:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
//       CHECK: %[[P:.+]] = forge.matmul %arg0, %[[V]]
//       CHECK: %[[C:.+]] = forge.multiply %{{.+}}, %{{.+}} : tensor<6xf32>
//       CHECK: forge.add %[[P]], %[[C]]
//       CHECK: %[[T0:.+]] = forge.transpose %{{.+}} dims -2, -1
//       CHECK: %[[T1:.+]] = forge.transpose %[[T0]] dims -3, -2
//  CHECK-NEXT: return %[[T1]]
func.func @scale_after_transposes(%x: tensor<1x2x3x4xf32>) -> tensor<1x6x2x3xf32> {
  %w = forge.parameter "w" : tensor<4x6xf32>
  %b = forge.parameter "b" : tensor<6xf32>
  %s = forge.parameter "s" : tensor<6x1x1xf32>
  %0 = forge.matmul %x, %w : (tensor<1x2x3x4xf32>, tensor<4x6xf32>) -> tensor<1x2x3x6xf32>
  %1 = forge.add %0, %b : (tensor<1x2x3x6xf32>, tensor<6xf32>) -> tensor<1x2x3x6xf32>
  %2 = forge.transpose %1 dims -2, -1 : (tensor<1x2x3x6xf32>) -> tensor<1x2x6x3xf32>
  %3 = forge.transpose %2 dims -3, -2 : (tensor<1x2x6x3xf32>) -> tensor<1x6x2x3xf32>
  %4 = forge.multiply %s, %3 : (tensor<6x1x1xf32>, tensor<1x6x2x3xf32>) -> tensor<1x6x2x3xf32>
  return %4 : tensor<1x6x2x3xf32>
}

// A scale with one element has more axes than the bias before the reshape.
// CHECK-LABEL: func.func @scale_with_more_axes(
//  CHECK-DAG: %[[B:.+]] = forge.parameter "b"
//  CHECK-DAG: %[[S:.+]] = forge.parameter "s"
//      CHECK: %[[P:.+]] = forge.matmul %arg0, %{{.+}} : (tensor<1x6x8xf32>, tensor<8x8xf32>) -> tensor<1x6x8xf32>
//      CHECK: %[[ONE:.+]] = forge.reshape %[[S]] shape [1]
//      CHECK: %[[T:.+]] = forge.multiply %[[B]], %[[ONE]] : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
//      CHECK: %[[A:.+]] = forge.add %[[P]], %[[T]] : (tensor<1x6x8xf32>, tensor<8xf32>) -> tensor<1x6x8xf32>
//      CHECK: %[[R:.+]] = forge.reshape %[[A]] shape [1, 6, 2, 4]
// CHECK-NEXT: return %[[R]]
func.func @scale_with_more_axes(%x: tensor<1x6x8xf32>) -> tensor<1x6x2x4xf32> {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %b = forge.parameter "b" : tensor<8xf32>
  %s = forge.parameter "s" : tensor<1x1x1x1xf32>
  %0 = forge.matmul %x, %w : (tensor<1x6x8xf32>, tensor<8x8xf32>) -> tensor<1x6x8xf32>
  %1 = forge.add %0, %b : (tensor<1x6x8xf32>, tensor<8xf32>) -> tensor<1x6x8xf32>
  %2 = forge.reshape %1 shape [1, 6, 2, 4] : (tensor<1x6x8xf32>) -> tensor<1x6x2x4xf32>
  %3 = forge.multiply %2, %s : (tensor<1x6x2x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x2x4xf32>
  return %3 : tensor<1x6x2x4xf32>
}

// Additions of 1.5 * 2^23 round to integers: two of them are not merged, and the scale of the result is not folded into
// the operand.
// CHECK-LABEL: func.func @rounding(
//      CHECK: %[[P:.+]] = forge.matmul %arg0, %{{.+}} : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
//      CHECK: %[[S:.+]] = forge.add %[[P]], %{{.+}} : (tensor<6x8xf32>, tensor<8xf32>)
//      CHECK: %[[R:.+]] = forge.add %[[S]], %{{.+}} : (tensor<6x8xf32>, tensor<8xf32>)
//      CHECK: %[[Y:.+]] = forge.multiply %[[R]],
//      CHECK: return %[[Y]]
func.func @rounding(%x: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %large = forge.constant dense<12582912.0> : tensor<8xf32>
  %minus = forge.constant dense<-12582912.0> : tensor<8xf32>
  %scale = forge.scalar_constant constant 0.3 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
  %1 = forge.add %0, %large : (tensor<6x8xf32>, tensor<8xf32>) -> tensor<6x8xf32>
  %2 = forge.add %1, %minus : (tensor<6x8xf32>, tensor<8xf32>) -> tensor<6x8xf32>
  %3 = forge.multiply %2, %scale : (tensor<6x8xf32>, tensor<1xf32>) -> tensor<6x8xf32>
  return %3 : tensor<6x8xf32>
}

// Weights with more elements than the importer inspects may contain such rounding constants, too.
// CHECK-LABEL: func.func @unknown_addends(
//      CHECK: %[[S:.+]] = forge.add %arg0,
//      CHECK: %[[R:.+]] = forge.add %[[S]],
//      CHECK: return %[[R]]
func.func @unknown_addends(%x: tensor<2x128x256xf32>) -> tensor<2x128x256xf32> {
  %a = forge.parameter "a" : tensor<128x256xf32>
  %b = forge.parameter "b" : tensor<128x256xf32>
  %0 = forge.add %x, %a : (tensor<2x128x256xf32>, tensor<128x256xf32>) -> tensor<2x128x256xf32>
  %1 = forge.add %0, %b : (tensor<2x128x256xf32>, tensor<128x256xf32>) -> tensor<2x128x256xf32>
  return %1 : tensor<2x128x256xf32>
}

// The operand of a quantisation is divided exactly as in the model, because another rounding could change the quantised
// value.
// CHECK-LABEL: func.func @quantiser(
//      CHECK: %[[P:.+]] = forge.matmul %arg0, %{{.+}} : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
//      CHECK: %[[Q:.+]] = forge.divide %[[P]],
//      CHECK: forge.clip %[[Q]]
func.func @quantiser(%x: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %large = forge.scalar_constant constant 12582912.0 dtype f32 : tensor<1xf32>
  %scale = forge.scalar_constant constant 0.3 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
  %1 = forge.divide %0, %scale : (tensor<6x8xf32>, tensor<1xf32>) -> tensor<6x8xf32>
  %2 = forge.clip %1 min -1.280000e+02 max 1.270000e+02 : tensor<6x8xf32>
  %3 = forge.add %2, %large : (tensor<6x8xf32>, tensor<1xf32>) -> tensor<6x8xf32>
  %4 = forge.subtract %3, %large : (tensor<6x8xf32>, tensor<1xf32>) -> tensor<6x8xf32>
  return %4 : tensor<6x8xf32>
}

// A convolution before a quantiser keeps its bias and the addend apart: the sum of both biases could round another way.
// CHECK-LABEL: func.func @biases_before_quantiser(
//      CHECK: %[[C:.+]] = forge.conv2d %arg0, %{{.+}}, %{{.+}} stride
//      CHECK: forge.add %[[C]],
func.func @biases_before_quantiser(%x: tensor<1x3x8x8xf32>) -> tensor<1x4x8x8xi32> {
  %w = forge.parameter "w" : tensor<4x3x1x1xf32>
  %b = forge.parameter "b" : tensor<4xf32>
  %t = forge.constant dense<0.3> : tensor<1x4x1x1xf32>
  %0 = forge.conv2d %x, %w, %b stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>, tensor<4xf32>) -> tensor<1x4x8x8xf32>
  %1 = forge.add %0, %t : (tensor<1x4x8x8xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  %2 = forge.cast %1 dtype i32 : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xi32>
  return %2 : tensor<1x4x8x8xi32>
}

// Unchanged: a divisor that contains a zero, and one with unknown elements, because the reciprocal could be an infinity
// in the weights.
// CHECK-LABEL: func.func @divisors(
//      CHECK: %[[A:.+]] = forge.matmul %arg0
//      CHECK: forge.divide %[[A]],
//      CHECK: %[[B:.+]] = forge.matmul %arg0
//      CHECK: forge.divide %[[B]],
//      CHECK: %[[C:.+]] = forge.matmul %arg0, %{{.+}} : (tensor<6x8xf32>, tensor<8x2xf32>) -> tensor<6x2xf32>
//      CHECK: return %{{.+}}, %{{.+}}, %[[C]]
func.func @divisors(%x: tensor<6x8xf32>) -> (tensor<6x2xf32>, tensor<6x2xf32>, tensor<6x2xf32>) {
  %w = forge.parameter "w" : tensor<8x2xf32>
  %zero = forge.constant dense<[0.0, 2.0]> : tensor<2xf32>
  %unknown = forge.parameter "d" : tensor<2xf32>
  %ordinary = forge.constant dense<[3.0, 2.0]> : tensor<2xf32>
  %0 = forge.matmul %x, %w : (tensor<6x8xf32>, tensor<8x2xf32>) -> tensor<6x2xf32>
  %1 = forge.divide %0, %zero : (tensor<6x2xf32>, tensor<2xf32>) -> tensor<6x2xf32>
  %2 = forge.matmul %x, %w : (tensor<6x8xf32>, tensor<8x2xf32>) -> tensor<6x2xf32>
  %3 = forge.divide %2, %unknown : (tensor<6x2xf32>, tensor<2xf32>) -> tensor<6x2xf32>
  %4 = forge.matmul %x, %w : (tensor<6x8xf32>, tensor<8x2xf32>) -> tensor<6x2xf32>
  %5 = forge.divide %4, %ordinary : (tensor<6x2xf32>, tensor<2xf32>) -> tensor<6x2xf32>
  return %1, %3, %5 : tensor<6x2xf32>, tensor<6x2xf32>, tensor<6x2xf32>
}

// Nor is a factor folded that is a quotient by a zero: infinity * 0 in the weights would be NaN.
// CHECK-LABEL: func.func @infinite_factor(
// CHECK: %[[A:.+]] = forge.matmul %arg0
// CHECK: forge.multiply %[[A]],
func.func @infinite_factor(%x: tensor<6x8xf32>) -> tensor<6x2xf32> {
  %w = forge.parameter "w" : tensor<8x2xf32>
  %v = forge.parameter "v" : tensor<2xf32>
  %zero = forge.constant dense<[0.0, 2.0]> : tensor<2xf32>
  %factor = forge.divide %v, %zero : tensor<2xf32>
  %0 = forge.matmul %x, %w : (tensor<6x8xf32>, tensor<8x2xf32>) -> tensor<6x2xf32>
  %1 = forge.multiply %0, %factor : (tensor<6x2xf32>, tensor<2xf32>) -> tensor<6x2xf32>
  return %1 : tensor<6x2xf32>
}

// Nor is a factor whose divisors may be 0: roots of unknown elements, and rectified constants.
// CHECK-LABEL: func.func @divisors_of_factors(
// CHECK: %[[A:.+]] = forge.matmul %arg0
// CHECK: forge.multiply %[[A]],
// CHECK: %[[B:.+]] = forge.matmul %arg0
// CHECK: forge.multiply %[[B]],
// CHECK: %[[C:.+]] = forge.matmul %arg0, %{{.+}} : (tensor<6x8xf32>, tensor<8x2xf32>) -> tensor<6x2xf32>
// CHECK: return %{{.+}}, %{{.+}}, %[[C]]
func.func @divisors_of_factors(%x: tensor<6x8xf32>) -> (tensor<6x2xf32>, tensor<6x2xf32>, tensor<6x2xf32>) {
  %w = forge.parameter "w" : tensor<8x2xf32>
  %v = forge.parameter "v" : tensor<2xf32>
  %c = forge.constant dense<[-1.0, 2.0]> : tensor<2xf32>
  %epsilon = forge.constant dense<1.0e-05> : tensor<2xf32>
  %root = forge.sqrt %v : tensor<2xf32>
  %a = forge.divide %c, %root : tensor<2xf32>
  %rectified = forge.relu %c : tensor<2xf32>
  %b = forge.divide %c, %rectified : tensor<2xf32>
  %variance = forge.add %v, %epsilon : tensor<2xf32>
  %deviation = forge.sqrt %variance : tensor<2xf32>
  %ordinary = forge.divide %c, %deviation : tensor<2xf32>
  %0 = forge.matmul %x, %w : (tensor<6x8xf32>, tensor<8x2xf32>) -> tensor<6x2xf32>
  %1 = forge.multiply %0, %a : (tensor<6x2xf32>, tensor<2xf32>) -> tensor<6x2xf32>
  %2 = forge.matmul %x, %w : (tensor<6x8xf32>, tensor<8x2xf32>) -> tensor<6x2xf32>
  %3 = forge.multiply %2, %b : (tensor<6x2xf32>, tensor<2xf32>) -> tensor<6x2xf32>
  %4 = forge.matmul %x, %w : (tensor<6x8xf32>, tensor<8x2xf32>) -> tensor<6x2xf32>
  %5 = forge.multiply %4, %ordinary : (tensor<6x2xf32>, tensor<2xf32>) -> tensor<6x2xf32>
  return %1, %3, %5 : tensor<6x2xf32>, tensor<6x2xf32>, tensor<6x2xf32>
}

// Nor a factor with elements of 1e-34, which are added to zeros, or a quotient by a product that has zeros.
// CHECK-LABEL: func.func @factors_with_zeros(
// CHECK: %[[A:.+]] = forge.matmul %arg0
// CHECK: forge.multiply %[[A]],
// CHECK: %[[B:.+]] = forge.matmul %arg0
// CHECK: forge.multiply %[[B]],
func.func @factors_with_zeros(%x: tensor<6x8xf32>) -> (tensor<6x2xf32>, tensor<6x2xf32>) {
  %w = forge.parameter "w" : tensor<8x2xf32>
  %v = forge.parameter "v" : tensor<2xf32>
  %a = forge.constant dense<[1.0, 0.0]> : tensor<2xf32>
  %b = forge.constant dense<[0.0, 1.0e-34]> : tensor<2xf32>
  %c = forge.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %va = forge.multiply %v, %a : tensor<2xf32>
  %sum = forge.add %va, %b : tensor<2xf32>
  %quotient = forge.divide %c, %va : tensor<2xf32>
  %0 = forge.matmul %x, %w : (tensor<6x8xf32>, tensor<8x2xf32>) -> tensor<6x2xf32>
  %1 = forge.multiply %0, %sum : (tensor<6x2xf32>, tensor<2xf32>) -> tensor<6x2xf32>
  %2 = forge.matmul %x, %w : (tensor<6x8xf32>, tensor<8x2xf32>) -> tensor<6x2xf32>
  %3 = forge.multiply %2, %quotient : (tensor<6x2xf32>, tensor<2xf32>) -> tensor<6x2xf32>
  return %1, %3 : tensor<6x2xf32>, tensor<6x2xf32>
}

// A large splat with other users: a bias may be folded after a scale, but no second scale.
// CHECK-LABEL: func.func @shared_splat(
// CHECK: %[[S:.+]] = forge.multiply {{.*}} -> tensor<512x512x3x3xf32>
// CHECK: forge.conv2d %arg0, %[[S]], %{{.+}} stride
// CHECK-NOT: forge.add
// CHECK-LABEL: func.func @shared_splat_once(
// CHECK: %[[S:.+]] = forge.multiply {{.*}} -> tensor<512x512x3x3xf32>
// CHECK: %[[C:.+]] = forge.conv2d %arg0, %[[S]] stride
// CHECK: forge.multiply %[[C]],
func.func @shared_splat(%x: tensor<1x8x8x512xf32>) -> tensor<1x8x8x512xf32> {
  %w = forge.constant dense<2.000000e-02> : tensor<512x512x3x3xf32>
  %s = forge.parameter "s" : tensor<512x1x1x1xf32>
  %t = forge.parameter "t" : tensor<512xf32>
  %ws = forge.multiply %w, %s : (tensor<512x512x3x3xf32>, tensor<512x1x1x1xf32>) -> tensor<512x512x3x3xf32>
  %0 = forge.conv2d %x, %ws stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x8x8x512xf32>, tensor<512x512x3x3xf32>) -> tensor<1x8x8x512xf32>
  %1 = forge.add %0, %t : (tensor<1x8x8x512xf32>, tensor<512xf32>) -> tensor<1x8x8x512xf32>
  %2 = forge.conv2d %1, %w stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x8x8x512xf32>, tensor<512x512x3x3xf32>) -> tensor<1x8x8x512xf32>
  return %2 : tensor<1x8x8x512xf32>
}
func.func @shared_splat_once(%x: tensor<1x8x8x512xf32>) -> tensor<1x8x8x512xf32> {
  %w = forge.constant dense<2.000000e-02> : tensor<512x512x3x3xf32>
  %s = forge.parameter "s" : tensor<512x1x1x1xf32>
  %t = forge.parameter "t" : tensor<512xf32>
  %ws = forge.multiply %w, %s : (tensor<512x512x3x3xf32>, tensor<512x1x1x1xf32>) -> tensor<512x512x3x3xf32>
  %0 = forge.conv2d %x, %ws stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x8x8x512xf32>, tensor<512x512x3x3xf32>) -> tensor<1x8x8x512xf32>
  %1 = forge.multiply %0, %t : (tensor<1x8x8x512xf32>, tensor<512xf32>) -> tensor<1x8x8x512xf32>
  %2 = forge.conv2d %1, %w stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x8x8x512xf32>, tensor<512x512x3x3xf32>) -> tensor<1x8x8x512xf32>
  %3 = forge.tanh %1 : tensor<1x8x8x512xf32>
  %4 = forge.add %2, %3 : tensor<1x8x8x512xf32>
  return %4 : tensor<1x8x8x512xf32>
}

// The selected value has an axis more than the mask, and so has the result.
// CHECK-LABEL: func.func @constant_mask_of_fewer_axes(
//       CHECK: forge.where %{{.+}} : (tensor<3x2x2xi32>, tensor<1x1x1x1xf32>, tensor<1xf32>) -> tensor<1x3x2x2xf32>
func.func @constant_mask_of_fewer_axes(%given: tensor<3x1x2xi32>) -> tensor<1x3x2x2xf32> {
  %known = forge.constant dense<[[1, 0], [1, 1]]> : tensor<2x2xi32>
  %zero = forge.constant dense<0.0> : tensor<1x1x1x1xf32>
  %low = forge.scalar_constant constant 0xFF800000 dtype f32 : () -> tensor<1xf32>
  %0 = forge.multiply %known, %given : (tensor<2x2xi32>, tensor<3x1x2xi32>) -> tensor<3x2x2xi32>
  %1 = forge.where %0, %zero, %low : (tensor<3x2x2xi32>, tensor<1x1x1x1xf32>, tensor<1xf32>) -> tensor<1x3x2x2xf32>
  return %1 : tensor<1x3x2x2xf32>
}
