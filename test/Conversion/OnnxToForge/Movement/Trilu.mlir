// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @upper(
// CHECK: dense<{{.*}}true, true, true, true], [false, true, true, true]
// CHECK: forge.where
func.func @upper(%arg0: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %r = torch.operator "onnx.Trilu"(%arg0) : (!torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %r : !torch.vtensor<[2,4],f32>
}
