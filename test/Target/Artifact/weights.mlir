// Arithmetic on weights is evaluated when the weights file is written, and produces no call.
// RUN: forge-translate %s --forge-to-manifest | FileCheck %s
// RUN: forge-translate %s --forge-to-python | FileCheck %s --check-prefix=PYTHON

// PYTHON-LABEL: class
//      PYTHON: self.add_parameter("w", forge.Parameter(64, 96
//  PYTHON-NOT: add_parameter
//      PYTHON: def forward
// PYTHON-NEXT: y = forge.op.Matmul("", x, self.get_parameter("w"))
// PYTHON-NEXT: return

//      CHECK: "computed_from": [
// CHECK-NEXT:   "w",
// CHECK-NEXT:   "s"
// CHECK-NEXT: ],
//      CHECK: "steps": [
//      CHECK:     "key": "w.data"
//      CHECK:     "dim": 1,
//      CHECK:     "op": "index",
//      CHECK:     "operands": [
// CHECK-NEXT:       0
// CHECK-NEXT:     ],
//      CHECK:     "start": 80,
// CHECK-NEXT:     "stop": 176,
// CHECK-NEXT:     "stride": 1
//      CHECK:     "key": "s.data"
//      CHECK:     "splat": "1e-05"
//      CHECK:     "op": "add",
//      CHECK:     "operands": [
// CHECK-NEXT:       2,
// CHECK-NEXT:       3
//      CHECK:     "op": "multiply",
//      CHECK:     "operands": [
// CHECK-NEXT:       1,
// CHECK-NEXT:       4
func.func @f(%x: tensor<32x64xf32>) -> tensor<32x96xf32> {
  %w = forge.parameter "w.data" : tensor<64x176xf32> loc("w")
  %s = forge.parameter "s.data" : tensor<96xf32> loc("s")
  %e = forge.scalar_constant constant 1.0e-5 dtype f32 : () -> tensor<1xf32>
  %part = forge.index %w dim 1 [80:176] : (tensor<64x176xf32>) -> tensor<64x96xf32>
  %more = forge.add %s, %e : (tensor<96xf32>, tensor<1xf32>) -> tensor<96xf32>
  %scaled = forge.multiply %part, %more : (tensor<64x96xf32>, tensor<96xf32>) -> tensor<64x96xf32>
  %0 = forge.matmul %x, %scaled : (tensor<32x64xf32>, tensor<64x96xf32>) -> tensor<32x96xf32> loc("y")
  return %0 : tensor<32x96xf32>
}
