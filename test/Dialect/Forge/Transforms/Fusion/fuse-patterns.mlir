// RUN: forge-opt %s --forge-fuse-patterns | FileCheck %s

// The TorchScript exporter: x * (erf(x / sqrt(2)) + 1) * 0.5.
// CHECK-LABEL: func.func @erf_div(
// CHECK-NEXT: %[[Y:.+]] = forge.gelu %arg0 approximate none : tensor<2x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @erf_div(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<1.41421354> : tensor<f32>
  %1 = forge.divide %x, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.erf %1 : tensor<2x8xf32>
  %3 = forge.constant dense<1.0> : tensor<f32>
  %4 = forge.add %2, %3 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %5 = forge.multiply %x, %4 : tensor<2x8xf32>
  %6 = forge.constant dense<0.5> : tensor<f32>
  %7 = forge.multiply %5, %6 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  return %7 : tensor<2x8xf32>
}

// The dynamo exporter: 0.5 * x is computed first, and erf is applied to a product with 1 / sqrt(2).
// CHECK-LABEL: func.func @erf_mul(
// CHECK-NEXT: %[[Y:.+]] = forge.gelu %arg0 approximate none : tensor<2x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @erf_mul(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<0.5> : tensor<f32>
  %1 = forge.multiply %x, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.constant dense<0.707106769> : tensor<f32>
  %3 = forge.multiply %x, %2 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %4 = forge.erf %3 : tensor<2x8xf32>
  %5 = forge.constant dense<1.0> : tensor<f32>
  %6 = forge.add %4, %5 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %7 = forge.multiply %1, %6 : tensor<2x8xf32>
  return %7 : tensor<2x8xf32>
}

// BERT from TensorFlow: x * (0.5 * (1 + erf)), with the operands of commutative ops swapped.
// CHECK-LABEL: func.func @erf_cdf(
// CHECK-NEXT: %[[Y:.+]] = forge.gelu %arg0 approximate none : tensor<2x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @erf_cdf(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<0.5> : tensor<f32>
  %1 = forge.constant dense<1.0> : tensor<f32>
  %2 = forge.constant dense<0.707106769> : tensor<f32>
  %3 = forge.multiply %2, %x : (tensor<f32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  %4 = forge.erf %3 : tensor<2x8xf32>
  %5 = forge.add %1, %4 : (tensor<f32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  %6 = forge.multiply %0, %5 : (tensor<f32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  %7 = forge.multiply %6, %x : tensor<2x8xf32>
  return %7 : tensor<2x8xf32>
}

// The result is halved by a division.
// CHECK-LABEL: func.func @erf_half_last(
// CHECK-NEXT: %[[Y:.+]] = forge.gelu %arg0 approximate none : tensor<2x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @erf_half_last(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<1.41421354> : tensor<f32>
  %1 = forge.divide %x, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.erf %1 : tensor<2x8xf32>
  %3 = forge.constant dense<1.0> : tensor<1xf32>
  %4 = forge.add %2, %3 : (tensor<2x8xf32>, tensor<1xf32>) -> tensor<2x8xf32>
  %5 = forge.multiply %4, %x : tensor<2x8xf32>
  %6 = forge.constant dense<2.0> : tensor<f32>
  %7 = forge.divide %5, %6 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  return %7 : tensor<2x8xf32>
}

// x is halved by a division.
// CHECK-LABEL: func.func @erf_half_of_x(
// CHECK-NEXT: %[[Y:.+]] = forge.gelu %arg0 approximate none : tensor<2x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @erf_half_of_x(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<1.41421354> : tensor<f32>
  %1 = forge.divide %x, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.erf %1 : tensor<2x8xf32>
  %3 = forge.constant dense<1.0> : tensor<f32>
  %4 = forge.add %2, %3 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %5 = forge.constant dense<2.0> : tensor<f32>
  %6 = forge.divide %x, %5 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %7 = forge.multiply %6, %4 : tensor<2x8xf32>
  return %7 : tensor<2x8xf32>
}

// The argument of the GELU may itself be a product.
// CHECK-LABEL: func.func @erf_of_a_product(
// CHECK: %[[X:.+]] = forge.multiply %arg0, %arg1
// CHECK-NEXT: %[[Y:.+]] = forge.gelu %[[X]] approximate none
// CHECK-NEXT: return %[[Y]]
func.func @erf_of_a_product(%x: tensor<2x8xf32>, %w: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.multiply %x, %w : tensor<2x8xf32>
  %1 = forge.constant dense<1.41421354> : tensor<f32>
  %2 = forge.divide %0, %1 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %3 = forge.erf %2 : tensor<2x8xf32>
  %4 = forge.constant dense<1.0> : tensor<f32>
  %5 = forge.add %3, %4 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %6 = forge.multiply %0, %5 : tensor<2x8xf32>
  %7 = forge.constant dense<0.5> : tensor<f32>
  %8 = forge.multiply %6, %7 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  return %8 : tensor<2x8xf32>
}

// A multiplication of the GELU's result stays.
// CHECK-LABEL: func.func @erf_then_gate(
// CHECK: %[[Y:.+]] = forge.gelu %arg0 approximate none
// CHECK-NEXT: %[[Z:.+]] = forge.multiply %[[Y]], %arg1
// CHECK-NEXT: return %[[Z]]
func.func @erf_then_gate(%x: tensor<2x8xf32>, %w: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<1.41421354> : tensor<f32>
  %1 = forge.divide %x, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.erf %1 : tensor<2x8xf32>
  %3 = forge.constant dense<1.0> : tensor<f32>
  %4 = forge.add %2, %3 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %5 = forge.multiply %x, %4 : tensor<2x8xf32>
  %6 = forge.constant dense<0.5> : tensor<f32>
  %7 = forge.multiply %5, %6 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %8 = forge.multiply %7, %w : tensor<2x8xf32>
  return %8 : tensor<2x8xf32>
}

// An intermediate value with another user is still computed.
// CHECK-LABEL: func.func @erf_used_elsewhere(
// CHECK: %[[E:.+]] = forge.erf
// CHECK: %[[Y:.+]] = forge.gelu %arg0 approximate none
// CHECK-NEXT: return %[[Y]], %[[E]]
func.func @erf_used_elsewhere(%x: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %0 = forge.constant dense<1.41421354> : tensor<f32>
  %1 = forge.divide %x, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.erf %1 : tensor<2x8xf32>
  %3 = forge.constant dense<1.0> : tensor<f32>
  %4 = forge.add %2, %3 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %5 = forge.multiply %x, %4 : tensor<2x8xf32>
  %6 = forge.constant dense<0.5> : tensor<f32>
  %7 = forge.multiply %5, %6 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  return %7, %2 : tensor<2x8xf32>, tensor<2x8xf32>
}

// f64, which is computed in f32, with a constant that was rounded to f32.
// CHECK-LABEL: func.func @erf_f64(
// CHECK-NEXT: %[[Y:.+]] = forge.gelu %arg0 approximate none : tensor<2x8xf64>
// CHECK-NEXT: return %[[Y]]
func.func @erf_f64(%x: tensor<2x8xf64>) -> tensor<2x8xf64> {
  %0 = forge.constant dense<1.4142135381698608> : tensor<f64>
  %1 = forge.divide %x, %0 : (tensor<2x8xf64>, tensor<f64>) -> tensor<2x8xf64>
  %2 = forge.erf %1 : tensor<2x8xf64>
  %3 = forge.constant dense<1.0> : tensor<f64>
  %4 = forge.add %2, %3 : (tensor<2x8xf64>, tensor<f64>) -> tensor<2x8xf64>
  %5 = forge.multiply %x, %4 : tensor<2x8xf64>
  %6 = forge.constant dense<0.5> : tensor<f64>
  %7 = forge.multiply %5, %6 : (tensor<2x8xf64>, tensor<f64>) -> tensor<2x8xf64>
  return %7 : tensor<2x8xf64>
}

// The tanh approximation of GPT-2, with the cube as a power.
// CHECK-LABEL: func.func @tanh_pow(
// CHECK-NEXT: %[[Y:.+]] = forge.gelu %arg0 approximate tanh : tensor<2x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @tanh_pow(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<0.5> : tensor<f32>
  %1 = forge.multiply %x, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.constant dense<3.0> : tensor<f32>
  %3 = forge.power %x, %2 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %4 = forge.constant dense<4.471500e-02> : tensor<f32>
  %5 = forge.multiply %3, %4 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %6 = forge.add %x, %5 : tensor<2x8xf32>
  %7 = forge.constant dense<0.797884583> : tensor<f32>
  %8 = forge.multiply %6, %7 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %9 = forge.tanh %8 : tensor<2x8xf32>
  %10 = forge.constant dense<1.0> : tensor<f32>
  %11 = forge.add %9, %10 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %12 = forge.multiply %1, %11 : tensor<2x8xf32>
  return %12 : tensor<2x8xf32>
}

// The cube is a product, as Pow(x, 3) is converted.
// CHECK-LABEL: func.func @tanh_cube(
// CHECK-NEXT: %[[Y:.+]] = forge.gelu %arg0 approximate tanh : tensor<2x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @tanh_cube(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<0.5> : tensor<f32>
  %1 = forge.multiply %x, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.multiply %x, %x : tensor<2x8xf32>
  %3 = forge.multiply %x, %2 : tensor<2x8xf32>
  %4 = forge.constant dense<4.471500e-02> : tensor<f32>
  %5 = forge.multiply %3, %4 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %6 = forge.add %x, %5 : tensor<2x8xf32>
  %7 = forge.constant dense<0.797884583> : tensor<f32>
  %8 = forge.multiply %6, %7 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %9 = forge.tanh %8 : tensor<2x8xf32>
  %10 = forge.constant dense<1.0> : tensor<f32>
  %11 = forge.add %9, %10 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %12 = forge.multiply %1, %11 : tensor<2x8xf32>
  return %12 : tensor<2x8xf32>
}

// The operands of all commutative ops are swapped.
// CHECK-LABEL: func.func @tanh_flipped(
// CHECK-NEXT: %[[Y:.+]] = forge.gelu %arg0 approximate tanh : tensor<2x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @tanh_flipped(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<0.5> : tensor<f32>
  %1 = forge.multiply %x, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.constant dense<4.471500e-02> : tensor<f32>
  %3 = forge.multiply %x, %x : tensor<2x8xf32>
  %4 = forge.multiply %3, %x : tensor<2x8xf32>
  %5 = forge.multiply %2, %4 : (tensor<f32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  %6 = forge.add %5, %x : tensor<2x8xf32>
  %7 = forge.constant dense<0.797884583> : tensor<f32>
  %8 = forge.multiply %6, %7 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %9 = forge.tanh %8 : tensor<2x8xf32>
  %10 = forge.constant dense<1.0> : tensor<f32>
  %11 = forge.add %9, %10 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %12 = forge.multiply %11, %1 : tensor<2x8xf32>
  return %12 : tensor<2x8xf32>
}

// x is factored out: tanh(x * sqrt(2 / pi) * (1 + 0.044715 * x * x)).
// CHECK-LABEL: func.func @tanh_fast(
// CHECK-NEXT: %[[Y:.+]] = forge.gelu %arg0 approximate tanh : tensor<2x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @tanh_fast(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<0.797884583> : tensor<f32>
  %1 = forge.multiply %x, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.constant dense<4.471500e-02> : tensor<f32>
  %3 = forge.multiply %x, %2 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %4 = forge.multiply %3, %x : tensor<2x8xf32>
  %5 = forge.constant dense<1.0> : tensor<f32>
  %6 = forge.add %4, %5 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %7 = forge.constant dense<1.0> : tensor<f32>
  %8 = forge.multiply %1, %6 : tensor<2x8xf32>
  %9 = forge.tanh %8 : tensor<2x8xf32>
  %10 = forge.add %7, %9 : (tensor<f32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  %11 = forge.constant dense<0.5> : tensor<f32>
  %12 = forge.multiply %11, %x : (tensor<f32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  %13 = forge.multiply %12, %10 : tensor<2x8xf32>
  return %13 : tensor<2x8xf32>
}

// 1 / (1 + exp(-x)).
// CHECK-LABEL: func.func @sigmoid(
// CHECK-NEXT: %[[S:.+]] = forge.sigmoid %arg0
// CHECK-NEXT: return %[[S]]
func.func @sigmoid(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<1.0> : tensor<f32>
  %1 = forge.constant dense<-1.0> : tensor<f32>
  %2 = forge.multiply %x, %1 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %3 = forge.exp %2 : tensor<2x8xf32>
  %4 = forge.constant dense<1.0> : tensor<f32>
  %5 = forge.add %3, %4 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %6 = forge.divide %0, %5 : (tensor<f32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  return %6 : tensor<2x8xf32>
}

// x / (1 + exp(-x)): Forge has no SiLU, and its compiler recognises a product with a sigmoid.
// CHECK-LABEL: func.func @silu(
// CHECK-NEXT: %[[S:.+]] = forge.sigmoid %arg0
// CHECK-NEXT: %[[Y:.+]] = forge.multiply %arg0, %[[S]]
// CHECK-NEXT: return %[[Y]]
func.func @silu(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<-1.0> : tensor<f32>
  %1 = forge.multiply %x, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.exp %1 : tensor<2x8xf32>
  %3 = forge.constant dense<1.0> : tensor<f32>
  %4 = forge.add %2, %3 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %5 = forge.divide %x, %4 : tensor<2x8xf32>
  return %5 : tensor<2x8xf32>
}

// HardSwish as its converter writes it: min and max become one clip.
// CHECK-LABEL: func.func @hard_swish(
// CHECK: %[[S:.+]] = forge.add
// CHECK-NEXT: %[[C:.+]] = forge.clip %[[S]] min 0.000000e+00 max 1.000000e+00
// CHECK-NEXT: %[[Y:.+]] = forge.multiply %arg0, %[[C]]
// CHECK-NEXT: return %[[Y]]
func.func @hard_swish(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<6.0> : tensor<f32>
  %1 = forge.divide %x, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.constant dense<0.5> : tensor<f32>
  %3 = forge.add %1, %2 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %4 = forge.constant dense<1.0> : tensor<f32>
  %5 = forge.min %3, %4 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %6 = forge.constant dense<0.0> : tensor<f32>
  %7 = forge.max %5, %6 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %8 = forge.multiply %x, %7 : tensor<2x8xf32>
  return %8 : tensor<2x8xf32>
}

// max is applied before min.
// CHECK-LABEL: func.func @clip_max_first(
// CHECK-NEXT: %[[C:.+]] = forge.clip %arg0 min 0.000000e+00 max 6.000000e+00
// CHECK-NEXT: return %[[C]]
func.func @clip_max_first(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<6.0> : tensor<f32>
  %1 = forge.constant dense<0.0> : tensor<f32>
  %2 = forge.max %1, %x : (tensor<f32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  %3 = forge.min %0, %2 : (tensor<f32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  return %3 : tensor<2x8xf32>
}

// x is itself 1 + erf(w), on either side of the product.
// CHECK-LABEL: func.func @gelu_of_gate(
// CHECK: %[[X:.+]] = forge.add
// CHECK-NEXT: %[[FIRST:.+]] = forge.gelu %[[X]] approximate none : tensor<2x8xf32>
// CHECK-NEXT: %[[SECOND:.+]] = forge.gelu %[[X]] approximate none : tensor<2x8xf32>
// CHECK-NEXT: return %[[FIRST]], %[[SECOND]]
func.func @gelu_of_gate(%w: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %half = forge.constant dense<0.5> : tensor<f32>
  %one = forge.constant dense<1.0> : tensor<f32>
  %root = forge.constant dense<0.707106769> : tensor<f32>
  %0 = forge.erf %w : tensor<2x8xf32>
  %x = forge.add %0, %one : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %1 = forge.multiply %x, %root : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.erf %1 : tensor<2x8xf32>
  %gate = forge.add %2, %one : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %3 = forge.multiply %x, %gate : tensor<2x8xf32>
  %4 = forge.multiply %3, %half : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %5 = forge.multiply %gate, %x : tensor<2x8xf32>
  %6 = forge.multiply %5, %half : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  return %4, %6 : tensor<2x8xf32>, tensor<2x8xf32>
}
