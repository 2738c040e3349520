// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// The zero points are subtracted, the integers are multiplied and scaled by both scales; if Y has a scale, the result
// is quantised to bytes.
// CHECK-LABEL: func.func @bytes
// CHECK: forge.matmul
// CHECK-SAME: tensor<2x3xf32>
// CHECK: forge.clip
// CHECK: return %{{.+}} : tensor<2x3xui8>
func.func @bytes(%a: !torch.vtensor<[2,4],ui8>, %b: !torch.vtensor<[3,4],si8>, %s: !torch.vtensor<[],f32>, %z: !torch.vtensor<[],ui8>, %zb: !torch.vtensor<[],si8>, %c: !torch.vtensor<[3],si32>) -> !torch.vtensor<[2,3],ui8>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %0 = torch.operator "onnx.QGemm"(%a, %s, %z, %b, %s, %zb, %c, %s, %z) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.transB = 1 : si64} : (!torch.vtensor<[2,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[3,4],si8>, !torch.vtensor<[],f32>, !torch.vtensor<[],si8>, !torch.vtensor<[3],si32>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[2,3],ui8>
  return %0 : !torch.vtensor<[2,3],ui8>
}

// CHECK-LABEL: func.func @floats
// CHECK: return %{{.+}} : tensor<2x3xf32>
func.func @floats(%a: !torch.vtensor<[2,4],ui8>, %b: !torch.vtensor<[4,3],ui8>, %s: !torch.vtensor<[],f32>, %sb: !torch.vtensor<[3],f32>, %z: !torch.vtensor<[],ui8>, %zb: !torch.vtensor<[3],ui8>) -> !torch.vtensor<[2,3],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %0 = torch.operator "onnx.QGemm"(%a, %s, %z, %b, %sb, %zb) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[2,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[4,3],ui8>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],ui8>) -> !torch.vtensor<[2,3],f32>
  return %0 : !torch.vtensor<[2,3],f32>
}
