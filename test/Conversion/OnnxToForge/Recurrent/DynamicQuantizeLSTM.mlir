// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics | FileCheck %s

// Two products of quantised integers: of the inputs, once for all steps, and of the state, in each step.
// CHECK-LABEL: func.func @one_step
// CHECK: forge.reduce_max
// CHECK: forge.matmul
// CHECK: forge.reduce_max
// CHECK: forge.matmul
// CHECK: forge.sigmoid
// CHECK-NOT: forge.matmul
func.func @one_step(%x: !torch.vtensor<[1,1,3],f32>, %w: !torch.vtensor<[1,3,8],si8>, %r: !torch.vtensor<[1,2,8],si8>, %h: !torch.vtensor<[1,1,2],f32>, %s: !torch.vtensor<[1],f32>, %z: !torch.vtensor<[1],si8>) -> !torch.vtensor<[1,1,1,2],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  %0 = torch.operator "onnx.DynamicQuantizeLSTM"(%x, %w, %r, %none, %none, %h, %h, %none, %s, %z, %s, %z) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[1,1,3],f32>, !torch.vtensor<[1,3,8],si8>, !torch.vtensor<[1,2,8],si8>, !torch.none, !torch.none, !torch.vtensor<[1,1,2],f32>, !torch.vtensor<[1,1,2],f32>, !torch.none, !torch.vtensor<[1],f32>, !torch.vtensor<[1],si8>, !torch.vtensor<[1],f32>, !torch.vtensor<[1],si8>) -> !torch.vtensor<[1,1,1,2],f32>
  return %0 : !torch.vtensor<[1,1,1,2],f32>
}

// -----

// W and R have their axes in another order than in LSTM: shapes as in LSTM are refused.
func.func @as_in_lstm(%x: !torch.vtensor<[1,1,3],f32>, %w: !torch.vtensor<[1,8,3],si8>, %r: !torch.vtensor<[1,2,8],si8>, %s: !torch.vtensor<[1],f32>, %p: !torch.vtensor<[1,4],f32>, %z: !torch.vtensor<[1],si8>) -> !torch.vtensor<[1,1,1,2],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  // expected-error @below {{W does not have the shape that X, the hidden size and the directions ask for}}
  // expected-error @below {{a scale does not have the shape that X, the hidden size and the directions ask for}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.DynamicQuantizeLSTM"(%x, %w, %r, %none, %none, %none, %none, %none, %s, %z, %p, %z) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[1,1,3],f32>, !torch.vtensor<[1,8,3],si8>, !torch.vtensor<[1,2,8],si8>, !torch.none, !torch.none, !torch.none, !torch.none, !torch.none, !torch.vtensor<[1],f32>, !torch.vtensor<[1],si8>, !torch.vtensor<[1,4],f32>, !torch.vtensor<[1],si8>) -> !torch.vtensor<[1,1,1,2],f32>
  return %0 : !torch.vtensor<[1,1,1,2],f32>
}
