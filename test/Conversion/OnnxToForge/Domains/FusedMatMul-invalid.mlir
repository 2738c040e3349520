// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x: !torch.vtensor<[3,2],f32>, %y: !torch.vtensor<[3,4],f32>) -> (!torch.vtensor<[2,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{a transposed batch is not supported}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.FusedMatMul"(%x, %y) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.transBatchA = 1 : si64} : (!torch.vtensor<[3,2],f32>, !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %out : !torch.vtensor<[2,4],f32>
}
