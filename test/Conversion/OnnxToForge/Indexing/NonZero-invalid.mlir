// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @unknown(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,4],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+3 {{node '' (NonZero, opset 13): the operand (input 0) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<4xf32>')}}
  // expected-note @+1 {{bind input '' to a value with --bind =FILE.npy}}
  %r = torch.operator "onnx.NonZero"(%arg0) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[1,4],si64>
  return %r : !torch.vtensor<[1,4],si64>
}

// -----

func.func @weight() -> !torch.vtensor<[1,512],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %w = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<_w> : tensor<512xf32>} : () -> !torch.vtensor<[512],f32>
  // expected-error @+2 {{the operand (input 0) must be known at compile time, but is a weight of 512 elements; weights of up to 1 KiB are read, and int32, int64 and bool of up to 1 MiB}}
  // expected-note @+1 {{operands: ('tensor<512xf32>')}}
  %r = torch.operator "onnx.NonZero"(%w) : (!torch.vtensor<[512],f32>) -> !torch.vtensor<[1,512],si64>
  return %r : !torch.vtensor<[1,512],si64>
}
