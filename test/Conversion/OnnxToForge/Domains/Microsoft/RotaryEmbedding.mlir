// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @start(
// CHECK: forge.reshape{{.*}} tensor<1x3x2x4xf32> loc
// CHECK-NEXT: forge.transpose{{.*}} tensor<1x2x3x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1xi64> loc
// CHECK-NEXT: forge.constant dense<{{\[\[}}0, 1, 2]]>{{.*}}  tensor<1x3xi64>
// CHECK-NEXT: forge.add{{.*}} tensor<1x3xi64> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<3xi64> loc
// CHECK-NEXT: forge.adv_index{{.*}} tensor<3x2xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x3x2xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1xi64> loc
// CHECK-NEXT: forge.constant dense<{{\[\[}}0, 1, 2]]>{{.*}}  tensor<1x3xi64>
// CHECK-NEXT: forge.add{{.*}} tensor<1x3xi64> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<3xi64> loc
// CHECK-NEXT: forge.adv_index{{.*}} tensor<3x2xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x3x2xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1x3x2xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1x3x2xf32> loc
// CHECK-NEXT: forge.strided_slice{{.*}} tensor<1x2x3x2xf32> loc
// CHECK-NEXT: forge.strided_slice{{.*}} tensor<1x2x3x2xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x2x3x2xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x2x3x2xf32> loc
// CHECK-NEXT: forge.subtract{{.*}} tensor<1x2x3x2xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x2x3x2xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x2x3x2xf32> loc
// CHECK-NEXT: forge.add{{.*}} tensor<1x2x3x2xf32> loc
// CHECK-NEXT: forge.concatenate {{.*}} axis -1 : {{.*}}-> tensor<1x2x3x4xf32>
// CHECK-NEXT: forge.transpose{{.*}} tensor<1x3x2x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x3x8xf32> loc
func.func @start(%x0: !torch.vtensor<[1,3,8],f32>, %x1: !torch.vtensor<[1],si64>, %x2: !torch.vtensor<[6,2],f32>, %x3: !torch.vtensor<[6,2],f32>) -> (!torch.vtensor<[1,3,8],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.RotaryEmbedding"(%x0, %x1, %x2, %x3) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[6,2],f32>, !torch.vtensor<[6,2],f32>) -> !torch.vtensor<[1,3,8],f32>
  return %out : !torch.vtensor<[1,3,8],f32>
}

// CHECK-LABEL: func.func @positions(
// CHECK: forge.reshape{{.*}} tensor<3xi64> loc
// CHECK-NEXT: forge.adv_index{{.*}} tensor<3x2xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x3x2xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<3xi64> loc
// CHECK-NEXT: forge.adv_index{{.*}} tensor<3x2xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x3x2xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1x3x2xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1x3x2xf32> loc
// CHECK-NEXT: forge.strided_slice{{.*}} tensor<1x2x3x2xf32> loc
// CHECK-NEXT: forge.strided_slice{{.*}} tensor<1x2x3x2xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x2x3x2xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x2x3x2xf32> loc
// CHECK-NEXT: forge.subtract{{.*}} tensor<1x2x3x2xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x2x3x2xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x2x3x2xf32> loc
// CHECK-NEXT: forge.add{{.*}} tensor<1x2x3x2xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x2x3x2x1xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x2x3x2x1xf32> loc
// CHECK-NEXT: forge.concatenate {{.*}} axis -1 : {{.*}}-> tensor<1x2x3x2x2xf32>
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x2x3x4xf32> loc
func.func @positions(%x0: !torch.vtensor<[1,2,3,4],f32>, %x1: !torch.vtensor<[1,3],si64>, %x2: !torch.vtensor<[6,2],f32>, %x3: !torch.vtensor<[6,2],f32>) -> (!torch.vtensor<[1,2,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.RotaryEmbedding"(%x0, %x1, %x2, %x3) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.interleaved = 1 : si64} : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,3],si64>, !torch.vtensor<[6,2],f32>, !torch.vtensor<[6,2],f32>) -> !torch.vtensor<[1,2,3,4],f32>
  return %out : !torch.vtensor<[1,2,3,4],f32>
}
