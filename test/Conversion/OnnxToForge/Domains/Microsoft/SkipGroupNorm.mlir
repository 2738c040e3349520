// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f(
// CHECK: forge.reshape{{.*}} tensor<1x4x1x1xf32> loc
// CHECK: forge.add{{.*}} tensor<1x4x2x3xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x4x1x1xf32> loc
// CHECK: forge.add{{.*}} tensor<1x4x2x3xf32> loc
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
// CHECK: forge.reshape{{.*}} tensor<1x4x1x1xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x4x1x1xf32> loc
// CHECK: forge.multiply{{.*}} tensor<1x4x2x3xf32> loc
// CHECK: forge.add{{.*}} tensor<1x4x2x3xf32> loc
func.func @f(%x0: !torch.vtensor<[1,4,2,3],f32>, %x1: !torch.vtensor<[4],f32>, %x2: !torch.vtensor<[4],f32>, %x3: !torch.vtensor<[1,4],f32>, %x4: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,4,2,3],f32>, !torch.vtensor<[1,4,2,3],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out:2 = torch.operator "onnx.SkipGroupNorm"(%x0, %x1, %x2, %x3, %x4) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.groups = 2 : si64, torch.onnx.activation = 0 : si64, torch.onnx.channels_last = 0 : si64} : (!torch.vtensor<[1,4,2,3],f32>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>, !torch.vtensor<[1,4],f32>, !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,4,2,3],f32>, !torch.vtensor<[1,4,2,3],f32>)
  return %out#0, %out#1 : !torch.vtensor<[1,4,2,3],f32>, !torch.vtensor<[1,4,2,3],f32>
}
