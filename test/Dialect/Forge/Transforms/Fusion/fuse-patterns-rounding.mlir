// In 16-bit types every op of a formula rounds its result, whereas one fused call rounds once.
// RUN: forge-opt %s --forge-fuse-patterns | FileCheck %s

// CHECK-LABEL: func.func @half_gelu(
// CHECK-NEXT: forge.gelu %arg0 approximate none
// CHECK-NEXT: return
func.func @half_gelu(%x: tensor<2x8xf16>) -> tensor<2x8xf16> {
  %0 = forge.constant dense<1.4140625> : tensor<f16>
  %1 = forge.divide %x, %0 : (tensor<2x8xf16>, tensor<f16>) -> tensor<2x8xf16>
  %2 = forge.erf %1 : tensor<2x8xf16>
  %3 = forge.constant dense<1.0> : tensor<f16>
  %4 = forge.add %2, %3 : (tensor<2x8xf16>, tensor<f16>) -> tensor<2x8xf16>
  %5 = forge.multiply %x, %4 : tensor<2x8xf16>
  %6 = forge.constant dense<0.5> : tensor<f16>
  %7 = forge.multiply %5, %6 : (tensor<2x8xf16>, tensor<f16>) -> tensor<2x8xf16>
  return %7 : tensor<2x8xf16>
}

// CHECK-LABEL: func.func @bfloat_gelu(
// CHECK-NEXT: forge.gelu %arg0 approximate none
// CHECK-NEXT: return
func.func @bfloat_gelu(%x: tensor<2x8xbf16>) -> tensor<2x8xbf16> {
  %0 = forge.constant dense<1.4140625> : tensor<bf16>
  %1 = forge.divide %x, %0 : (tensor<2x8xbf16>, tensor<bf16>) -> tensor<2x8xbf16>
  %2 = forge.erf %1 : tensor<2x8xbf16>
  %3 = forge.constant dense<1.0> : tensor<bf16>
  %4 = forge.add %2, %3 : (tensor<2x8xbf16>, tensor<bf16>) -> tensor<2x8xbf16>
  %5 = forge.multiply %x, %4 : tensor<2x8xbf16>
  %6 = forge.constant dense<0.5> : tensor<bf16>
  %7 = forge.multiply %5, %6 : (tensor<2x8xbf16>, tensor<bf16>) -> tensor<2x8xbf16>
  return %7 : tensor<2x8xbf16>
}

// sigmoid(-11) is no normal float16, and has fewer digits than -11 / (1 + exp(11)).
// CHECK-LABEL: func.func @half_silu(
//       CHECK: %[[Y:.+]] = forge.divide %arg0,
//  CHECK-NEXT: %[[S:.+]] = forge.sigmoid %arg0
//  CHECK-NEXT: return %[[Y]], %[[S]]
func.func @half_silu(%x: tensor<2x8xf16>) -> (tensor<2x8xf16>, tensor<2x8xf16>) {
  %minus = forge.scalar_constant constant -1.0 dtype f16 : () -> tensor<1xf16>
  %one = forge.scalar_constant constant 1.0 dtype f16 : () -> tensor<1xf16>
  %0 = forge.multiply %x, %minus : (tensor<2x8xf16>, tensor<1xf16>) -> tensor<2x8xf16>
  %1 = forge.exp %0 : tensor<2x8xf16>
  %2 = forge.add %1, %one : (tensor<2x8xf16>, tensor<1xf16>) -> tensor<2x8xf16>
  %3 = forge.divide %x, %2 : tensor<2x8xf16>
  %4 = forge.add %1, %one : (tensor<2x8xf16>, tensor<1xf16>) -> tensor<2x8xf16>
  %5 = forge.divide %one, %4 : (tensor<1xf16>, tensor<2x8xf16>) -> tensor<2x8xf16>
  return %3, %5 : tensor<2x8xf16>, tensor<2x8xf16>
}
