// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @scores
// CHECK: %[[P:.+]] = forge.matmul %arg0
// CHECK: %[[S:.+]] = forge.add %[[P]]
// CHECK: %[[I:.+]] = forge.argmax %[[S]] dim -1
// CHECK: return %{{.+}}, %[[S]]
func.func @scores(%x: !torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0:2 = torch.operator "onnx.LinearClassifier"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], torch.onnx.classlabels_ints = [0 : si64, 1 : si64], torch.onnx.intercepts = [7.0 : f32, 8.0 : f32], torch.onnx.multi_class = 1 : si64, torch.onnx.post_transform = "NONE"} : (!torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
  return %0#0, %0#1 : !torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>
}

// -----

// CHECK-LABEL: func.func @labels
// CHECK: %[[S:.+]] = forge.matmul %arg0
// CHECK: %[[I:.+]] = forge.argmax %[[S]] dim -1
// CHECK: forge.constant dense<{{.*}}5{{.*}}3{{.*}}>
// CHECK: %[[L:.+]] = forge.adv_index
// CHECK: %[[T:.+]] = forge.sigmoid %[[S]]
// CHECK: return %{{.+}}, %[[T]]
func.func @labels(%x: !torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0:2 = torch.operator "onnx.LinearClassifier"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], torch.onnx.classlabels_ints = [5 : si64, 3 : si64], torch.onnx.post_transform = "LOGISTIC"} : (!torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
  return %0#0, %0#1 : !torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>
}
