// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @one(
// CHECK: forge.abs{{.*}} tensor<2x4xf32> loc
// CHECK: forge.reduce_sum {{.*}} dim -1 keep_dim : {{.*}}tensor<2x1xf32> loc
// CHECK: forge.constant dense<0.000000e+00>{{.*}}  tensor<f32>
// CHECK: forge.divide{{.*}} tensor<2x4xf32> loc
// CHECK: forge.equal{{.*}} tensor<2x1xf32> loc
// CHECK: forge.cast{{.*}} tensor<2x1xi1> loc
// CHECK: forge.where{{.*}} tensor<2x4xf32> loc
func.func @one(%x: !torch.vtensor<[2,4],f32>) -> (!torch.vtensor<[2,4],f32>) attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %out = torch.operator "onnx.LpNormalization"(%x) {torch.onnx.p = 1 : si64} : (!torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %out : !torch.vtensor<[2,4],f32>
}

// CHECK-LABEL: func.func @two(
// CHECK: forge.multiply{{.*}} tensor<2x4xf32> loc
// CHECK: forge.reduce_sum {{.*}} dim -2 keep_dim : {{.*}}tensor<1x4xf32> loc
// CHECK: forge.sqrt{{.*}} tensor<1x4xf32> loc
// CHECK: forge.constant dense<0.000000e+00>{{.*}}  tensor<f32>
// CHECK: forge.divide{{.*}} tensor<2x4xf32> loc
// CHECK: forge.equal{{.*}} tensor<1x4xf32> loc
// CHECK: forge.cast{{.*}} tensor<1x4xi1> loc
// CHECK: forge.where{{.*}} tensor<2x4xf32> loc
func.func @two(%x: !torch.vtensor<[2,4],f32>) -> (!torch.vtensor<[2,4],f32>) attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %out = torch.operator "onnx.LpNormalization"(%x) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %out : !torch.vtensor<[2,4],f32>
}
