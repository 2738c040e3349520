// Unproven integers give remarks, or errors in the mode in which everything must be proven.
// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-check-integers))' --split-input-file -o /dev/null 2>&1 \
// RUN:   | FileCheck %s -DKIND=remark
// RUN: not forge-opt %s --pass-pipeline='builtin.module(func.func(forge-check-integers{mode=proven}))' --split-input-file \
// RUN:   -o /dev/null 2>&1 | FileCheck %s -DKIND=error
// RUN: not forge-opt %s --pass-pipeline='builtin.module(func.func(forge-check-integers{mode=hoped}))' --split-input-file \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODE
// MODE: error: {{.*}}mode must be checked or proven, but is 'hoped'


// An input may hold any Int32.
// CHECK: [[KIND]]: {{.*}}[FM1306] node 'sum': its integers may leave Int32 on the device: forge.add reaches [-2147483647, 2147483648]
// CHECK-NEXT: note: {{.*}}state what input 'x' holds with --range x=LOWEST:END
func.func @unbounded(%x: tensor<2xi64> loc("x")) -> tensor<2xi64> {
  %one = forge.constant dense<1> : tensor<i64>
  %y = forge.add %x, %one : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64> loc("sum")
  return %y : tensor<2xi64>
}

// -----

// A range stated for the input, or a type narrower than Int32, is a proof.
// CHECK-NOT: [FM1306]
func.func @bounded(%x: tensor<2xi64> {forge.range = array<i64: 0, 2147483646>}, %n: tensor<2xi8>) -> (tensor<2xi64>, tensor<2xi32>) {
  %one = forge.constant dense<1> : tensor<i64>
  %y = forge.add %x, %one : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  %w = forge.cast %n dtype i32 : (tensor<2xi8>) -> tensor<2xi32>
  %z = forge.multiply %w, %w : tensor<2xi32>
  return %y, %z : tensor<2xi64>, tensor<2xi32>
}

// -----

// The range of a sum includes all partial sums, in whatever order the device adds.
// CHECK: [[KIND]]: {{.*}}[FM1306] node 'total': {{.*}} forge.reduce_sum reaches [-8589934592, 8589934588]
func.func @sum(%x: tensor<4xi64> loc("x")) -> tensor<1xi64> {
  %y = forge.reduce_sum %x dim -1 keep_dim : (tensor<4xi64>) -> tensor<1xi64> loc("total")
  return %y : tensor<1xi64>
}

// -----

// A float that is cast to int64 must fit Int32. For int32, ONNX does not define the result of an overflow, so that
// there is no remark.
// CHECK: [[KIND]]: {{.*}}[FM1306] node 'wide': {{.*}} forge.cast reaches [-inf, inf]
// CHECK-NOT: 'narrow'
func.func @casts(%x: tensor<2xf32>) -> (tensor<2xi64>, tensor<2xi32>, tensor<2xi64>) {
  %a = forge.cast %x dtype i64 : (tensor<2xf32>) -> tensor<2xi64> loc("wide")
  %b = forge.cast %x dtype i32 : (tensor<2xf32>) -> tensor<2xi32> loc("narrow")
  %c = forge.clip %x min -9.0 max 9.0 : tensor<2xf32>
  %d = forge.cast %c dtype i64 : (tensor<2xf32>) -> tensor<2xi64>
  return %a, %b, %d : tensor<2xi64>, tensor<2xi32>, tensor<2xi64>
}

// -----

// There is one remark per node. An index is bounded by the size of its axis.
// CHECK: [[KIND]]: {{.*}}[FM1306] node 'square': its integers may leave Int32 on the device: forge.multiply reaches [-4.6e+18, 4.6e+18]
// CHECK-NOT: [FM1306]
func.func @once(%x: tensor<2xi64> loc("x")) -> tensor<2xi64> {
  %i = forge.wrap_index %x size 9 : tensor<2xi64>
  %a = forge.multiply %i, %i : tensor<2xi64>
  %b = forge.multiply %x, %x : tensor<2xi64> loc("square")
  %c = forge.multiply %b, %x : tensor<2xi64> loc("square")
  %d = forge.add %a, %a : tensor<2xi64>
  return %c : tensor<2xi64>
}

// -----

// A convolution without output channels has a range, too.
// CHECK-NOT: [FM1306]
func.func @no_channels(%x: tensor<1x2x4x4xf32>) -> tensor<1x0x4x4xf32> {
  %w = forge.parameter "w" : tensor<0x2x1x1xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x2x4x4xf32>, tensor<0x2x1x1xf32>) -> tensor<1x0x4x4xf32>
  return %0 : tensor<1x0x4x4xf32>
}
