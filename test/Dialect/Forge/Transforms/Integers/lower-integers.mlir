// RUN: forge-opt %s --forge-lower-integers | FileCheck %s

// A computed index that may be negative is wrapped by a comparison and a selection.
// CHECK-LABEL: func.func @guarded(
// CHECK: %[[I:.+]] = forge.add
// CHECK: %[[NEGATIVE:.+]] = forge.less %[[I]], %{{.+}}
// CHECK-NEXT: %[[IS:.+]] = forge.cast %[[NEGATIVE]] dtype i1
// CHECK: %[[ADDED:.+]] = forge.where %[[IS]], %{{.+}}, %{{.+}}
// CHECK-NEXT: %[[INDEX:.+]] = forge.add %[[I]], %[[ADDED]]
// CHECK-NEXT: return %[[INDEX]]
func.func @guarded(%i: tensor<2xi64>, %j: tensor<2xi64>) -> tensor<2xi64> {
  %s = forge.add %i, %j : tensor<2xi64>
  %0 = forge.wrap_index %s size 9 : tensor<2xi64>
  return %0 : tensor<2xi64>
}

// An index that is an input is checked before the module runs. Its allowed range is that of the smallest axis that it
// indexes.
// CHECK-LABEL: func.func @input_index(
// CHECK-SAME: %arg0: tensor<2xi64> {forge.index_range = array<i64: -7, 6>}
// CHECK-DAG: %[[NINE:.+]] = forge.constant dense<9>
// CHECK-DAG: %[[A:.+]] = forge.remainder %arg0, %[[NINE]]
// CHECK-DAG: %[[FLAT:.+]] = forge.reshape %arg0
// CHECK-DAG: %[[SEVEN:.+]] = forge.constant dense<7>
// CHECK-DAG: %[[B:.+]] = forge.remainder %[[FLAT]], %[[SEVEN]]
// CHECK: return %[[A]], %[[B]]
func.func @input_index(%i: tensor<2xi64>) -> (tensor<2xi64>, tensor<1x2xi64>) {
  %0 = forge.wrap_index %i size 9 : tensor<2xi64>
  %1 = forge.reshape %i shape [1, 2] : (tensor<2xi64>) -> tensor<1x2xi64>
  %2 = forge.wrap_index %1 size 7 : tensor<1x2xi64>
  return %0, %2 : tensor<2xi64>, tensor<1x2xi64>
}

// Also of an axis of size 1, whose only index is known.
// CHECK-LABEL: func.func @input_index_of_one(
// CHECK-SAME: %arg0: tensor<2xi64> {forge.index_range = array<i64: -1, 0>}
// CHECK-NEXT: %[[ZERO:.+]] = forge.constant dense<0> : tensor<2xi64>
// CHECK-NEXT: return %[[ZERO]]
func.func @input_index_of_one(%i: tensor<2xi64>) -> tensor<2xi64> {
  %0 = forge.wrap_index %i size 1 : tensor<2xi64>
  return %0 : tensor<2xi64>
}

// A computed index of an axis of size 1 may be invalid, which the lookup reports. One that is 0 or -1 is valid.
// CHECK-LABEL: func.func @computed_index_of_one(
// CHECK: %[[SUM:.+]] = forge.add %arg0, %arg0
// CHECK: %[[INDEX:.+]] = forge.add %[[SUM]],
// CHECK-NEXT: forge.constant dense<0> : tensor<2xi32>
// CHECK-NEXT: %[[ZERO:.+]] = forge.constant dense<0> : tensor<2xi32>
// CHECK-NEXT: return %[[INDEX]], %[[ZERO]]
func.func @computed_index_of_one(%i: tensor<2xi64>, %x: tensor<2x1xf32>) -> (tensor<2xi64>, tensor<2xi32>) {
  %s = forge.add %i, %i : tensor<2xi64>
  %0 = forge.wrap_index %s size 1 : tensor<2xi64>
  %best = forge.argmax %x dim -1 : (tensor<2x1xf32>) -> tensor<2xi32>
  %1 = forge.wrap_index %best size 1 : tensor<2xi32>
  return %0, %1 : tensor<2xi64>, tensor<2xi32>
}

// An index that cannot be negative is not wrapped: by its stated range, or as the result of an argmax.
// CHECK-LABEL: func.func @not_negative(
// CHECK-NEXT: %[[BEST:.+]] = forge.argmax
// CHECK-NEXT: return %arg0, %[[BEST]]
func.func @not_negative(%i: tensor<2xi64> {forge.range = array<i64: 0, 100>}, %x: tensor<2x4xf32>) -> (tensor<2xi64>, tensor<2xi32>) {
  %0 = forge.wrap_index %i size 9 : tensor<2xi64>
  %best = forge.argmax %x dim -1 : (tensor<2x4xf32>) -> tensor<2xi32>
  %1 = forge.wrap_index %best size 9 : tensor<2xi32>
  return %0, %1 : tensor<2xi64>, tensor<2xi32>
}

// Nor is a sum that is negative only if it overflows, which ONNX does not define: the sum itself remains.
// CHECK-LABEL: func.func @not_negative_without_overflow(
// CHECK-NEXT: %[[S:.+]] = forge.add %arg0, %arg0
// CHECK-NEXT: return %[[S]]
func.func @not_negative_without_overflow(%i: tensor<2xi64> {forge.range = array<i64: 0, 2147483647>}) -> tensor<2xi64> {
  %s = forge.add %i, %i : tensor<2xi64>
  %0 = forge.wrap_index %s size 9 : tensor<2xi64>
  return %0 : tensor<2xi64>
}

// Bounds outside Int32 never take effect, and comparisons with them have a constant result.
// CHECK-LABEL: func.func @bounds_outside_int32(
// CHECK: %[[ONE:.+]] = forge.constant dense<1> : tensor<2xi64>
// CHECK-NEXT: return %arg0, %[[ONE]]
func.func @bounds_outside_int32(%x: tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>) {
  %high = forge.constant dense<9223372036854775807> : tensor<i64>
  %0 = forge.min %x, %high : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  %1 = forge.less %x, %high : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  return %0, %1 : tensor<2xi64>, tensor<2xi64>
}

// A comparison that relies on an op that may overflow is not folded: the overflow would go unnoticed.
// CHECK-LABEL: func.func @after_possible_overflow(
// CHECK: %[[SQUARE:.+]] = forge.multiply %arg0, %arg0
// CHECK-NEXT: %[[LESS:.+]] = forge.less %[[SQUARE]]
// CHECK-NEXT: return %[[LESS]]
func.func @after_possible_overflow(%x: tensor<2xi64>) -> tensor<2xi64> {
  %high = forge.constant dense<9223372036854775807> : tensor<i64>
  %0 = forge.multiply %x, %x : tensor<2xi64>
  %1 = forge.less %0, %high : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  return %1 : tensor<2xi64>
}

// NaN compares false with everything, whatever the range of the other values.
// CHECK-LABEL: func.func @floats(
// CHECK: forge.less
func.func @floats(%x: tensor<2xf32>) -> tensor<2xi1> {
  %two = forge.constant dense<2.0> : tensor<f32>
  %0 = forge.sigmoid %x : tensor<2xf32>
  %1 = forge.less %0, %two : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %2 = forge.cast %1 dtype i1 : (tensor<2xf32>) -> tensor<2xi1>
  return %2 : tensor<2xi1>
}

// An integer division is two float divisions and a correction.
// CHECK-LABEL: func.func @integer_division(
// CHECK-COUNT-2: forge.divide
// CHECK: forge.less_equal
// CHECK-NOT: forge.quotient
func.func @integer_division(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = forge.quotient %a, %b : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// A double rounds 2^60 + 1, so that the range of the difference is that of 0, although the difference is 1.
// CHECK-LABEL: func.func @beyond_exact_doubles(
//       CHECK: %[[DIFFERENCE:.+]] = forge.subtract
//       CHECK: %[[ABS:.+]] = forge.abs %[[DIFFERENCE]]
//       CHECK: return %[[DIFFERENCE]], %[[ABS]]
func.func @beyond_exact_doubles() -> (tensor<i64>, tensor<i64>) {
  %0 = forge.constant dense<1152921504606846977> : tensor<i64>
  %1 = forge.constant dense<1152921504606846976> : tensor<i64>
  %2 = forge.subtract %0, %1 : tensor<i64>
  %3 = forge.abs %2 : tensor<i64>
  return %2, %3 : tensor<i64>, tensor<i64>
}

// An infinite condition is not 0.
// CHECK-LABEL: func.func @infinite_condition(
//       CHECK: forge.where
func.func @infinite_condition(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
  %0 = forge.constant dense<[0x7F800000, 0.0]> : tensor<2xf32>
  %1 = forge.where %0, %x, %y : (tensor<2xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %1 : tensor<2xi32>
}

// The minimum, the clip and the quotient of an infinity are finite: 5, 5 and 0, besides the 0 and 1 of finite elements.
// CHECK-LABEL: func.func @hidden_infinities(
// CHECK-COUNT-3: forge.cast
func.func @hidden_infinities(%c: tensor<2xi1>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %infinity = forge.constant dense<[0x7F800000, 0.0]> : tensor<2xf32>
  %zero = forge.constant dense<0.0> : tensor<2xf32>
  %five = forge.constant dense<5.0> : tensor<2xf32>
  %0 = forge.where %c, %infinity, %zero : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = forge.min %0, %five : tensor<2xf32>
  %2 = forge.cast %1 dtype i32 : (tensor<2xf32>) -> tensor<2xi32>
  %3 = forge.clip %0 min 0.0 max 5.0 : tensor<2xf32>
  %4 = forge.cast %3 dtype i32 : (tensor<2xf32>) -> tensor<2xi32>
  %5 = forge.constant dense<[0x7F800000, 1.0]> : tensor<2xf32>
  %one = forge.constant dense<1.0> : tensor<2xf32>
  %6 = forge.where %c, %5, %one : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %7 = forge.divide %one, %6 : tensor<2xf32>
  %8 = forge.cast %7 dtype i32 : (tensor<2xf32>) -> tensor<2xi32>
  return %2, %4, %8 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}

// 60000 + 60000 is infinite in float16, and its reciprocal is 0.
// CHECK-LABEL: func.func @overflow_of_float16(
//       CHECK: forge.cast
func.func @overflow_of_float16(%c: tensor<2xi1>) -> tensor<2xi32> {
  %large = forge.constant dense<60000.0> : tensor<2xf16>
  %larger = forge.constant dense<[60000.0, 65000.0]> : tensor<2xf16>
  %0 = forge.where %c, %large, %larger : (tensor<2xi1>, tensor<2xf16>, tensor<2xf16>) -> tensor<2xf16>
  %1 = forge.add %0, %0 : tensor<2xf16>
  %2 = forge.clip %1 min 0.0 max 0x7F800000 : tensor<2xf16>
  %3 = forge.divide %large, %2 : tensor<2xf16>
  %four = forge.constant dense<4.0> : tensor<2xf16>
  %one = forge.constant dense<1.0> : tensor<2xf16>
  %4 = forge.multiply %3, %four : tensor<2xf16>
  %5 = forge.min %4, %one : tensor<2xf16>
  %6 = forge.cast %5 dtype i32 : (tensor<2xf16>) -> tensor<2xi32>
  return %6 : tensor<2xi32>
}
