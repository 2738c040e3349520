// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x0: !torch.vtensor<[1,2,3,4],f32>, %x1: !torch.vtensor<[4],f32>, %x2: !torch.vtensor<[4],f32>, %x3: !torch.vtensor<[2,4],f32>) -> (!torch.vtensor<[1,2,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{skip does not fit an operand of shape (1, 2, 3, 4)}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.SkipGroupNorm"(%x0, %x1, %x2, %x3) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.groups = 2 : si64, torch.onnx.activation = 1 : si64} : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>, !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
  return %out : !torch.vtensor<[1,2,3,4],f32>
}
