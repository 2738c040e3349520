// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @unknown(%arg0: !torch.vtensor<[3],f32>, %arg1: !torch.vtensor<[],si64>) -> !torch.vtensor<[3],f32> attributes {torch.onnx_meta.opset_version = 26 : si64} {
  // expected-error @+3 {{node '' (CumProd, opset 26): axis (input 1) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<3xf32>', 'tensor<i64>')}}
  // expected-note @+1 {{bind input '' to a value with --bind =FILE.npy}}
  %r = torch.operator "onnx.CumProd"(%arg0, %arg1) : (!torch.vtensor<[3],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[3],f32>
  return %r : !torch.vtensor<[3],f32>
}

// -----

func.func @axis(%arg0: !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32> attributes {torch.onnx_meta.opset_version = 26 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<-2> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expected-error @+2 {{node '' (CumProd, opset 26): axis -2 is outside rank 1}}
  // expected-note @+1 {{operands: ('tensor<3xf32>', 'tensor<i64>')}}
  %r = torch.operator "onnx.CumProd"(%arg0, %c0) : (!torch.vtensor<[3],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[3],f32>
  return %r : !torch.vtensor<[3],f32>
}

// -----

func.func @unsigned(%arg0: !torch.vtensor<[3],ui64>) -> !torch.vtensor<[3],ui64> attributes {torch.onnx_meta.opset_version = 26 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expected-error @+2 {{node '' (CumProd, opset 26): a result of an unsigned type may not fit Int32 on the device; cast to int32 first}}
  // expected-note @+1 {{operands: ('tensor<3xui64>', 'tensor<i64>')}}
  %r = torch.operator "onnx.CumProd"(%arg0, %c0) : (!torch.vtensor<[3],ui64>, !torch.vtensor<[],si64>) -> !torch.vtensor<[3],ui64>
  return %r : !torch.vtensor<[3],ui64>
}
