// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f(
// CHECK: forge.reshape{{.*}} tensor<2x8xui8> loc
// CHECK: forge.cast{{.*}} tensor<2x8xi32> loc
// CHECK: forge.constant dense<15>{{.*}}  tensor<i32>
// CHECK: forge.bitwise_and{{.*}} tensor<2x8xi32> loc
// CHECK: forge.cast{{.*}} tensor<2x8xf32> loc
// CHECK: forge.reshape{{.*}} tensor<2x8x1xf32> loc
// CHECK: forge.constant dense<240>{{.*}}  tensor<i32>
// CHECK: forge.bitwise_and{{.*}} tensor<2x8xi32> loc
// CHECK: forge.cast{{.*}} tensor<2x8xf32> loc
// CHECK: forge.constant dense<6.250000e-02>{{.*}}  tensor<f32>
// CHECK: forge.multiply{{.*}} tensor<2x8xf32> loc
// CHECK: forge.reshape{{.*}} tensor<2x8x1xf32> loc
// CHECK: forge.concatenate {{.*}} axis -1 : {{.*}}-> tensor<2x8x2xf32>
// CHECK: forge.reshape{{.*}} tensor<2x16xf32> loc
// CHECK: forge.reshape{{.*}} tensor<2x1xf32> loc
// CHECK: forge.reshape{{.*}} tensor<2x1x16xf32> loc
// CHECK: forge.reshape{{.*}} tensor<2x1x1xf32> loc
// CHECK: forge.constant dense<8.000000e+00>{{.*}}  tensor<f32>
// CHECK: forge.subtract{{.*}} tensor<2x1x16xf32> loc
// CHECK: forge.multiply{{.*}} tensor<2x1x16xf32> loc
// CHECK: forge.reshape{{.*}} tensor<2x16xf32> loc
// CHECK: forge.transpose{{.*}} tensor<16x2xf32> loc
// CHECK: forge.matmul{{.*}}-> tensor<1x2xf32>
func.func @f(%x0: !torch.vtensor<[1,16],f32>, %x1: !torch.vtensor<[2,1,8],ui8>, %x2: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[1,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.MatMulNBits"(%x0, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.K = 16 : si64, torch.onnx.N = 2 : si64, torch.onnx.block_size = 16 : si64} : (!torch.vtensor<[1,16],f32>, !torch.vtensor<[2,1,8],ui8>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[1,2],f32>
  return %out : !torch.vtensor<[1,2],f32>
}

// CHECK-LABEL: func.func @zeros(
// CHECK: forge.reshape{{.*}} tensor<2x16xui8> loc
// CHECK: forge.cast{{.*}} tensor<2x16xf32> loc
// CHECK: forge.reshape{{.*}} tensor<2x1xf32> loc
// CHECK: forge.cast{{.*}} tensor<2x1xf32> loc
// CHECK: forge.reshape{{.*}} tensor<2x1x16xf32> loc
// CHECK: forge.reshape{{.*}} tensor<2x1x1xf32> loc
// CHECK: forge.reshape{{.*}} tensor<2x1x1xf32> loc
// CHECK: forge.subtract{{.*}} tensor<2x1x16xf32> loc
// CHECK: forge.multiply{{.*}} tensor<2x1x16xf32> loc
// CHECK: forge.reshape{{.*}} tensor<2x16xf32> loc
// CHECK: forge.transpose{{.*}} tensor<16x2xf32> loc
// CHECK: forge.matmul{{.*}}-> tensor<1x2xf32>
// CHECK: forge.add{{.*}} tensor<1x2xf32> loc
func.func @zeros(%x0: !torch.vtensor<[1,16],f32>, %x1: !torch.vtensor<[2,1,16],ui8>, %x2: !torch.vtensor<[2],f32>, %x3: !torch.vtensor<[2,1],ui8>, %x5: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[1,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  %out = torch.operator "onnx.MatMulNBits"(%x0, %x1, %x2, %x3, %none, %x5) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.K = 16 : si64, torch.onnx.N = 2 : si64, torch.onnx.block_size = 16 : si64, torch.onnx.bits = 8 : si64} : (!torch.vtensor<[1,16],f32>, !torch.vtensor<[2,1,16],ui8>, !torch.vtensor<[2],f32>, !torch.vtensor<[2,1],ui8>, !torch.none, !torch.vtensor<[2],f32>) -> !torch.vtensor<[1,2],f32>
  return %out : !torch.vtensor<[1,2],f32>
}

// CHECK-LABEL: func.func @groups(
// CHECK: forge.reshape{{.*}} tensor<2x8xui8> loc
// CHECK: forge.cast{{.*}} tensor<2x8xi32> loc
// CHECK: forge.constant dense<15>{{.*}}  tensor<i32>
// CHECK: forge.bitwise_and{{.*}} tensor<2x8xi32> loc
// CHECK: forge.cast{{.*}} tensor<2x8xf32> loc
// CHECK: forge.reshape{{.*}} tensor<2x8x1xf32> loc
// CHECK: forge.constant dense<240>{{.*}}  tensor<i32>
// CHECK: forge.bitwise_and{{.*}} tensor<2x8xi32> loc
// CHECK: forge.cast{{.*}} tensor<2x8xf32> loc
// CHECK: forge.constant dense<6.250000e-02>{{.*}}  tensor<f32>
// CHECK: forge.multiply{{.*}} tensor<2x8xf32> loc
// CHECK: forge.reshape{{.*}} tensor<2x8x1xf32> loc
// CHECK: forge.concatenate {{.*}} axis -1 : {{.*}}-> tensor<2x8x2xf32>
// CHECK: forge.reshape{{.*}} tensor<2x16xf32> loc
// CHECK: forge.reshape{{.*}} tensor<2x1xf32> loc
// CHECK: forge.adv_index{{.*}} tensor<2x16xf32> loc
// CHECK: forge.adv_index{{.*}} tensor<2x16xf32> loc
// CHECK: forge.subtract{{.*}} tensor<2x16xf32> loc
// CHECK: forge.multiply{{.*}} tensor<2x16xf32> loc
// CHECK: forge.transpose{{.*}} tensor<16x2xf32> loc
// CHECK: forge.matmul{{.*}}-> tensor<1x2xf32>
func.func @groups(%x0: !torch.vtensor<[1,16],f32>, %x1: !torch.vtensor<[2,1,8],ui8>, %x2: !torch.vtensor<[2],f32>, %x3: !torch.vtensor<[2,1],f32>, %x4: !torch.vtensor<[16],si32>) -> (!torch.vtensor<[1,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.MatMulNBits"(%x0, %x1, %x2, %x3, %x4) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.K = 16 : si64, torch.onnx.N = 2 : si64, torch.onnx.block_size = 16 : si64} : (!torch.vtensor<[1,16],f32>, !torch.vtensor<[2,1,8],ui8>, !torch.vtensor<[2],f32>, !torch.vtensor<[2,1],f32>, !torch.vtensor<[16],si32>) -> !torch.vtensor<[1,2],f32>
  return %out : !torch.vtensor<[1,2],f32>
}
