// A part of a weight: whoever writes the weights file makes it, the module declares what it gets.
// RUN: forge-translate %s --forge-to-manifest | FileCheck %s
// RUN: forge-translate %s --forge-to-python | FileCheck %s --check-prefix=PYTHON

// PYTHON: forge.Parameter(64, 96

//      CHECK: "derived": {
// CHECK-NEXT:   "axis": 1,
// CHECK-NEXT:   "begin": 80,
// CHECK-NEXT:   "block": 80,
// CHECK-NEXT:   "end": 160,
// CHECK-NEXT:   "offset": 8,
// CHECK-NEXT:   "padded": 96
// CHECK-NEXT: },
//      CHECK: "shape": [
// CHECK-NEXT:   64,
// CHECK-NEXT:   96
//      CHECK: "key": "w"
// The other weight is whole.
//  CHECK-NOT: "derived"
func.func @f(%x: tensor<32x64xf32>) -> tensor<32x96xf32> {
  %w = forge.parameter "w" derived [1, 80, 160, 80, 96, 8] : tensor<64x96xf32>
  %b = forge.parameter "b" : tensor<96xf32>
  %0 = forge.matmul %x, %w, %b : (tensor<32x64xf32>, tensor<64x96xf32>, tensor<96xf32>) -> tensor<32x96xf32>
  return %0 : tensor<32x96xf32>
}
