// RUN: forge-opt %s -split-input-file -convert-onnx-to-forge | FileCheck %s

// One token is written into a cache that has no other user.
// CHECK-LABEL: func.func @token(
// CHECK: %[[I:.+]] = forge.cast %arg2 dtype i32 : (tensor<2xi64>) -> tensor<2xi32>
// CHECK: forge.update_cache %arg0, %arg1, %[[I]] : (tensor<2x4x8x3xf32>, tensor<2x4x1x3xf32>, tensor<2xi32>) -> tensor<2x4x8x3xf32>
func.func @token(%x: !torch.vtensor<[2,4,8,3],f32>, %u: !torch.vtensor<[2,4,1,3],f32>, %i: !torch.vtensor<[2],si64>) -> (!torch.vtensor<[2,4,8,3],f32>) attributes {torch.onnx_meta.opset_version = 24 : si64} {
  %out = torch.operator "onnx.TensorScatter"(%x, %u, %i) : (!torch.vtensor<[2,4,8,3],f32>, !torch.vtensor<[2,4,1,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,4,8,3],f32>
  return %out : !torch.vtensor<[2,4,8,3],f32>
}

// -----

// A prompt is written from position 0.
// CHECK-LABEL: func.func @prompt(
// CHECK: forge.fill_cache %arg0, %arg1 : (tensor<2x4x8x3xf32>, tensor<2x4x5x3xf32>) -> tensor<2x4x8x3xf32>
func.func @prompt(%x: !torch.vtensor<[2,4,8,3],f32>, %u: !torch.vtensor<[2,4,5,3],f32>) -> (!torch.vtensor<[2,4,8,3],f32>) attributes {torch.onnx_meta.opset_version = 24 : si64} {
  %out = torch.operator "onnx.TensorScatter"(%x, %u) : (!torch.vtensor<[2,4,8,3],f32>, !torch.vtensor<[2,4,5,3],f32>) -> !torch.vtensor<[2,4,8,3],f32>
  return %out : !torch.vtensor<[2,4,8,3],f32>
}

// -----

// Another user of the cache would see the write in place.
// CHECK-LABEL: func.func @two_users(
// CHECK-NOT: forge.update_cache
// CHECK: return
func.func @two_users(%x: !torch.vtensor<[2,4,8,3],f32>, %u: !torch.vtensor<[2,4,1,3],f32>, %i: !torch.vtensor<[2],si64>) -> (!torch.vtensor<[2,4,8,3],f32>, !torch.vtensor<[2,4,8,3],f32>) attributes {torch.onnx_meta.opset_version = 24 : si64} {
  %out = torch.operator "onnx.TensorScatter"(%x, %u, %i) : (!torch.vtensor<[2,4,8,3],f32>, !torch.vtensor<[2,4,1,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,4,8,3],f32>
  return %out, %x : !torch.vtensor<[2,4,8,3],f32>, !torch.vtensor<[2,4,8,3],f32>
}
