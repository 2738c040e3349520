// RUN: forge-opt %s --forge-fold-weights | FileCheck %s

// The scale is folded into the weights of both products; the bias, multiplied by these weights, becomes their bias.
// CHECK-LABEL: func.func @norm(
//  CHECK-DAG: %[[U:.+]] = forge.parameter "u"
//  CHECK-DAG: %[[G:.+]] = forge.parameter "g"
//  CHECK-DAG: %[[B:.+]] = forge.parameter "b"
//      CHECK: %[[N:.+]] = forge.layernorm %arg0, %[[ONES:.+]], %[[ZEROS:.+]] dim -1
//      CHECK: %[[RV:.+]] = forge.reshape %[[B]] shape [1, 8]
//      CHECK: %[[BV:.+]] = forge.matmul %[[RV]], %[[V:.+]] : (tensor<1x8xf32>, tensor<8x3xf32>) -> tensor<1x3xf32>
//      CHECK: %[[TV:.+]] = forge.reshape %[[BV]] shape [3]
//      CHECK: %[[GV:.+]] = forge.reshape %[[G]] shape [8, 1]
//      CHECK: %[[SV:.+]] = forge.multiply %[[V]], %[[GV]] : (tensor<8x3xf32>, tensor<8x1xf32>) -> tensor<8x3xf32>
//      CHECK: forge.matmul %[[N]], %[[SV]], %[[TV]] :
//      CHECK: %[[BU:.+]] = forge.matmul %{{.+}}, %[[U]] : (tensor<1x8xf32>, tensor<8x4xf32>) -> tensor<1x4xf32>
//      CHECK: %[[TU:.+]] = forge.reshape %[[BU]] shape [4]
//      CHECK: %[[GU:.+]] = forge.reshape %[[G]] shape [8, 1]
//      CHECK: %[[SU:.+]] = forge.multiply %[[U]], %[[GU]]
//      CHECK: forge.matmul %[[N]], %[[SU]], %[[TU]] :
func.func @norm(%x: tensor<1x6x8xf32>) -> (tensor<1x6x3xf32>, tensor<1x6x4xf32>) {
  %u = forge.parameter "u" : tensor<8x4xf32>
  %v = forge.parameter "v" : tensor<8x3xf32>
  %g = forge.parameter "g" : tensor<8xf32>
  %b = forge.parameter "b" : tensor<8xf32>
  %0 = forge.layernorm %x, %g, %b dim -1 epsilon 1.0e-05 : (tensor<1x6x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x6x8xf32>
  %1 = forge.matmul %0, %v : (tensor<1x6x8xf32>, tensor<8x3xf32>) -> tensor<1x6x3xf32>
  %2 = forge.matmul %0, %u : (tensor<1x6x8xf32>, tensor<8x4xf32>) -> tensor<1x6x4xf32>
  return %1, %2 : tensor<1x6x3xf32>, tensor<1x6x4xf32>
}

// A residual addition reads the norm too: its scale stays, and its bias is moved into the bias of the product, which is
// added to the norm.
// CHECK-LABEL: func.func @residual(
//      CHECK: %[[G:.+]] = forge.parameter "g"
//      CHECK: %[[B:.+]] = forge.parameter "b"
//      CHECK: %[[N:.+]] = forge.layernorm %arg0, %[[G]], %{{.+}} dim -1
//      CHECK: %[[BW:.+]] = forge.matmul %{{.+}}, %[[W:.+]] : (tensor<1x8xf32>
//      CHECK: %[[R:.+]] = forge.reshape %[[BW]] shape [8]
//      CHECK: %[[T:.+]] = forge.add %[[R]], %[[B]] : tensor<8xf32>
//      CHECK: %[[P:.+]] = forge.matmul %[[N]], %[[W]], %[[T]] :
//      CHECK: %[[S:.+]] = forge.add %[[N]], %[[P]]
//      CHECK: return %[[S]]
func.func @residual(%x: tensor<1x6x8xf32>) -> tensor<1x6x8xf32> {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %g = forge.parameter "g" : tensor<8xf32>
  %b = forge.parameter "b" : tensor<8xf32>
  %0 = forge.layernorm %x, %g, %b dim -1 epsilon 1.0e-05 : (tensor<1x6x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x6x8xf32>
  %1 = forge.matmul %0, %w : (tensor<1x6x8xf32>, tensor<8x8xf32>) -> tensor<1x6x8xf32>
  %2 = forge.add %0, %1 : tensor<1x6x8xf32>
  return %2 : tensor<1x6x8xf32>
}

// A bias added after the product is added to the new bias.
// CHECK-LABEL: func.func @biased(
//      CHECK: %[[P:.+]] = forge.matmul %arg0, %[[W:[^ ]+]] :
//      CHECK: %[[T:.+]] = forge.add %{{.+}}, %{{.+}} : tensor<4xf32>
//      CHECK: %[[S:.+]] = forge.add %[[P]], %[[T]]
// CHECK-NEXT: return %[[S]]
func.func @biased(%x: tensor<6x8xf32>) -> tensor<6x4xf32> {
  %w = forge.parameter "w" : tensor<8x4xf32>
  %t = forge.parameter "t" : tensor<8xf32>
  %b = forge.parameter "b" : tensor<4xf32>
  %0 = forge.add %t, %x : (tensor<8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
  %1 = forge.matmul %0, %w : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
  %2 = forge.add %1, %b : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  return %2 : tensor<6x4xf32>
}

// An addend that rounds is not merged with the new bias.
// CHECK-LABEL: func.func @rounded(
//      CHECK: %[[C:.+]] = forge.constant dense<0x4B400000>
//      CHECK: %[[T:.+]] = forge.reshape %{{.+}} shape [4]
//      CHECK: %[[P:.+]] = forge.matmul %arg0, %{{.+}}, %[[T]] :
//      CHECK: %[[S:.+]] = forge.add %[[P]], %[[C]]
//      CHECK: forge.subtract %[[S]], %[[C]]
func.func @rounded(%x: tensor<6x8xf32>) -> tensor<6x4xf32> {
  %w = forge.parameter "w" : tensor<8x4xf32>
  %t = forge.parameter "t" : tensor<8xf32>
  %c = forge.constant dense<12582912.0> : tensor<4xf32>
  %0 = forge.add %t, %x : (tensor<8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
  %1 = forge.matmul %0, %w : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
  %2 = forge.add %1, %c : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  %3 = forge.subtract %2, %c : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  return %3 : tensor<6x4xf32>
}

// Before a quantiser, the addend is not merged with a bias that the product has: for x = 4e-8, %t = 1 and %b = -0.5,
// x + 1 - 0.5 is 0.5, which is rounded to 0, but x + (1 - 0.5) is 0.50000006, which is rounded to 1.
// CHECK-LABEL: func.func @quantised_sum(
//      CHECK: %[[S:.+]] = forge.add %{{.+}}, %arg0
//      CHECK: %[[P:.+]] = forge.matmul %[[S]], %{{[^ ,]+}} :
//      CHECK: forge.add %[[P]],
// CHECK-LABEL: func.func @quantised_bias(
//      CHECK: %[[S:.+]] = forge.add %{{.+}}, %arg0
//      CHECK: forge.matmul %[[S]], %{{[^ ,]+}}, %{{[^ ,]+}} :
func.func @quantised_sum(%x: tensor<6x8xf32>) -> tensor<6x4xi32> {
  %w = forge.parameter "w" : tensor<8x4xf32>
  %t = forge.parameter "t" : tensor<8xf32>
  %b = forge.parameter "b" : tensor<4xf32>
  %0 = forge.add %t, %x : (tensor<8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
  %1 = forge.matmul %0, %w : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
  %2 = forge.add %1, %b : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  %3 = forge.cast %2 dtype i32 : (tensor<6x4xf32>) -> tensor<6x4xi32>
  return %3 : tensor<6x4xi32>
}
func.func @quantised_bias(%x: tensor<6x8xf32>) -> tensor<6x4xi32> {
  %w = forge.parameter "w" : tensor<8x4xf32>
  %t = forge.parameter "t" : tensor<8xf32>
  %b = forge.parameter "b" : tensor<4xf32>
  %0 = forge.add %t, %x : (tensor<8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
  %1 = forge.matmul %0, %w, %b : (tensor<6x8xf32>, tensor<8x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  %2 = forge.cast %1 dtype i32 : (tensor<6x4xf32>) -> tensor<6x4xi32>
  return %2 : tensor<6x4xi32>
}

// The bias of the product may be either operand of its addition.
// CHECK-LABEL: func.func @residual_of_a_biased_product(
//      CHECK: %[[G:.+]] = forge.parameter "g"
//      CHECK: %[[B:.+]] = forge.parameter "b"
//      CHECK: %[[C:.+]] = forge.parameter "c"
//      CHECK: %[[ZEROS:.+]] = forge.constant dense<-0.000000e+00>
//      CHECK: %[[N:.+]] = forge.layernorm %arg0, %[[G]], %[[ZEROS]] dim -1
//      CHECK: %[[BW:.+]] = forge.matmul %{{.+}}, %{{.+}} : (tensor<1x8xf32>
//      CHECK: %[[R:.+]] = forge.reshape %[[BW]] shape [8]
//      CHECK: %[[P:.+]] = forge.matmul %[[N]], %{{.+}} : (tensor<1x6x8xf32>
//      CHECK: %[[CB:.+]] = forge.add %[[C]], %[[R]] : tensor<8xf32>
//      CHECK: %[[T:.+]] = forge.add %[[CB]], %[[B]] : tensor<8xf32>
//      CHECK: %[[Q:.+]] = forge.add %[[P]], %[[T]]
//      CHECK: %[[S:.+]] = forge.add %[[N]], %[[Q]] : tensor<1x6x8xf32>
//      CHECK: return %[[S]]
// CHECK-LABEL: func.func @residual_of_a_biased_product_the_other_way(
//      CHECK: %[[G:.+]] = forge.parameter "g"
//      CHECK: %[[B:.+]] = forge.parameter "b"
//      CHECK: %[[C:.+]] = forge.parameter "c"
//      CHECK: %[[ZEROS:.+]] = forge.constant dense<-0.000000e+00>
//      CHECK: %[[N:.+]] = forge.layernorm %arg0, %[[G]], %[[ZEROS]] dim -1
//      CHECK: %[[BW:.+]] = forge.matmul %{{.+}}, %{{.+}} : (tensor<1x8xf32>
//      CHECK: %[[R:.+]] = forge.reshape %[[BW]] shape [8]
//      CHECK: %[[P:.+]] = forge.matmul %[[N]], %{{.+}} : (tensor<1x6x8xf32>
//      CHECK: %[[CB:.+]] = forge.add %[[C]], %[[R]] : tensor<8xf32>
//      CHECK: %[[T:.+]] = forge.add %[[CB]], %[[B]] : tensor<8xf32>
//      CHECK: %[[Q:.+]] = forge.add %[[P]], %[[T]]
//      CHECK: %[[S:.+]] = forge.add %[[Q]], %[[N]] : tensor<1x6x8xf32>
//      CHECK: return %[[S]]
func.func @residual_of_a_biased_product(%x: tensor<1x6x8xf32>) -> tensor<1x6x8xf32> {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %g = forge.parameter "g" : tensor<8xf32>
  %b = forge.parameter "b" : tensor<8xf32>
  %c = forge.parameter "c" : tensor<8xf32>
  %0 = forge.layernorm %x, %g, %b dim -1 epsilon 1.0e-05 : (tensor<1x6x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x6x8xf32>
  %1 = forge.matmul %0, %w : (tensor<1x6x8xf32>, tensor<8x8xf32>) -> tensor<1x6x8xf32>
  %2 = forge.add %1, %c : (tensor<1x6x8xf32>, tensor<8xf32>) -> tensor<1x6x8xf32>
  %3 = forge.add %0, %2 : tensor<1x6x8xf32>
  return %3 : tensor<1x6x8xf32>
}
func.func @residual_of_a_biased_product_the_other_way(%x: tensor<1x6x8xf32>) -> tensor<1x6x8xf32> {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %g = forge.parameter "g" : tensor<8xf32>
  %b = forge.parameter "b" : tensor<8xf32>
  %c = forge.parameter "c" : tensor<8xf32>
  %0 = forge.layernorm %x, %g, %b dim -1 epsilon 1.0e-05 : (tensor<1x6x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x6x8xf32>
  %1 = forge.matmul %0, %w : (tensor<1x6x8xf32>, tensor<8x8xf32>) -> tensor<1x6x8xf32>
  %2 = forge.add %c, %1 : (tensor<8xf32>, tensor<1x6x8xf32>) -> tensor<1x6x8xf32>
  %3 = forge.add %2, %0 : tensor<1x6x8xf32>
  return %3 : tensor<1x6x8xf32>
}

// The scale is folded through ops that keep the last axis.
// CHECK-LABEL: func.func @through_index_and_reshape(
//      CHECK: %[[I:.+]] = forge.index %arg0 dim 1 [0:1]
//      CHECK: %[[R:.+]] = forge.reshape %[[I]] shape [1, 8]
//      CHECK: %[[W:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<8x4xf32>, tensor<8x1xf32>) -> tensor<8x4xf32>
//      CHECK: forge.matmul %[[R]], %[[W]]
func.func @through_index_and_reshape(%x: tensor<1x6x8xf32>) -> tensor<1x4xf32> {
  %w = forge.parameter "w" : tensor<8x4xf32>
  %g = forge.parameter "g" : tensor<8xf32>
  %0 = forge.multiply %g, %x : (tensor<8xf32>, tensor<1x6x8xf32>) -> tensor<1x6x8xf32>
  %1 = forge.index %0 dim 1 [0:1] : (tensor<1x6x8xf32>) -> tensor<1x1x8xf32>
  %2 = forge.reshape %1 shape [1, 8] : (tensor<1x1x8xf32>) -> tensor<1x8xf32>
  %3 = forge.matmul %2, %w : (tensor<1x8xf32>, tensor<8x4xf32>) -> tensor<1x4xf32>
  return %3 : tensor<1x4xf32>
}

// Unchanged: another user, a scale that is not along the contracted axis, a scaled right operand, a transpose of the
// scaled axis, and a single scalar.
// CHECK-LABEL: func.func @unchanged(
//      CHECK: %[[A:.+]] = forge.multiply %arg0, %{{.+}} : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
//      CHECK: forge.matmul %[[A]], %[[W:.+]] :
//      CHECK: %[[C:.+]] = forge.multiply %arg0, %{{.+}} : (tensor<8x8xf32>, tensor<8x1xf32>) -> tensor<8x8xf32>
//      CHECK: forge.matmul %[[C]], %[[W]]
//      CHECK: %[[D:.+]] = forge.multiply %arg1, %{{.+}} : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
//      CHECK: forge.matmul %arg0, %[[D]]
//      CHECK: %[[E:.+]] = forge.multiply %arg1, %{{.+}} : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
//      CHECK: %[[T:.+]] = forge.transpose %[[E]]
//      CHECK: forge.matmul %[[T]], %[[W]]
func.func @unchanged(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x4xf32>) {
  %w = forge.parameter "w" : tensor<8x4xf32>
  %g = forge.parameter "g" : tensor<8xf32>
  %c = forge.parameter "c" : tensor<8x1xf32>
  %0 = forge.multiply %x, %g : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
  %1 = forge.matmul %0, %w : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = forge.multiply %x, %c : (tensor<8x8xf32>, tensor<8x1xf32>) -> tensor<8x8xf32>
  %3 = forge.matmul %2, %w : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %4 = forge.multiply %y, %g : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
  %5 = forge.matmul %x, %4 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %6 = forge.multiply %y, %g : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
  %7 = forge.transpose %6 dims 0, 1 : tensor<8x8xf32>
  %8 = forge.matmul %7, %w : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0, %1, %3, %5, %8 : tensor<8x8xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x4xf32>
}

// A product whose third operand is an input, or a weight with several rows, keeps that operand. A scale of the left
// operand is folded into the weights, a scale of the result is not.
// CHECK-LABEL: func.func @other_third_operands(
//      CHECK: %[[A:.+]] = forge.add %arg0, %{{.+}} : (tensor<6x8xf32>, tensor<8xf32>) -> tensor<6x8xf32>
//      CHECK: forge.matmul %[[A]], %{{.+}}, %arg1
//      CHECK: %[[B:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<8x4xf32>, tensor<8x1xf32>) -> tensor<8x4xf32>
//      CHECK: forge.matmul %arg0, %[[B]], %{{.+}} : (tensor<6x8xf32>, tensor<8x4xf32>, tensor<6x4xf32>)
//      CHECK: %[[P:.+]] = forge.matmul %arg0, %{{.+}}, %{{.+}} : (tensor<6x8xf32>, tensor<8x4xf32>, tensor<1xf32>)
//      CHECK: forge.multiply %[[P]], %{{.+}} : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
func.func @other_third_operands(%x: tensor<6x8xf32>, %mask: tensor<6x4xf32>) -> (tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>) {
  %u = forge.parameter "u" : tensor<8x4xf32>
  %v = forge.parameter "v" : tensor<8x4xf32>
  %w = forge.parameter "w" : tensor<8x4xf32>
  %t = forge.parameter "t" : tensor<8xf32>
  %c = forge.parameter "c" : tensor<4xf32>
  %positions = forge.parameter "positions" : tensor<6x4xf32>
  %one = forge.parameter "one" : tensor<1xf32>
  %0 = forge.add %x, %t : (tensor<6x8xf32>, tensor<8xf32>) -> tensor<6x8xf32>
  %1 = forge.matmul %0, %u, %mask : (tensor<6x8xf32>, tensor<8x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
  %2 = forge.multiply %x, %t : (tensor<6x8xf32>, tensor<8xf32>) -> tensor<6x8xf32>
  %3 = forge.matmul %2, %v, %positions : (tensor<6x8xf32>, tensor<8x4xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
  %4 = forge.matmul %x, %w, %one : (tensor<6x8xf32>, tensor<8x4xf32>, tensor<1xf32>) -> tensor<6x4xf32>
  %5 = forge.multiply %4, %c : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  return %1, %3, %5 : tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>
}

// A bias that is an input stays, and so does the scale of the value that it is added to.
// CHECK-LABEL: func.func @bias_of_an_input(
//  CHECK-DAG: %[[W:.+]] = forge.parameter "w"
//  CHECK-DAG: %[[G:.+]] = forge.parameter "g"
//      CHECK: %[[N:.+]] = forge.layernorm %arg0, %[[G]], %arg1
// CHECK-NEXT: forge.matmul %[[N]], %[[W]] :
func.func @bias_of_an_input(%x: tensor<1x6x8xf32>, %b: tensor<8xf32>) -> tensor<1x6x8xf32> {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %g = forge.parameter "g" : tensor<8xf32>
  %0 = forge.layernorm %x, %g, %b dim -1 epsilon 1.0e-05 : (tensor<1x6x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x6x8xf32>
  %1 = forge.matmul %0, %w : (tensor<1x6x8xf32>, tensor<8x8xf32>) -> tensor<1x6x8xf32>
  return %1 : tensor<1x6x8xf32>
}

// The addend is along the rows of the transposed value, not along the columns of the projection that is added to it.
// CHECK-LABEL: func.func @added_to_transposed(
//       CHECK: %[[T:.+]] = forge.parameter "t"
//       CHECK: %[[N:.+]] = forge.layernorm %arg0, %{{.+}}, %[[T]] dim -1
//       CHECK: %[[Z:.+]] = forge.transpose
//       CHECK: %[[P:.+]] = forge.matmul %arg1, %{{[^,]+}} :
//       CHECK: forge.add %[[Z]], %[[P]]
func.func @added_to_transposed(%x: tensor<1x4x4xf32>, %q: tensor<1x4x4xf32>) -> (tensor<1x4x4xf32>, tensor<1x4x4xf32>) {
  %s = forge.parameter "s" : tensor<4xf32>
  %t = forge.parameter "t" : tensor<4xf32>
  %v = forge.parameter "v" : tensor<4x4xf32>
  %w = forge.parameter "w" : tensor<4x4xf32>
  %n = forge.layernorm %x, %s, %t dim -1 epsilon 1.0e-5 : (tensor<1x4x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x4xf32>
  %a = forge.matmul %n, %v : (tensor<1x4x4xf32>, tensor<4x4xf32>) -> tensor<1x4x4xf32>
  %z = forge.transpose %n dims -2, -1 : tensor<1x4x4xf32>
  %p = forge.matmul %q, %w : (tensor<1x4x4xf32>, tensor<4x4xf32>) -> tensor<1x4x4xf32>
  %b = forge.add %z, %p : tensor<1x4x4xf32>
  return %a, %b : tensor<1x4x4xf32>, tensor<1x4x4xf32>
}
