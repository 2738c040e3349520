// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @forward(
// CHECK: forge.strided_slice {{.*}} dim 2 [0:1] : {{.*}}tensor<1x4x1xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x4xf32> loc
// CHECK: forge.strided_slice {{.*}} dim 2 [1:2] : {{.*}}tensor<1x4x1xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x4xf32> loc
// CHECK: forge.constant{{.*}}  tensor<4x4xf32>
// CHECK: forge.constant{{.*}}  tensor<4x4xf32>
// CHECK: forge.matmul{{.*}}-> tensor<1x4xf32>
// CHECK: forge.matmul{{.*}}-> tensor<1x4xf32>
// CHECK: forge.constant dense<-1.000000e+00>{{.*}}  tensor<f32>
// CHECK: forge.multiply{{.*}} tensor<1x4xf32> loc
// CHECK: forge.matmul{{.*}}-> tensor<1x4xf32>
// CHECK: forge.add{{.*}} tensor<1x4xf32> loc
// CHECK: forge.matmul{{.*}}-> tensor<1x4xf32>
// CHECK: forge.add{{.*}} tensor<1x4xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x4x1xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x4x1xf32> loc
// CHECK: forge.concatenate {{.*}} axis -1 : {{.*}}-> tensor<1x4x2xf32>
func.func @forward(%x: !torch.vtensor<[1,4,2],f32>) -> (!torch.vtensor<[1,4,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %out = torch.operator "onnx.DFT"(%x) : (!torch.vtensor<[1,4,2],f32>) -> !torch.vtensor<[1,4,2],f32>
  return %out : !torch.vtensor<[1,4,2],f32>
}

// The inverse DFT of the one-sided spectrum of a real signal of even length.
// CHECK-LABEL: func.func @real(
// CHECK: %[[V0:.+]] = forge.strided_slice %arg0 dim 2 [0:1] : (tensor<1x3x2xf32>) -> tensor<1x3x1xf32>
// CHECK: %[[V1:.+]] = forge.reshape %[[V0]] shape [1, 3] : (tensor<1x3x1xf32>) -> tensor<1x3xf32>
// CHECK: %[[V2:.+]] = forge.strided_slice %arg0 dim 2 [1:2] : (tensor<1x3x2xf32>) -> tensor<1x3x1xf32>
// CHECK: %[[V3:.+]] = forge.reshape %[[V2]] shape [1, 3] : (tensor<1x3x1xf32>) -> tensor<1x3xf32>
// CHECK: %[[V4:.+]] = forge.constant dense<{{\[\[}}2.500000e-01, 2.500000e-01, 2.500000e-01, 2.500000e-01], [5.000000e-01, 3.06161713E-17, -5.000000e-01, -9.18485073E-17], [2.500000e-01, -2.500000e-01, 2.500000e-01, -2.500000e-01]]> : tensor<3x4xf32>
// CHECK: %[[V5:.+]] = forge.constant dense<{{\[\[}}0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 5.000000e-01, 6.12323426E-17, -5.000000e-01], [0.000000e+00, 3.06161713E-17, 0.000000e+00, 3.06161713E-17]]> : tensor<3x4xf32>
// CHECK: %[[V6:.+]] = forge.matmul %[[V1]], %[[V4]] : (tensor<1x3xf32>, tensor<3x4xf32>) -> tensor<1x4xf32>
// CHECK: %[[V7:.+]] = forge.matmul %[[V3]], %[[V5]] : (tensor<1x3xf32>, tensor<3x4xf32>) -> tensor<1x4xf32>
// CHECK: %[[V8:.+]] = forge.subtract %[[V6]], %[[V7]] : tensor<1x4xf32>
// CHECK: %[[V9:.+]] = forge.reshape %[[V8]] shape [1, 4, 1] : (tensor<1x4xf32>) -> tensor<1x4x1xf32>
// CHECK-NEXT: return %[[V9]] : tensor<1x4x1xf32>
func.func @real(%x: !torch.vtensor<[1,3,2],f32>) -> (!torch.vtensor<[1,4,1],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %out = torch.operator "onnx.DFT"(%x) {torch.onnx.inverse = 1 : si64, torch.onnx.onesided = 1 : si64} : (!torch.vtensor<[1,3,2],f32>) -> !torch.vtensor<[1,4,1],f32>
  return %out : !torch.vtensor<[1,4,1],f32>
}
