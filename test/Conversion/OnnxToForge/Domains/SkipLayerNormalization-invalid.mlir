// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x: !torch.vtensor<[1,2,4],f32>, %y: !torch.vtensor<[1,2,4],f32>, %g: !torch.vtensor<[3],f32>) -> (!torch.vtensor<[1,2,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{does not fit the operand}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.SkipLayerNormalization"(%x, %y, %g) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[1,2,4],f32>, !torch.vtensor<[1,2,4],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[1,2,4],f32>
  return %out : !torch.vtensor<[1,2,4],f32>
}
