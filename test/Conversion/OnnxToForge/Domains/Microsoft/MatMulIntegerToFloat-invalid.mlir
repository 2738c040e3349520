// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x0: !torch.vtensor<[2,4],ui8>, %x1: !torch.vtensor<[4,3],ui8>, %x2: !torch.vtensor<[2],f32>, %x3: !torch.vtensor<[],f32>) -> (!torch.vtensor<[2,3],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{expected one scale and one zero point for A}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.MatMulIntegerToFloat"(%x0, %x1, %x2, %x3) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[2,4],ui8>, !torch.vtensor<[4,3],ui8>, !torch.vtensor<[2],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[2,3],f32>
  return %out : !torch.vtensor<[2,3],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[2,4],ui8>, %x1: !torch.vtensor<[4,3],ui8>, %x2: !torch.vtensor<[],f32>, %x3: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2,3],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{expected a matrix B and one scale and zero point, or one per column, and a bias per column}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.MatMulIntegerToFloat"(%x0, %x1, %x2, %x3) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[2,4],ui8>, !torch.vtensor<[4,3],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[2,3],f32>
  return %out : !torch.vtensor<[2,3],f32>
}
