// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: forge.strided_slice{{.*}} tensor<3x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<3xi32> loc
// CHECK-NEXT: forge.adv_index{{.*}} tensor<3x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x3x4xf32> loc
// CHECK-NEXT: forge.add{{.*}} tensor<1x3x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<3xi32> loc
// CHECK-NEXT: forge.adv_index{{.*}} tensor<3x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x3x4xf32> loc
// CHECK-NEXT: forge.add{{.*}} tensor<1x3x4xf32> loc
// CHECK-NEXT: forge.reduce_avg {{.*}} dim -1 keep_dim : {{.*}}tensor<1x3x1xf32> loc
// CHECK-NEXT: forge.subtract{{.*}} tensor<1x3x4xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x3x4xf32> loc
// CHECK-NEXT: forge.reduce_avg {{.*}} dim -1 keep_dim : {{.*}}tensor<1x3x1xf32> loc
// CHECK-NEXT: forge.constant dense<9.99999996E-13>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.add{{.*}} tensor<1x3x1xf32> loc
// CHECK-NEXT: forge.sqrt{{.*}} tensor<1x3x1xf32> loc
// CHECK-NEXT: forge.divide{{.*}} tensor<1x3x4xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x3x4xf32> loc
// CHECK-NEXT: forge.add{{.*}} tensor<1x3x4xf32> loc
// CHECK-NEXT: forge.constant dense<1>{{.*}}  tensor<i32>
// CHECK-NEXT: forge.equal{{.*}} tensor<1x3xi32> loc
// CHECK-NEXT: forge.cast{{.*}} tensor<1x3xf32> loc
// CHECK-NEXT: forge.reduce_sum{{.*}} tensor<1xf32> loc
// CHECK-NEXT: forge.cast{{.*}} tensor<1xi32> loc
func.func @f(%x0: !torch.vtensor<[1,3],si32>, %x1: !torch.vtensor<[1,3],si32>, %x2: !torch.vtensor<[5,4],f32>, %x3: !torch.vtensor<[6,4],f32>, %x4: !torch.vtensor<[2,4],f32>, %x5: !torch.vtensor<[4],f32>, %x6: !torch.vtensor<[4],f32>, %x7: !torch.vtensor<[1,3],si32>) -> (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1],si32>, !torch.vtensor<[1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out:3 = torch.operator "onnx.EmbedLayerNormalization"(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[1,3],si32>, !torch.vtensor<[1,3],si32>, !torch.vtensor<[5,4],f32>, !torch.vtensor<[6,4],f32>, !torch.vtensor<[2,4],f32>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>, !torch.vtensor<[1,3],si32>) -> (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1],si32>, !torch.vtensor<[1,3,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1],si32>, !torch.vtensor<[1,3,4],f32>
}
