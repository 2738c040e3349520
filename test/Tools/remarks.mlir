// Remarks of MLIR's engine: the category is the pass name, and the filter is a regular expression for the whole
// category.
// RUN: forge-opt %s -split-input-file --forge-fuse-patterns --remarks-filter-missed='.*' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MISSED --implicit-check-not=remark:
// RUN: forge-opt %s -split-input-file --forge-fuse-patterns --remarks-filter-passed='forge-.*' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=PASSED --implicit-check-not=remark:

// RUN: forge-opt %s -split-input-file --forge-fuse-patterns --remarks-filter=fuse -o /dev/null 2>&1 | count 0
// RUN: forge-opt %s -split-input-file --forge-fuse-patterns -o /dev/null 2>&1 | count 0

// A GELU, which is fused.
// PASSED: remark: {{.*}}[Passed] gelus-fused | Category:forge-fuse-patterns | Function=gelu | Node=gelu
func.func @gelu(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %root = "forge.constant"() <{value = dense<0.707106769> : tensor<f32>}> : () -> tensor<f32>
  %one = "forge.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
  %half = "forge.constant"() <{value = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %1 = "forge.multiply"(%x, %root) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = "forge.erf"(%1) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %3 = "forge.add"(%2, %one) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %4 = "forge.multiply"(%x, %3) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32> loc("gelu_inner")
  %5 = "forge.multiply"(%4, %half) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32> loc("gelu")
  return %5 : tensor<2x8xf32>
}

// -----

// The argument of erf is not x / sqrt(2).
// MISSED: remark: {{.*}}[Missed] gelus-fused | Category:forge-fuse-patterns | Function=other_root | Node=other_root, Reason="its erf is not of x / sqrt(2)"
func.func @other_root(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %root = "forge.constant"() <{value = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %one = "forge.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
  %half = "forge.constant"() <{value = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
  %1 = "forge.multiply"(%x, %root) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = "forge.erf"(%1) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %3 = "forge.add"(%2, %one) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %4 = "forge.multiply"(%x, %3) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32> loc("other_root_inner")
  %5 = "forge.multiply"(%4, %half) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32> loc("other_root")
  return %5 : tensor<2x8xf32>
}

// -----

// The product is not halved.
// MISSED: remark: {{.*}}[Missed] gelus-fused | Category:forge-fuse-patterns | Function=not_halved | Node=not_halved, Reason="the product has another constant factor than 0.5"
func.func @not_halved(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %root = "forge.constant"() <{value = dense<0.707106769> : tensor<f32>}> : () -> tensor<f32>
  %one = "forge.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
  %half = "forge.constant"() <{value = dense<0.25> : tensor<f32>}> : () -> tensor<f32>
  %1 = "forge.multiply"(%x, %root) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = "forge.erf"(%1) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %3 = "forge.add"(%2, %one) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %4 = "forge.multiply"(%x, %3) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32> loc("not_halved_inner")
  %5 = "forge.multiply"(%4, %half) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32> loc("not_halved")
  return %5 : tensor<2x8xf32>
}

// -----

// A GELU in a 16-bit type.
// PASSED: remark: {{.*}}[Passed] gelus-fused | Category:forge-fuse-patterns | Function=narrow | Node=narrow
func.func @narrow(%x: tensor<2x8xf16>) -> tensor<2x8xf16> {
  %root = "forge.constant"() <{value = dense<0.707> : tensor<f16>}> : () -> tensor<f16>
  %one = "forge.constant"() <{value = dense<1.0> : tensor<f16>}> : () -> tensor<f16>
  %half = "forge.constant"() <{value = dense<0.5> : tensor<f16>}> : () -> tensor<f16>
  %1 = "forge.multiply"(%x, %root) : (tensor<2x8xf16>, tensor<f16>) -> tensor<2x8xf16>
  %2 = "forge.erf"(%1) : (tensor<2x8xf16>) -> tensor<2x8xf16>
  %3 = "forge.add"(%2, %one) : (tensor<2x8xf16>, tensor<f16>) -> tensor<2x8xf16>
  %4 = "forge.multiply"(%x, %3) : (tensor<2x8xf16>, tensor<2x8xf16>) -> tensor<2x8xf16> loc("narrow_inner")
  %5 = "forge.multiply"(%4, %half) : (tensor<2x8xf16>, tensor<f16>) -> tensor<2x8xf16> loc("narrow")
  return %5 : tensor<2x8xf16>
}

// -----

// A clip whose lower bound is above its upper bound.
// MISSED: remark: {{.*}}[Missed] clips-fused | Category:forge-fuse-patterns | Function=bounds | Node=bounds, Reason="its lower bound is above the upper one"
func.func @bounds(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %low = "forge.constant"() <{value = dense<6.0> : tensor<f32>}> : () -> tensor<f32>
  %high = "forge.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %1 = "forge.min"(%x, %high) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = "forge.max"(%1, %low) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32> loc("bounds")
  return %2 : tensor<2x8xf32>
}

// -----

// A clip whose intermediate value is an output.
// MISSED: remark: {{.*}}[Missed] clips-fused | Category:forge-fuse-patterns | Function=shared | Node=shared, Reason="the value with one bound is needed too"
func.func @shared(%x: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %low = "forge.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %high = "forge.constant"() <{value = dense<6.0> : tensor<f32>}> : () -> tensor<f32>
  %1 = "forge.min"(%x, %high) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = "forge.max"(%1, %low) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32> loc("shared")
  return %2, %1 : tensor<2x8xf32>, tensor<2x8xf32>
}

// -----

// A sigmoid whose intermediate value 1 + exp(-x) is an output.
// MISSED: remark: {{.*}}[Missed] sigmoids-fused | Category:forge-fuse-patterns | Function=sigmoid | Node=sigmoid, Reason="1 + exp(-x) is needed elsewhere too"
func.func @sigmoid(%x: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %minus = "forge.constant"() <{value = dense<-1.0> : tensor<f32>}> : () -> tensor<f32>
  %one = "forge.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
  %1 = "forge.multiply"(%x, %minus) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = "forge.exp"(%1) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %3 = "forge.add"(%2, %one) : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %4 = "forge.divide"(%x, %3) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32> loc("sigmoid")
  return %4, %3 : tensor<2x8xf32>, tensor<2x8xf32>
}

// -----

// A layer norm without a scale.
// MISSED: remark: {{.*}}[Missed] layernorms-fused | Category:forge-fuse-patterns | Function=unscaled | Node=unscaled, Reason="it has no scale, so that one call would gain nothing"
func.func @unscaled(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %eps = "forge.constant"() <{value = dense<1.0e-5> : tensor<f32>}> : () -> tensor<f32>
  %1 = "forge.reduce_avg"(%x) <{dim = -1 : i64, keep_dim = true}> : (tensor<2x8xf32>) -> tensor<2x1xf32>
  %2 = "forge.subtract"(%x, %1) : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %3 = "forge.multiply"(%2, %2) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  %4 = "forge.reduce_avg"(%3) <{dim = -1 : i64, keep_dim = true}> : (tensor<2x8xf32>) -> tensor<2x1xf32>
  %5 = "forge.add"(%4, %eps) : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %6 = "forge.sqrt"(%5) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %7 = "forge.divide"(%2, %6) : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32> loc("unscaled")
  return %7 : tensor<2x8xf32>
}

// -----

// A layer norm whose scale is an input.
// MISSED: remark: {{.*}}[Missed] layernorms-fused | Category:forge-fuse-patterns | Function=scaled | Node=scaled, Reason="its scale is not one constant per element of the last axis"
func.func @scaled(%x: tensor<2x8xf32>, %scale: tensor<8xf32>) -> tensor<2x8xf32> {
  %eps = "forge.constant"() <{value = dense<1.0e-5> : tensor<f32>}> : () -> tensor<f32>
  %1 = "forge.reduce_avg"(%x) <{dim = -1 : i64, keep_dim = true}> : (tensor<2x8xf32>) -> tensor<2x1xf32>
  %2 = "forge.subtract"(%x, %1) : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %3 = "forge.multiply"(%2, %2) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  %4 = "forge.reduce_avg"(%3) <{dim = -1 : i64, keep_dim = true}> : (tensor<2x8xf32>) -> tensor<2x1xf32>
  %5 = "forge.add"(%4, %eps) : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %6 = "forge.sqrt"(%5) : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %7 = "forge.divide"(%2, %6) : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %8 = "forge.multiply"(%7, %scale) : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32> loc("scaled")
  return %8 : tensor<2x8xf32>
}

// -----

// An op that is no part of a known formula gives no remark.
func.func @no_formula(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %1 = "forge.multiply"(%x, %x) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  %2 = "forge.erf"(%1) : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %2 : tensor<2x8xf32>
}
