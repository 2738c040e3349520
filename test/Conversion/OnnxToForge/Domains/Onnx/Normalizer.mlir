// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @l1
// CHECK: %[[A:.+]] = forge.abs %arg0
// CHECK: %[[S:.+]] = forge.reduce_sum %[[A]]
// CHECK: %[[Z:.+]] = forge.equal %[[S]]
// CHECK: %[[D:.+]] = forge.where %{{.+}}, %{{.+}}, %[[S]]
// CHECK: forge.divide %arg0, %[[D]]
func.func @l1(%x: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,3],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0 = torch.operator "onnx.Normalizer"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.norm = "L1"} : (!torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,3],f32>
  return %0 : !torch.vtensor<[4,3],f32>
}

// -----

// CHECK-LABEL: func.func @l2
// CHECK: %[[X:.+]] = forge.cast %arg0 dtype f32
// CHECK: %[[P:.+]] = forge.multiply %[[X]], %[[X]]
// CHECK: %[[S:.+]] = forge.reduce_sum %[[P]]
// CHECK: %[[R:.+]] = forge.sqrt %[[S]]
// CHECK: forge.divide %[[X]]
func.func @l2(%x: !torch.vtensor<[3],si64>) -> !torch.vtensor<[3],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0 = torch.operator "onnx.Normalizer"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.norm = "L2"} : (!torch.vtensor<[3],si64>) -> !torch.vtensor<[3],f32>
  return %0 : !torch.vtensor<[3],f32>
}
