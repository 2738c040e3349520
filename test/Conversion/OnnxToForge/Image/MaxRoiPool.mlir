// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics | FileCheck %s

// The maximum is computed along columns, then along rows; a cell without pixels is 0.
// CHECK-LABEL: func.func @cells(
// CHECK: forge.embedding
// CHECK: forge.concatenate
// CHECK: forge.concatenate
// CHECK: forge.where
// CHECK: return %{{.+}} : tensor<3x2x2x3xf32>
func.func @cells(%a0: !torch.vtensor<[1,2,8,8],f32>, %a1: !torch.vtensor<[3,5],f32>) -> (!torch.vtensor<[3,2,2,3],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %0 = torch.operator "onnx.MaxRoiPool"(%a0, %a1) {torch.onnx.pooled_shape = [2 : si64, 3 : si64]} : (!torch.vtensor<[1,2,8,8],f32>, !torch.vtensor<[3,5],f32>) -> !torch.vtensor<[3,2,2,3],f32>
  return %0 : !torch.vtensor<[3,2,2,3],f32>
}

// -----

func.func @shape(%a0: !torch.vtensor<[1,2,8,8],f32>, %a1: !torch.vtensor<[3,5],f32>) -> (!torch.vtensor<[3,2,2,3],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @below {{attribute 'pooled_shape' must have two sizes in [1, 64]}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.MaxRoiPool"(%a0, %a1) {torch.onnx.pooled_shape = [2 : si64]} : (!torch.vtensor<[1,2,8,8],f32>, !torch.vtensor<[3,5],f32>) -> !torch.vtensor<[3,2,2,3],f32>
  return %0 : !torch.vtensor<[3,2,2,3],f32>
}

// -----

func.func @regions(%a0: !torch.vtensor<[1,2,8,8],f32>, %a1: !torch.vtensor<[3,4],f32>) -> (!torch.vtensor<[3,2,2,3],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @below {{expected regions of shape (count, 5)}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.MaxRoiPool"(%a0, %a1) {torch.onnx.pooled_shape = [2 : si64, 3 : si64]} : (!torch.vtensor<[1,2,8,8],f32>, !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[3,2,2,3],f32>
  return %0 : !torch.vtensor<[3,2,2,3],f32>
}

// -----

func.func @copies(%a0: !torch.vtensor<[1,64,128,128],f32>, %a1: !torch.vtensor<[100,5],f32>) -> (!torch.vtensor<[100,64,2,3],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @below {{a copy of the feature map for each region has more than 67108864 elements}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.MaxRoiPool"(%a0, %a1) {torch.onnx.pooled_shape = [2 : si64, 3 : si64]} : (!torch.vtensor<[1,64,128,128],f32>, !torch.vtensor<[100,5],f32>) -> !torch.vtensor<[100,64,2,3],f32>
  return %0 : !torch.vtensor<[100,64,2,3],f32>
}

// -----

func.func @rank(%a0: !torch.vtensor<[2,8,8],f32>, %a1: !torch.vtensor<[3,5],f32>) -> (!torch.vtensor<[3,2,2,3],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @below {{the operand must be floating point and have rank 4}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.MaxRoiPool"(%a0, %a1) {torch.onnx.pooled_shape = [2 : si64, 3 : si64]} : (!torch.vtensor<[2,8,8],f32>, !torch.vtensor<[3,5],f32>) -> !torch.vtensor<[3,2,2,3],f32>
  return %0 : !torch.vtensor<[3,2,2,3],f32>
}
