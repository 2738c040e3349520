// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x0: !torch.vtensor<[2,4],ui8>, %x1: !torch.vtensor<[],f32>, %x2: !torch.vtensor<[2],ui8>, %x3: !torch.vtensor<[],f32>, %x4: !torch.vtensor<[],ui8>) -> (!torch.vtensor<[2,4],ui8>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{expected one zero point (input 2) of the quantised type, but got shape (2)}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.QLinearSigmoid"(%x0, %x1, %x2, %x3, %x4) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[2,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[2],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[2,4],ui8>
  return %out : !torch.vtensor<[2,4],ui8>
}
