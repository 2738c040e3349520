// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: forge.add{{.*}} tensor<3x2xf32> loc
// CHECK-NEXT: forge.gelu{{.*}} tensor<3x2xf32> loc
func.func @f(%x: !torch.vtensor<[3,2],f32>, %y: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[3,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.BiasGelu"(%x, %y) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[3,2],f32>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[3,2],f32>
  return %out : !torch.vtensor<[3,2],f32>
}
