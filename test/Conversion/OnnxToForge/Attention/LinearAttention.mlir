// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f(
// CHECK: forge.reshape{{.*}} tensor<1x1x2x2xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x2x1x2xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x1x2x2xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x2x1x2xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x1x2x2xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x2x1x2xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x1x2x1xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x2x1x1xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x1x2x1xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x2x1x1xf32> loc
// CHECK: forge.constant dense<0.000000e+00>{{.*}}  tensor<1x2x2x2xf32>
// CHECK: forge.reshape{{.*}} tensor<1x2x2x1xf32> loc
// CHECK: forge.exp{{.*}} tensor<1x2x1x1xf32> loc
// CHECK: forge.multiply{{.*}} tensor<1x2x2x2xf32> loc
// CHECK: forge.matmul{{.*}}-> tensor<1x2x1x2xf32>
// CHECK: forge.subtract{{.*}} tensor<1x2x1x2xf32> loc
// CHECK: forge.multiply{{.*}} tensor<1x2x1x2xf32> loc
// CHECK: forge.multiply{{.*}} tensor<1x2x2x2xf32> loc
// CHECK: forge.add{{.*}} tensor<1x2x2x2xf32> loc
// CHECK: forge.matmul{{.*}}-> tensor<1x2x1x2xf32>
// CHECK: forge.constant dense<0.707106769>{{.*}}  tensor<f32>
// CHECK: forge.multiply{{.*}} tensor<1x2x1x2xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x1x2x2xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x1x4xf32> loc
func.func @f(%q: !torch.vtensor<[1,1,4],f32>, %k: !torch.vtensor<[1,1,4],f32>, %v: !torch.vtensor<[1,1,4],f32>, %d: !torch.vtensor<[1,1,2],f32>, %c: !torch.vtensor<[1,1,2],f32>) -> (!torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,2,2,2],f32>) attributes {torch.onnx_meta.opset_version = 27 : si64} {
  %none = torch.constant.none
  %out:2 = torch.operator "onnx.LinearAttention"(%q, %k, %v, %none, %d, %c) {torch.onnx.q_num_heads = 2 : si64, torch.onnx.kv_num_heads = 2 : si64} : (!torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,1,4],f32>, !torch.none, !torch.vtensor<[1,1,2],f32>, !torch.vtensor<[1,1,2],f32>) -> (!torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,2,2,2],f32>)
  return %out#0, %out#1 : !torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,2,2,2],f32>
}
