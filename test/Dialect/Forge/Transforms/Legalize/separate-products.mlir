// RUN: forge-opt %s --mlir-print-debuginfo=false --forge-separate-products | FileCheck %s

// Biases per column are reshaped to rank 1, so that they can be concatenated.
// CHECK-LABEL: func.func @biases_per_column(
// CHECK-DAG: %[[C:.+]] = forge.parameter "c" : tensor<5xf32>
// CHECK-DAG: %[[D:.+]] = forge.parameter "d" : tensor<1x5xf32>
// CHECK: forge.matmul %arg0, %arg1, %[[C]] :
// CHECK: %[[R:.+]] = forge.reshape %[[D]] shape [5] : (tensor<1x5xf32>) -> tensor<5xf32>
// CHECK: forge.matmul %arg0, %arg2, %[[R]] :
func.func @biases_per_column(%x: tensor<4x8xf32>, %v: tensor<8x5xf32>, %w: tensor<8x5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>) {
  %c = forge.parameter "c" : tensor<5xf32>
  %d = forge.parameter "d" : tensor<1x5xf32>
  %0 = forge.matmul %x, %v, %c : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
  %1 = forge.matmul %x, %w, %d : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<1x5xf32>) -> tensor<4x5xf32>
  return %0, %1 : tensor<4x5xf32>, tensor<4x5xf32>
}

// A scalar bias cannot be concatenated: its negative is subtracted instead. So is it where the addition is a separate
// op, also after a reshape.
// CHECK-LABEL: func.func @scalar_biases(
// CHECK: %[[C:.+]] = forge.parameter "c" : tensor<5xf32>
// CHECK: forge.matmul %arg0, %arg1, %[[C]] :
// CHECK: %[[P:.+]] = forge.matmul %arg0, %arg2 :
// CHECK: %[[M:.+]] = forge.scalar_constant constant -2.000000e+00 dtype f32 : tensor<1xf32>
// CHECK: %[[Y:.+]] = forge.subtract %[[P]], %[[M]] :
// CHECK: %[[Q:.+]] = forge.matmul %arg0, %arg3 :
// CHECK: %[[S:.+]] = forge.reshape %[[Q]] shape [2, 2, 5] :
// CHECK: %[[N:.+]] = forge.scalar_constant constant -3.000000e+00 dtype f32 : tensor<1xf32>
// CHECK: %[[Z:.+]] = forge.subtract %[[S]], %[[N]] :
// CHECK: return %{{.+}}, %[[Y]], %[[Z]]
func.func @scalar_biases(%x: tensor<4x8xf32>, %v: tensor<8x5xf32>, %w: tensor<8x5xf32>, %u: tensor<8x5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>, tensor<2x2x5xf32>) {
  %c = forge.parameter "c" : tensor<5xf32>
  %two = forge.scalar_constant constant 2.0 dtype f32 : tensor<1xf32>
  %three = forge.scalar_constant constant 3.0 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %v, %c : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
  %1 = forge.matmul %x, %w, %two : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<1xf32>) -> tensor<4x5xf32>
  %2 = forge.matmul %x, %u : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  %3 = forge.reshape %2 shape [2, 2, 5] : (tensor<4x5xf32>) -> tensor<2x2x5xf32>
  %4 = forge.add %three, %3 : (tensor<1xf32>, tensor<2x2x5xf32>) -> tensor<2x2x5xf32>
  return %0, %1, %4 : tensor<4x5xf32>, tensor<4x5xf32>, tensor<2x2x5xf32>
}

// A computed addend cannot be concatenated: the weight is negated, and the product is subtracted.
// CHECK-LABEL: func.func @gate(
// CHECK: %[[V:.+]] = forge.parameter "v" : tensor<8x5xf32>
// CHECK: %[[W:.+]] = forge.parameter "w" : tensor<8x5xf32>
// CHECK: %[[C:.+]] = forge.parameter "c" : tensor<5xf32>
// CHECK: %[[A:.+]] = forge.matmul %arg0, %[[V]], %[[C]] :
// CHECK: %[[G:.+]] = forge.sigmoid %[[A]]
// CHECK: %[[M:.+]] = forge.scalar_constant constant -1.000000e+00 dtype f32 : tensor<1xf32>
// CHECK: %[[N:.+]] = forge.multiply %[[W]], %[[M]] :
// CHECK: %[[P:.+]] = forge.matmul %arg0, %[[N]] :
// CHECK: %[[Y:.+]] = forge.subtract %[[G]], %[[P]] :
// CHECK: return %[[Y]]
func.func @gate(%x: tensor<4x8xf32>) -> tensor<4x5xf32> {
  %v = forge.parameter "v" : tensor<8x5xf32>
  %w = forge.parameter "w" : tensor<8x5xf32>
  %c = forge.parameter "c" : tensor<5xf32>
  %0 = forge.matmul %x, %v, %c : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
  %1 = forge.sigmoid %0 : tensor<4x5xf32>
  %2 = forge.matmul %x, %w, %1 : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return %2 : tensor<4x5xf32>
}

// The reciprocal depends on the sign of a zero: the computed addend is negated instead of the weight.
// CHECK-LABEL: func.func @reciprocal(
// CHECK: %[[W:.+]] = forge.parameter "w" : tensor<8x5xf32>
// CHECK: %[[G:.+]] = forge.sigmoid
// CHECK: %[[P:.+]] = forge.matmul %arg0, %[[W]] :
// CHECK: %[[N:.+]] = forge.multiply %[[G]],
// CHECK: %[[Y:.+]] = forge.subtract %[[P]], %[[N]] :
// CHECK: forge.reciprocal %[[Y]]
func.func @reciprocal(%x: tensor<4x8xf32>) -> tensor<4x5xf32> {
  %v = forge.parameter "v" : tensor<8x5xf32>
  %w = forge.parameter "w" : tensor<8x5xf32>
  %c = forge.parameter "c" : tensor<5xf32>
  %0 = forge.matmul %x, %v, %c : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
  %1 = forge.sigmoid %0 : tensor<4x5xf32>
  %2 = forge.matmul %x, %w, %1 : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  %3 = forge.reciprocal %2 : tensor<4x5xf32>
  return %3 : tensor<4x5xf32>
}

// Addends of one shape can be concatenated, unless one is computed from the other sum. Without a weight to negate, the
// addend is negated.
// CHECK-LABEL: func.func @addend_of_the_other_sum(
// CHECK: %[[A:.+]] = forge.matmul %arg0, %arg1, %arg3 :
// CHECK: %[[P:.+]] = forge.matmul %arg0, %arg2 :
// CHECK: %[[N:.+]] = forge.multiply %[[A]], %{{.+}} :
// CHECK: forge.subtract %[[P]], %[[N]]
func.func @addend_of_the_other_sum(%x: tensor<4x8xf32>, %v: tensor<8x5xf32>, %w: tensor<8x5xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = forge.matmul %x, %v, %y : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  %1 = forge.matmul %x, %w, %0 : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return %1 : tensor<4x5xf32>
}

// Unchanged: biases of one shape, a right operand with a batch, a product without a bias, one with two users, and a sum
// of two products.
// CHECK-LABEL: func.func @unchanged(
// CHECK-NOT: forge.subtract
// CHECK-NOT: forge.reshape
// CHECK: return
func.func @unchanged(%x: tensor<2x4x8xf32>, %v: tensor<8x5xf32>, %w: tensor<8x6xf32>, %b: tensor<2x8x5xf32>, %c: tensor<1x5xf32>, %d: tensor<1x6xf32>, %y: tensor<2x4x5xf32>, %z: tensor<2x4x3xf32>, %u: tensor<3x5xf32>) -> (tensor<2x4x5xf32>, tensor<2x4x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>) {
  %0 = forge.matmul %x, %v, %c : (tensor<2x4x8xf32>, tensor<8x5xf32>, tensor<1x5xf32>) -> tensor<2x4x5xf32>
  %1 = forge.matmul %x, %w, %d : (tensor<2x4x8xf32>, tensor<8x6xf32>, tensor<1x6xf32>) -> tensor<2x4x6xf32>
  %2 = forge.matmul %x, %b, %y : (tensor<2x4x8xf32>, tensor<2x8x5xf32>, tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %3 = forge.matmul %x, %v : (tensor<2x4x8xf32>, tensor<8x5xf32>) -> tensor<2x4x5xf32>
  %4 = forge.add %3, %y : tensor<2x4x5xf32>
  %5 = forge.matmul %z, %u : (tensor<2x4x3xf32>, tensor<3x5xf32>) -> tensor<2x4x5xf32>
  %6 = forge.matmul %x, %v : (tensor<2x4x8xf32>, tensor<8x5xf32>) -> tensor<2x4x5xf32>
  %7 = forge.add %6, %5 : tensor<2x4x5xf32>
  return %0, %1, %2, %3, %4, %7, %7 : tensor<2x4x5xf32>, tensor<2x4x6xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>
}

// If the right operand is another product with unary ops after it, that operand is multiplied by one. An op with two
// operands between the products prevents the merge already.
// CHECK-LABEL: func.func @product_of_product(
// CHECK: %[[A:.+]] = forge.matmul %arg0, %arg1 :
// CHECK: %[[B:.+]] = forge.relu %[[A]]
// CHECK: %[[C:.+]] = forge.multiply %[[B]], %{{.+}} :
// CHECK: forge.matmul %arg0, %[[C]] :
// CHECK: %[[D:.+]] = forge.matmul %arg2, %arg1 :
// CHECK: %[[E:.+]] = forge.add %[[D]], %arg1
// CHECK: forge.matmul %arg2, %[[E]] :
func.func @product_of_product(%a: tensor<8x8xf32>, %x: tensor<8x5xf32>, %b: tensor<8x8xf32>) -> (tensor<8x5xf32>, tensor<8x5xf32>) {
  %0 = forge.matmul %a, %x : (tensor<8x8xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
  %1 = forge.relu %0 : tensor<8x5xf32>
  %2 = forge.matmul %a, %1 : (tensor<8x8xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
  %3 = forge.matmul %b, %x : (tensor<8x8xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
  %4 = forge.add %3, %x : tensor<8x5xf32>
  %5 = forge.matmul %b, %4 : (tensor<8x8xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
  return %2, %5 : tensor<8x5xf32>, tensor<8x5xf32>
}

// Longer chains are accepted by the device's compiler: unchanged.
// CHECK-LABEL: func.func @chain_of_three(
// CHECK-COUNT-3: forge.matmul
// CHECK-NOT: forge.multiply
func.func @chain_of_three(%a: tensor<8x8xf32>, %x: tensor<8x5xf32>) -> tensor<8x5xf32> {
  %0 = forge.matmul %a, %x : (tensor<8x8xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
  %1 = forge.matmul %a, %0 : (tensor<8x8xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
  %2 = forge.matmul %a, %1 : (tensor<8x8xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
  return %2 : tensor<8x5xf32>
}

// The pass also works before types are legalised, when a scalar of float64 has to be a tensor constant.
// CHECK-LABEL: func.func @doubles(
// CHECK: %[[ONE:.+]] = forge.constant dense<1.000000e+00> : tensor<1xf64>
// CHECK: forge.multiply %{{.+}}, %[[ONE]] :
func.func @doubles(%a: tensor<8x8xf64>, %x: tensor<8x5xf64>) -> tensor<8x5xf64> {
  %0 = forge.matmul %a, %x : (tensor<8x8xf64>, tensor<8x5xf64>) -> tensor<8x5xf64>
  %1 = forge.relu %0 : tensor<8x5xf64>
  %2 = forge.matmul %a, %1 : (tensor<8x8xf64>, tensor<8x5xf64>) -> tensor<8x5xf64>
  return %2 : tensor<8x5xf64>
}

// Two products that are faster than the merged one and its two slices: the weight of one gets the rank of the left
// operand. The same with biases, which then need not be concatenated.
// CHECK-LABEL: func.func @faster_separately(
// CHECK-DAG: %[[V:.+]] = forge.parameter "v" : tensor<64x128xf32>
// CHECK-DAG: %[[W:.+]] = forge.parameter "w" : tensor<64x128xf32>
// CHECK: forge.matmul %arg0, %[[V]] :
// CHECK: %[[R:.+]] = forge.reshape %[[W]] shape [1, 64, 128] :
// CHECK: forge.matmul %arg0, %[[R]] :
// CHECK: forge.matmul %arg1, %{{.+}}, %arg2 :
// CHECK: %[[S:.+]] = forge.reshape %{{.+}} shape [1, 64, 128] :
// CHECK: forge.matmul %arg1, %[[S]], %{{.+}} :
// CHECK-NOT: forge.subtract
func.func @faster_separately(%x: tensor<2x32x64xf32>, %y: tensor<1x32x64xf32>, %z: tensor<1x32x128xf32>) -> (tensor<2x32x128xf32>, tensor<2x32x128xf32>, tensor<1x32x128xf32>, tensor<1x32x128xf32>) {
  %v = forge.parameter "v" : tensor<64x128xf32>
  %w = forge.parameter "w" : tensor<64x128xf32>
  %c = forge.parameter "c" : tensor<64x128xf32>
  %d = forge.parameter "d" : tensor<64x128xf32>
  %e = forge.parameter "e" : tensor<1x128xf32>
  %0 = forge.matmul %x, %v : (tensor<2x32x64xf32>, tensor<64x128xf32>) -> tensor<2x32x128xf32>
  %1 = forge.matmul %x, %w : (tensor<2x32x64xf32>, tensor<64x128xf32>) -> tensor<2x32x128xf32>
  %2 = forge.matmul %y, %c, %z : (tensor<1x32x64xf32>, tensor<64x128xf32>, tensor<1x32x128xf32>) -> tensor<1x32x128xf32>
  %3 = forge.matmul %y, %d, %e : (tensor<1x32x64xf32>, tensor<64x128xf32>, tensor<1x128xf32>) -> tensor<1x32x128xf32>
  return %0, %1, %2, %3 : tensor<2x32x128xf32>, tensor<2x32x128xf32>, tensor<1x32x128xf32>, tensor<1x32x128xf32>
}

// Unchanged: three products, a weight with two users, and narrow results of a large left operand, which the merged
// product reads once.
// CHECK-LABEL: func.func @faster_merged(
// CHECK-NOT: forge.reshape
// CHECK: return
func.func @faster_merged(%x: tensor<1x32x512xf32>, %y: tensor<1x32x512xf32>, %z: tensor<1x4096x2048xf32>) -> (tensor<1x32x256xf32>, tensor<1x32x256xf32>, tensor<1x32x256xf32>, tensor<1x32x256xf32>, tensor<1x32x256xf32>, tensor<1x4096x32xf32>, tensor<1x4096x32xf32>) {
  %a = forge.parameter "a" : tensor<512x256xf32>
  %b = forge.parameter "b" : tensor<512x256xf32>
  %c = forge.parameter "c" : tensor<512x256xf32>
  %d = forge.parameter "d" : tensor<2048x32xf32>
  %e = forge.parameter "e" : tensor<2048x32xf32>
  %0 = forge.matmul %x, %a : (tensor<1x32x512xf32>, tensor<512x256xf32>) -> tensor<1x32x256xf32>
  %1 = forge.matmul %x, %b : (tensor<1x32x512xf32>, tensor<512x256xf32>) -> tensor<1x32x256xf32>
  %2 = forge.matmul %x, %c : (tensor<1x32x512xf32>, tensor<512x256xf32>) -> tensor<1x32x256xf32>
  %3 = forge.matmul %y, %a : (tensor<1x32x512xf32>, tensor<512x256xf32>) -> tensor<1x32x256xf32>
  %4 = forge.matmul %y, %b : (tensor<1x32x512xf32>, tensor<512x256xf32>) -> tensor<1x32x256xf32>
  %5 = forge.matmul %z, %d : (tensor<1x4096x2048xf32>, tensor<2048x32xf32>) -> tensor<1x4096x32xf32>
  %6 = forge.matmul %z, %e : (tensor<1x4096x2048xf32>, tensor<2048x32xf32>) -> tensor<1x4096x32xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<1x32x256xf32>, tensor<1x32x256xf32>, tensor<1x32x256xf32>, tensor<1x32x256xf32>, tensor<1x32x256xf32>, tensor<1x4096x32xf32>, tensor<1x4096x32xf32>
}

// The weights of the first product are its bias, too, and keep their shape.
// CHECK-LABEL: func.func @weights_as_bias(
// CHECK: %[[W:.+]] = forge.parameter "w" : tensor<1x5xf32>
// CHECK: %[[R:.+]] = forge.reshape %[[W]] shape [5] : (tensor<1x5xf32>) -> tensor<5xf32>
// CHECK: forge.matmul %arg0, %[[W]], %[[R]] :
func.func @weights_as_bias(%x: tensor<4x1xf32>, %v: tensor<1x5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>) {
  %w = forge.parameter "w" : tensor<1x5xf32>
  %c = forge.parameter "c" : tensor<5xf32>
  %0 = forge.matmul %x, %w, %w : (tensor<4x1xf32>, tensor<1x5xf32>, tensor<1x5xf32>) -> tensor<4x5xf32>
  %1 = forge.matmul %x, %v, %c : (tensor<4x1xf32>, tensor<1x5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
  return %0, %1 : tensor<4x5xf32>, tensor<4x5xf32>
}

// Another partition may divide by the sum, so that its zeros keep their sign: the addend is negated, not the weight.
// CHECK-LABEL: func.func @result_of_a_partition(
// CHECK: %[[W:.+]] = forge.parameter "w" : tensor<8x5xf32>
// CHECK: %[[P:.+]] = forge.matmul %arg0, %[[W]] :
// CHECK: %[[N:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<4x5xf32>, tensor<1xf32>)
// CHECK: forge.subtract %[[P]], %[[N]] :
func.func @result_of_a_partition(%x: tensor<4x8xf32>) -> tensor<4x5xf32> attributes {forge.partition = "device"} {
  %v = forge.parameter "v" : tensor<8x5xf32>
  %w = forge.parameter "w" : tensor<8x5xf32>
  %c = forge.parameter "c" : tensor<5xf32>
  %0 = forge.matmul %x, %v, %c : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
  %1 = forge.sigmoid %0 : tensor<4x5xf32>
  %2 = forge.matmul %x, %w : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  %3 = forge.add %2, %1 : tensor<4x5xf32>
  return %3 : tensor<4x5xf32>
}

// forge.reshape accepts no empty tensors, so that an empty bias is not reshaped.
// CHECK-LABEL: func.func @no_columns(
// CHECK-NOT: forge.reshape
// CHECK: return
func.func @no_columns(%x: tensor<4x8xf32>) -> (tensor<4x0xf32>, tensor<4x0xf32>) {
  %w = forge.parameter "w" : tensor<8x0xf32>
  %v = forge.parameter "v" : tensor<8x0xf32>
  %b = forge.parameter "b" : tensor<1x0xf32>
  %c = forge.parameter "c" : tensor<0xf32>
  %0 = forge.matmul %x, %w, %b : (tensor<4x8xf32>, tensor<8x0xf32>, tensor<1x0xf32>) -> tensor<4x0xf32>
  %1 = forge.matmul %x, %v, %c : (tensor<4x8xf32>, tensor<8x0xf32>, tensor<0xf32>) -> tensor<4x0xf32>
  return %0, %1 : tensor<4x0xf32>, tensor<4x0xf32>
}

// Without a bias of float32, the product would be rounded to bfloat16: it remains.
// CHECK-LABEL: func.func @biases_of_float32(
// CHECK: forge.matmul %arg0, %arg1, %arg3 :
// CHECK: forge.matmul %arg0, %arg2, %arg4 :
func.func @biases_of_float32(%x: tensor<4x8xbf16>, %v: tensor<8x5xbf16>, %w: tensor<8x5xbf16>, %c: tensor<4x5xf32>, %d: tensor<1x1xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>) {
  %0 = forge.matmul %x, %v, %c : (tensor<4x8xbf16>, tensor<8x5xbf16>, tensor<4x5xf32>) -> tensor<4x5xf32>
  %1 = forge.matmul %x, %w, %d : (tensor<4x8xbf16>, tensor<8x5xbf16>, tensor<1x1xf32>) -> tensor<4x5xf32>
  return %0, %1 : tensor<4x5xf32>, tensor<4x5xf32>
}

// A product with a Float32 bias of 16-bit factors counts neither as a sum nor as a product without an addend, so that
// it is no third product of the group, and two products are still kept apart.
// CHECK-LABEL: func.func @mixed_bias(
// CHECK: %[[V:.+]] = forge.parameter "v" : tensor<8x5xbf16>
// CHECK: %[[R:.+]] = forge.reshape %[[V]] shape [1, 8, 5]
// CHECK: forge.matmul %arg0, %[[R]] :
func.func @mixed_bias(%x: tensor<1x4x8xbf16>) -> (tensor<1x4x5xbf16>, tensor<1x4x5xbf16>, tensor<1x4x5xf32>) {
  %u = forge.parameter "u" : tensor<8x5xbf16>
  %v = forge.parameter "v" : tensor<8x5xbf16>
  %w = forge.parameter "w" : tensor<8x5xbf16>
  %c = forge.parameter "c" : tensor<5xf32>
  %0 = forge.matmul %x, %u : (tensor<1x4x8xbf16>, tensor<8x5xbf16>) -> tensor<1x4x5xbf16>
  %1 = forge.matmul %x, %v : (tensor<1x4x8xbf16>, tensor<8x5xbf16>) -> tensor<1x4x5xbf16>
  %2 = forge.matmul %x, %w, %c : (tensor<1x4x8xbf16>, tensor<8x5xbf16>, tensor<5xf32>) -> tensor<1x4x5xf32>
  return %0, %1, %2 : tensor<1x4x5xbf16>, tensor<1x4x5xbf16>, tensor<1x4x5xf32>
}
