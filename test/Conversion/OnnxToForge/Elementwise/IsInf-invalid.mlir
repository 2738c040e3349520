// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @flag(%arg0: !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],i1> attributes {torch.onnx_meta.opset_version = 10 : si64} {
  // expected-error @+2 {{node '' (IsInf, opset 10): attribute 'detect_negative' must be 0 or 1, but is 2}}
  // expected-note @+1 {{operands: ('tensor<3xf32>')}}
  %r = torch.operator "onnx.IsInf"(%arg0) {torch.onnx.detect_negative = 2 : si64} : (!torch.vtensor<[3],f32>) -> !torch.vtensor<[3],i1>
  return %r : !torch.vtensor<[3],i1>
}
