// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x0: !torch.vtensor<[3,2],f32>, %x1: !torch.vtensor<[3,4],f32>) -> (!torch.vtensor<[2,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{a transposed batch needs an operand of rank 3 or more, but got rank 2}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.FusedMatMul"(%x0, %x1) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.transBatchA = 1 : si64} : (!torch.vtensor<[3,2],f32>, !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %out : !torch.vtensor<[2,4],f32>
}

// -----

func.func @types(%x: !torch.vtensor<[2,4],f16>, %y: !torch.vtensor<[4,2],f32>) -> !torch.vtensor<[2,2],f16> attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{expected operands of one type}}
  // expected-note @+1 {{operands}}
  %0 = torch.operator "onnx.FusedMatMul"(%x, %y) {torch.onnx.alpha = 0.5 : f32, torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[2,4],f16>, !torch.vtensor<[4,2],f32>) -> !torch.vtensor<[2,2],f16>
  return %0 : !torch.vtensor<[2,2],f16>
}
