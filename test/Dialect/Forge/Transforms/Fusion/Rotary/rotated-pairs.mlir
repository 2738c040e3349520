// RUN: forge-opt %s --forge-fuse-patterns | FileCheck %s

// A rotary embedding of even and odd elements, as in Flux.
// CHECK-LABEL: func.func @slices(
//   CHECK-DAG: %[[ORDER:.+]] = forge.constant dense<[1, 0, 3, 2, 5, 4]> : tensor<6xi64>
//       CHECK: %[[SWAPPED:.+]] = forge.adv_index %arg0, %[[ORDER]] dim -1
//       CHECK: %[[MINUS:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
//       CHECK: %[[S:.+]] = forge.multiply %[[SWAPPED]], %{{.+}} : (tensor<1x2x4x6xf32>, tensor<4x6xf32>)
//       CHECK: %[[C:.+]] = forge.multiply %arg0, %{{.+}} : (tensor<1x2x4x6xf32>, tensor<4x6xf32>)
//       CHECK: %[[SUM:.+]] = forge.add %[[C]], %[[S]]
//       CHECK: forge.reshape %[[SUM]] shape [1, 2, 4, 6]
func.func @slices(%x: tensor<1x2x4x6xf32>) -> tensor<1x2x4x6xf32> {
  %cos = forge.parameter "cos" : tensor<4x3xf32>
  %sin = forge.parameter "sin" : tensor<4x3xf32>
  %e = forge.index %x dim -1 [0:6:2] : (tensor<1x2x4x6xf32>) -> tensor<1x2x4x3xf32>
  %o = forge.index %x dim -1 [1:6:2] : (tensor<1x2x4x6xf32>) -> tensor<1x2x4x3xf32>
  %0 = forge.multiply %e, %cos : (tensor<1x2x4x3xf32>, tensor<4x3xf32>) -> tensor<1x2x4x3xf32>
  %1 = forge.multiply %o, %sin : (tensor<1x2x4x3xf32>, tensor<4x3xf32>) -> tensor<1x2x4x3xf32>
  %2 = forge.subtract %0, %1 : tensor<1x2x4x3xf32>
  %3 = forge.multiply %o, %cos : (tensor<1x2x4x3xf32>, tensor<4x3xf32>) -> tensor<1x2x4x3xf32>
  %4 = forge.multiply %sin, %e : (tensor<4x3xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  %5 = forge.add %3, %4 : tensor<1x2x4x3xf32>
  %6 = forge.reshape %2 shape [1, 2, 4, 3, 1] : (tensor<1x2x4x3xf32>) -> tensor<1x2x4x3x1xf32>
  %7 = forge.reshape %5 shape [1, 2, 4, 3, 1] : (tensor<1x2x4x3xf32>) -> tensor<1x2x4x3x1xf32>
  %8 = forge.concatenate %6, %7 axis -1 : (tensor<1x2x4x3x1xf32>, tensor<1x2x4x3x1xf32>) -> tensor<1x2x4x3x2xf32>
  %9 = forge.reshape %8 shape [1, 2, 4, 6] : (tensor<1x2x4x3x2xf32>) -> tensor<1x2x4x6xf32>
  return %9 : tensor<1x2x4x6xf32>
}

// interleave(-odd, even), as in GPT-J.
// CHECK-LABEL: func.func @signs(
//   CHECK-DAG: %[[SWAPPED:.+]] = forge.adv_index %arg0, %{{.+}} dim -1
//   CHECK-DAG: %[[SIGNS:.+]] = forge.constant dense<[-1.000000e+00, 1.000000e+00, -1.000000e+00, 1.000000e+00]>
//       CHECK: forge.multiply %[[SWAPPED]], %[[SIGNS]]
//   CHECK-NOT: forge.add
func.func @signs(%x: tensor<2x4xf32>) -> tensor<8xf32> {
  %minus = forge.constant dense<-1.0> : tensor<f32>
  %e = forge.index %x dim -1 [0:4:2] : (tensor<2x4xf32>) -> tensor<2x2xf32>
  %o = forge.index %x dim -1 [1:4:2] : (tensor<2x4xf32>) -> tensor<2x2xf32>
  %0 = forge.multiply %o, %minus : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %1 = forge.reshape %0 shape [2, 2, 1] : (tensor<2x2xf32>) -> tensor<2x2x1xf32>
  %2 = forge.reshape %e shape [2, 2, 1] : (tensor<2x2xf32>) -> tensor<2x2x1xf32>
  %3 = forge.concatenate %1, %2 axis -1 : (tensor<2x2x1xf32>, tensor<2x2x1xf32>) -> tensor<2x2x2xf32>
  %4 = forge.reshape %3 shape [8] : (tensor<2x2x2xf32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}

// Complex numbers, stored as pairs along the last axis.
// CHECK-LABEL: func.func @complex(
//       CHECK: forge.adv_index %arg0
//   CHECK-NOT: forge.index
//       CHECK: return
func.func @complex(%x: tensor<3x8xf32>) -> tensor<3x8xf32> {
  %cos = forge.parameter "cos" : tensor<3x4x1xf32>
  %sin = forge.parameter "sin" : tensor<3x4x1xf32>
  %pairs = forge.reshape %x shape [3, 4, 2] : (tensor<3x8xf32>) -> tensor<3x4x2xf32>
  %e = forge.index %pairs dim -1 [0:1] : (tensor<3x4x2xf32>) -> tensor<3x4x1xf32>
  %o = forge.index %pairs dim -1 [1:2] : (tensor<3x4x2xf32>) -> tensor<3x4x1xf32>
  %0 = forge.multiply %e, %cos : tensor<3x4x1xf32>
  %1 = forge.multiply %o, %sin : tensor<3x4x1xf32>
  %2 = forge.subtract %0, %1 : tensor<3x4x1xf32>
  %3 = forge.multiply %e, %sin : tensor<3x4x1xf32>
  %4 = forge.multiply %o, %cos : tensor<3x4x1xf32>
  %5 = forge.add %3, %4 : tensor<3x4x1xf32>
  %6 = forge.concatenate %2, %5 axis -1 : (tensor<3x4x1xf32>, tensor<3x4x1xf32>) -> tensor<3x4x2xf32>
  %7 = forge.reshape %6 shape [3, 8] : (tensor<3x4x2xf32>) -> tensor<3x8xf32>
  return %7 : tensor<3x8xf32>
}

// Unchanged: the difference has another user, the table is an input, and even and odd elements are taken from two
// values.
// CHECK-LABEL: func.func @unchanged(
//   CHECK-NOT: forge.adv_index
func.func @unchanged(%x: tensor<3x8xf32>, %z: tensor<3x8xf32>, %cos: tensor<3x4xf32>) -> (tensor<3x8xf32>, tensor<3x4xf32>, tensor<3x8xf32>, tensor<3x8xf32>) {
  %sin = forge.parameter "sin" : tensor<3x4xf32>
  %e = forge.index %x dim -1 [0:8:2] : (tensor<3x8xf32>) -> tensor<3x4xf32>
  %o = forge.index %x dim -1 [1:8:2] : (tensor<3x8xf32>) -> tensor<3x4xf32>
  %other = forge.index %z dim -1 [1:8:2] : (tensor<3x8xf32>) -> tensor<3x4xf32>
  %0 = forge.multiply %e, %sin : tensor<3x4xf32>
  %1 = forge.multiply %o, %sin : tensor<3x4xf32>
  %2 = forge.subtract %1, %0 : tensor<3x4xf32>
  %3 = forge.reshape %2 shape [3, 4, 1] : (tensor<3x4xf32>) -> tensor<3x4x1xf32>
  %4 = forge.reshape %o shape [3, 4, 1] : (tensor<3x4xf32>) -> tensor<3x4x1xf32>
  %5 = forge.concatenate %3, %4 axis -1 : (tensor<3x4x1xf32>, tensor<3x4x1xf32>) -> tensor<3x4x2xf32>
  %6 = forge.reshape %5 shape [3, 8] : (tensor<3x4x2xf32>) -> tensor<3x8xf32>
  %7 = forge.multiply %o, %cos : tensor<3x4xf32>
  %8 = forge.multiply %e, %cos : tensor<3x4xf32>
  %9 = forge.reshape %7 shape [3, 4, 1] : (tensor<3x4xf32>) -> tensor<3x4x1xf32>
  %10 = forge.reshape %8 shape [3, 4, 1] : (tensor<3x4xf32>) -> tensor<3x4x1xf32>
  %11 = forge.concatenate %9, %10 axis -1 : (tensor<3x4x1xf32>, tensor<3x4x1xf32>) -> tensor<3x4x2xf32>
  %12 = forge.reshape %11 shape [3, 8] : (tensor<3x4x2xf32>) -> tensor<3x8xf32>
  %13 = forge.reshape %other shape [3, 4, 1] : (tensor<3x4xf32>) -> tensor<3x4x1xf32>
  %14 = forge.reshape %e shape [3, 4, 1] : (tensor<3x4xf32>) -> tensor<3x4x1xf32>
  %15 = forge.concatenate %13, %14 axis -1 : (tensor<3x4x1xf32>, tensor<3x4x1xf32>) -> tensor<3x4x2xf32>
  %16 = forge.reshape %15 shape [3, 8] : (tensor<3x4x2xf32>) -> tensor<3x8xf32>
  return %6, %2, %12, %16 : tensor<3x8xf32>, tensor<3x4xf32>, tensor<3x8xf32>, tensor<3x8xf32>
}

// The pairs are results of a split, as `unbind` is exported; the split is lowered to slices later. The second function
// splits differently and is unchanged.
// CHECK-LABEL: func.func @results_of_split(
//       CHECK: %[[SWAPPED:.+]] = forge.adv_index %arg0, %{{.+}} dim -1
//       CHECK: %[[S:.+]] = forge.multiply %[[SWAPPED]], %{{.+}} : tensor<3x8xf32>
//       CHECK: %[[C:.+]] = forge.multiply %arg0, %{{.+}} : tensor<3x8xf32>
//       CHECK: %[[SUM:.+]] = forge.add %[[C]], %[[S]]
//       CHECK: forge.reshape %[[SUM]] shape [3, 8]
func.func @results_of_split(%x: tensor<3x8xf32>) -> tensor<3x8xf32> {
  %cos = forge.parameter "cos" : tensor<3x4x1xf32>
  %sin = forge.parameter "sin" : tensor<3x4x1xf32>
  %pairs = forge.reshape %x shape [3, 4, 2] : (tensor<3x8xf32>) -> tensor<3x4x2xf32>
  %piece:2 = forge.split %pairs dim -1 sizes [1, 1] : (tensor<3x4x2xf32>) -> (tensor<3x4x1xf32>, tensor<3x4x1xf32>)
  %0 = forge.multiply %piece#0, %cos : tensor<3x4x1xf32>
  %1 = forge.multiply %piece#1, %sin : tensor<3x4x1xf32>
  %2 = forge.subtract %0, %1 : tensor<3x4x1xf32>
  %3 = forge.multiply %piece#0, %sin : tensor<3x4x1xf32>
  %4 = forge.multiply %piece#1, %cos : tensor<3x4x1xf32>
  %5 = forge.add %3, %4 : tensor<3x4x1xf32>
  %6 = forge.concatenate %2, %5 axis -1 : (tensor<3x4x1xf32>, tensor<3x4x1xf32>) -> tensor<3x4x2xf32>
  %7 = forge.reshape %6 shape [3, 8] : (tensor<3x4x2xf32>) -> tensor<3x8xf32>
  return %7 : tensor<3x8xf32>
}

// CHECK-LABEL: func.func @results_of_other_split(
//   CHECK-NOT: forge.adv_index
//       CHECK: return
func.func @results_of_other_split(%x: tensor<3x8xf32>) -> tensor<3x8xf32> {
  %piece:2 = forge.split %x dim -1 sizes [4, 4] : (tensor<3x8xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>)
  %minus = forge.constant dense<-1.0> : tensor<f32>
  %0 = forge.multiply %piece#1, %minus : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  %1 = forge.reshape %0 shape [3, 4, 1] : (tensor<3x4xf32>) -> tensor<3x4x1xf32>
  %2 = forge.reshape %piece#0 shape [3, 4, 1] : (tensor<3x4xf32>) -> tensor<3x4x1xf32>
  %3 = forge.concatenate %1, %2 axis -1 : (tensor<3x4x1xf32>, tensor<3x4x1xf32>) -> tensor<3x4x2xf32>
  %4 = forge.reshape %3 shape [3, 8] : (tensor<3x4x2xf32>) -> tensor<3x8xf32>
  return %4 : tensor<3x8xf32>
}

// One pair, whose sums have a trailing axis of size 1 that reshapes remove and add again: the tables have it, too, so
// that they are broadcast along the first axis of x.
// CHECK-LABEL: func.func @axis_removed_and_added(
// CHECK-COUNT-2: forge.reshape %{{.+}} shape [4, 2] : (tensor<4x1x2xf32>) -> tensor<4x2xf32>
func.func @axis_removed_and_added(%x: tensor<4x4x2xf32>) -> tensor<4x4x2xf32> {
  %cos = forge.parameter "cos" : tensor<4x1x1xf32>
  %sin = forge.parameter "sin" : tensor<4x1x1xf32>
  %p = forge.reshape %x shape [4, 4, 1, 2] : (tensor<4x4x2xf32>) -> tensor<4x4x1x2xf32>
  %e = forge.index %p dim -1 [0:1] : (tensor<4x4x1x2xf32>) -> tensor<4x4x1x1xf32>
  %o = forge.index %p dim -1 [1:2] : (tensor<4x4x1x2xf32>) -> tensor<4x4x1x1xf32>
  %0 = forge.multiply %e, %cos : (tensor<4x4x1x1xf32>, tensor<4x1x1xf32>) -> tensor<4x4x1x1xf32>
  %1 = forge.multiply %o, %sin : (tensor<4x4x1x1xf32>, tensor<4x1x1xf32>) -> tensor<4x4x1x1xf32>
  %2 = forge.multiply %e, %sin : (tensor<4x4x1x1xf32>, tensor<4x1x1xf32>) -> tensor<4x4x1x1xf32>
  %3 = forge.multiply %o, %cos : (tensor<4x4x1x1xf32>, tensor<4x1x1xf32>) -> tensor<4x4x1x1xf32>
  %a = forge.subtract %0, %1 : tensor<4x4x1x1xf32>
  %b = forge.add %2, %3 : tensor<4x4x1x1xf32>
  %a1 = forge.reshape %a shape [4, 4, 1] : (tensor<4x4x1x1xf32>) -> tensor<4x4x1xf32>
  %a2 = forge.reshape %a1 shape [4, 4, 1, 1] : (tensor<4x4x1xf32>) -> tensor<4x4x1x1xf32>
  %b1 = forge.reshape %b shape [4, 4, 1] : (tensor<4x4x1x1xf32>) -> tensor<4x4x1xf32>
  %b2 = forge.reshape %b1 shape [4, 4, 1, 1] : (tensor<4x4x1xf32>) -> tensor<4x4x1x1xf32>
  %c = forge.concatenate %a2, %b2 axis -1 : (tensor<4x4x1x1xf32>, tensor<4x4x1x1xf32>) -> tensor<4x4x1x2xf32>
  %r = forge.reshape %c shape [4, 4, 2] : (tensor<4x4x1x2xf32>) -> tensor<4x4x2xf32>
  return %r : tensor<4x4x2xf32>
}

// Tables of another type than x keep it.
// CHECK-LABEL: func.func @tables_of_16_bits(
//       CHECK: %[[MINUS:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<4x3xbf16>, tensor<bf16>) -> tensor<4x3xbf16>
//       CHECK: forge.multiply %{{.+}}, %{{.+}} : (tensor<1x2x4x6xf32>, tensor<4x6xbf16>) -> tensor<1x2x4x6xf32>
//       CHECK: forge.multiply %arg0, %{{.+}} : (tensor<1x2x4x6xf32>, tensor<4x6xf16>) -> tensor<1x2x4x6xf32>
func.func @tables_of_16_bits(%x: tensor<1x2x4x6xf32>) -> tensor<1x2x4x6xf32> {
  %cos = forge.parameter "cos" : tensor<4x3xf16>
  %sin = forge.parameter "sin" : tensor<4x3xbf16>
  %e = forge.index %x dim -1 [0:6:2] : (tensor<1x2x4x6xf32>) -> tensor<1x2x4x3xf32>
  %o = forge.index %x dim -1 [1:6:2] : (tensor<1x2x4x6xf32>) -> tensor<1x2x4x3xf32>
  %0 = forge.multiply %e, %cos : (tensor<1x2x4x3xf32>, tensor<4x3xf16>) -> tensor<1x2x4x3xf32>
  %1 = forge.multiply %o, %sin : (tensor<1x2x4x3xf32>, tensor<4x3xbf16>) -> tensor<1x2x4x3xf32>
  %2 = forge.subtract %0, %1 : tensor<1x2x4x3xf32>
  %3 = forge.multiply %o, %cos : (tensor<1x2x4x3xf32>, tensor<4x3xf16>) -> tensor<1x2x4x3xf32>
  %4 = forge.multiply %sin, %e : (tensor<4x3xbf16>, tensor<1x2x4x3xf32>) -> tensor<1x2x4x3xf32>
  %5 = forge.add %3, %4 : tensor<1x2x4x3xf32>
  %6 = forge.reshape %2 shape [1, 2, 4, 3, 1] : (tensor<1x2x4x3xf32>) -> tensor<1x2x4x3x1xf32>
  %7 = forge.reshape %5 shape [1, 2, 4, 3, 1] : (tensor<1x2x4x3xf32>) -> tensor<1x2x4x3x1xf32>
  %8 = forge.concatenate %6, %7 axis -1 : (tensor<1x2x4x3x1xf32>, tensor<1x2x4x3x1xf32>) -> tensor<1x2x4x3x2xf32>
  %9 = forge.reshape %8 shape [1, 2, 4, 6] : (tensor<1x2x4x3x2xf32>) -> tensor<1x2x4x6xf32>
  return %9 : tensor<1x2x4x6xf32>
}
