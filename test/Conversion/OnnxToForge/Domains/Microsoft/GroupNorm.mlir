// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f(
// CHECK: forge.transpose{{.*}} tensor<1x4x3x2xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x4x2x3xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x2x12xf32> loc
// CHECK: forge.reduce_avg {{.*}} dim -1 keep_dim : {{.*}}tensor<1x2x1xf32> loc
// CHECK: forge.subtract{{.*}} tensor<1x2x12xf32> loc
// CHECK: forge.multiply{{.*}} tensor<1x2x12xf32> loc
// CHECK: forge.reduce_avg {{.*}} dim -1 keep_dim : {{.*}}tensor<1x2x1xf32> loc
// CHECK: forge.constant dense<9.99999974E-6>{{.*}}  tensor<f32>
// CHECK: forge.add{{.*}} tensor<1x2x1xf32> loc
// CHECK: forge.sqrt{{.*}} tensor<1x2x1xf32> loc
// CHECK: forge.divide{{.*}} tensor<1x2x12xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x4x2x3xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x2x4x3xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x2x3x4xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x1x1x4xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x1x1x4xf32> loc
// CHECK: forge.multiply{{.*}} tensor<1x2x3x4xf32> loc
// CHECK: forge.add{{.*}} tensor<1x2x3x4xf32> loc
// CHECK: forge.sigmoid{{.*}} tensor<1x2x3x4xf32> loc
// CHECK: forge.multiply{{.*}} tensor<1x2x3x4xf32> loc
func.func @f(%x0: !torch.vtensor<[1,2,3,4],f32>, %x1: !torch.vtensor<[4],f32>, %x2: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,2,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.GroupNorm"(%x0, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.groups = 2 : si64, torch.onnx.activation = 1 : si64} : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
  return %out : !torch.vtensor<[1,2,3,4],f32>
}
