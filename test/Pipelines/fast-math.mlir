// The pipeline passes each kind of --fast-math to the passes that have rewrites of that kind.
// RUN: forge-opt %s --onnx-to-forge-pipeline | FileCheck %s --check-prefix=EXACT
// RUN: forge-opt %s --onnx-to-forge-pipeline="fast-math=no-nans,reciprocal,reassociate" | FileCheck %s --check-prefix=FAST
// RUN: forge-opt %s --onnx-to-forge-pipeline="optimize=exact fast-math=no-nans,reciprocal" | FileCheck %s --check-prefix=EXACT
// RUN: not forge-opt %s --onnx-to-forge-pipeline="fast-math=no-nan" -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// EXACT: forge.divide
// EXACT: forge.not_equal
// EXACT: forge.where
// FAST-NOT: forge.{{divide|not_equal|where}}
// FAST: return
// UNKNOWN: error: {{.*}}fast-math must be no-nans, {{.*}}, or all, but is 'no-nan'
func.func @main(%x: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %zero = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0.0> : tensor<f32>} : () -> !torch.vtensor<[],f32> loc("zero")
  %three = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3.0> : tensor<f32>} : () -> !torch.vtensor<[],f32> loc("three")
  %0 = torch.operator "onnx.Div"(%x, %three) : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[2,4],f32> loc("third")
  %1 = torch.operator "onnx.IsNaN"(%0) : (!torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],i1> loc("test")
  %2 = torch.operator "onnx.Where"(%1, %zero, %0) : (!torch.vtensor<[2,4],i1>, !torch.vtensor<[],f32>, !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32> loc("choice")
  return %2 : !torch.vtensor<[2,4],f32>
}
