// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x: !torch.vtensor<[1,4,3],f32>) -> (!torch.vtensor<[1,4,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64} {
  // expected-error @+2 {{the operand must end in an axis of 1 or 2 parts}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.DFT"(%x) : (!torch.vtensor<[1,4,3],f32>) -> !torch.vtensor<[1,4,2],f32>
  return %out : !torch.vtensor<[1,4,2],f32>
}

// -----

func.func @inverse(%arg0: !torch.vtensor<[1,4,2],f32>) -> !torch.vtensor<[1,4,2],f32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %none = torch.constant.none
  // expected-error @+2 {{node '' (DFT, opset 17): what cancels to zero in an inverse transform is rounding noise that differs from ONNX's; option allow-rounding accepts the difference}}
  // expected-note @+1 {{operands: ('tensor<1x4x2xf32>', '!torch.none')}}
  %0 = torch.operator "onnx.DFT"(%arg0, %none) {torch.onnx.inverse = 1 : si64} : (!torch.vtensor<[1,4,2],f32>, !torch.none) -> !torch.vtensor<[1,4,2],f32>
  return %0 : !torch.vtensor<[1,4,2],f32>
}
