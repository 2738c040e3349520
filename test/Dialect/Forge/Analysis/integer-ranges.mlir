// RUN: forge-opt %s --forge-test-integer-ranges --verify-diagnostics -o /dev/null

// The interval of an argument is that of its type, or what the user stated.
func.func @stated(%i: tensor<4xi32> {forge.range = array<i64: 0, 100>}, %b: tensor<4xi8>) -> (tensor<4xi32>, tensor<4xi32>) {
  // expected-remark @+1 {{from 3.000000e+00 to 3.000000e+00}}
  %three = forge.constant dense<3> : tensor<4xi32>
  // expected-remark @+1 {{from 0.000000e+00 to 3.000000e+02}}
  %0 = forge.multiply %i, %three : tensor<4xi32>
  // expected-remark @+1 {{from -1.280000e+02 to 1.270000e+02}}
  %1 = forge.cast %b dtype i32 : (tensor<4xi8>) -> tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}

// After an op that may overflow, the interval is that of the type, and holds only if it does not.
func.func @overflow(%i: tensor<4xi32>) -> tensor<4xi32> {
  // expected-remark @+1 {{from 1.000000e+00 to 1.000000e+00}}
  %one = forge.constant dense<1> : tensor<4xi32>
  // expected-remark @+2 {{may overflow: from -2.147484e+09 to 2.147484e+09, depends on argument 0}}
  // expected-remark @+1 {{from -2.147484e+09 to 2.147484e+09, if nothing overflows}}
  %0 = forge.add %i, %one : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// Narrow integers wrap around: 200 becomes -56, and 100 + 100 too.
func.func @narrow(%c: tensor<2xi32> {forge.range = array<i64: 0, 200>}, %d: tensor<2xi8> {forge.range = array<i64: 0, 100>}) -> (tensor<2xi8>, tensor<2xi8>) {
  // expected-remark @+1 {{from -1.280000e+02 to 1.270000e+02}}
  %0 = forge.cast %c dtype i8 : (tensor<2xi32>) -> tensor<2xi8>
  // expected-remark @+1 {{from -1.280000e+02 to 1.270000e+02}}
  %1 = forge.add %d, %d : tensor<2xi8>
  return %0, %1 : tensor<2xi8>, tensor<2xi8>
}

// Bounds of quotients are divided, not multiplied by a rounded reciprocal.
func.func @quotient(%i: tensor<4xi32> {forge.range = array<i64: 49, 49>}) -> tensor<4xi32> {
  // expected-remark @+1 {{from 1.000000e+00 to 1.000000e+00}}
  %0 = forge.quotient %i, %i : tensor<4xi32>
  return %0 : tensor<4xi32>
}
