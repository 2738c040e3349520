// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: forge.multiply{{.*}} tensor<2x3x4xf32> loc
// CHECK: forge.softmax {{.*}}dim -2 stable{{.*}} tensor<2x3x4xf32> loc
// CHECK: forge.divide{{.*}} tensor<2x3x4xf32> loc
// CHECK: forge.cast{{.*}} tensor<2x3x4xui8> loc
func.func @f(%x0: !torch.vtensor<[2,3,4],ui8>, %x1: !torch.vtensor<[],f32>, %x2: !torch.vtensor<[],ui8>, %x4: !torch.vtensor<[],ui8>) -> (!torch.vtensor<[2,3,4],ui8>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %x3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3.906250e-03> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %out = torch.operator "onnx.QLinearSoftmax"(%x0, %x1, %x2, %x3, %x4) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.opset = 13 : si64, torch.onnx.axis = 1 : si64} : (!torch.vtensor<[2,3,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[2,3,4],ui8>
  return %out : !torch.vtensor<[2,3,4],ui8>
}

// CHECK-LABEL: func.func @together(
// CHECK: forge.softmax {{.*}} tensor<2x12xf32> loc
// CHECK: forge.reshape{{.*}} tensor<2x3x4xf32> loc
func.func @together(%x0: !torch.vtensor<[2,3,4],si8>, %x1: !torch.vtensor<[],f32>, %x2: !torch.vtensor<[],si8>, %x4: !torch.vtensor<[],si8>) -> (!torch.vtensor<[2,3,4],si8>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %x3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<7.812500e-03> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %out = torch.operator "onnx.QLinearSoftmax"(%x0, %x1, %x2, %x3, %x4) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.opset = 12 : si64, torch.onnx.axis = 1 : si64} : (!torch.vtensor<[2,3,4],si8>, !torch.vtensor<[],f32>, !torch.vtensor<[],si8>, !torch.vtensor<[],f32>, !torch.vtensor<[],si8>) -> !torch.vtensor<[2,3,4],si8>
  return %out : !torch.vtensor<[2,3,4],si8>
}
