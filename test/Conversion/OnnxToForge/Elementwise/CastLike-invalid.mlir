// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @narrowed(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[],si8>) -> !torch.vtensor<[2,3],si8> attributes {torch.onnx_meta.opset_version = 15 : si64} {
  // expected-error @+2 {{node '' (CastLike, opset 15): a cast to an integer of less than 32 bits wraps, which Int32 on the device does not}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<i8>')}}
  %r1 = torch.operator "onnx.CastLike"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[],si8>) -> !torch.vtensor<[2,3],si8>
  return %r1 : !torch.vtensor<[2,3],si8>
}

// -----

func.func @missing(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 15 : si64} {
  // expected-error @+2 {{node '' (CastLike, opset 15): input 1 is missing}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.CastLike"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}
