// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// From the last step to the first; steps beyond the length change nothing.
// CHECK-LABEL: func.func @reverse(
// CHECK: %[[V0:.+]] = forge.constant dense<0.000000e+00> : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.reshape %arg4 shape [1, 1] : (tensor<1xi32>) -> tensor<1x1xi32>
// CHECK-NEXT: %[[V2:.+]] = forge.reshape %arg2 shape [2, 2] : (tensor<1x2x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %[[V3:.+]] = forge.transpose %[[V2]] dims -2, -1 : tensor<2x2xf32>
// CHECK-NEXT: %[[V4:.+]] = forge.reshape %arg1 shape [2, 3] : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[V5:.+]] = forge.transpose %[[V4]] dims -2, -1 : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: %[[V6:.+]] = forge.matmul %arg0, %[[V5]] : (tensor<2x1x3xf32>, tensor<3x2xf32>) -> tensor<2x1x2xf32>
// CHECK-NEXT: %[[V7:.+]] = forge.reshape %arg3 shape [4] : (tensor<1x4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[V8:.+]] = forge.strided_slice %[[V7]] dim 0 [2:4] : (tensor<4xf32>) -> tensor<2xf32>
// CHECK-NEXT: %[[V9:.+]] = forge.strided_slice %[[V7]] dim 0 [0:2] : (tensor<4xf32>) -> tensor<2xf32>
// CHECK-NEXT: %[[V10:.+]] = forge.add %[[V9]], %[[V8]] : tensor<2xf32>
// CHECK-NEXT: %[[V11:.+]] = forge.add %[[V6]], %[[V10]] : (tensor<2x1x2xf32>, tensor<2xf32>) -> tensor<2x1x2xf32>
// CHECK-NEXT: %[[V12:.+]] = forge.strided_slice %[[V11]] dim 0 [1:2] : (tensor<2x1x2xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V13:.+]] = forge.matmul %[[V0]], %[[V3]] : (tensor<1x1x2xf32>, tensor<2x2xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V14:.+]] = forge.add %[[V12]], %[[V13]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V15:.+]] = forge.tanh %[[V14]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V16:.+]] = forge.constant dense<1> : tensor<i32>
// CHECK-NEXT: %[[V17:.+]] = forge.greater %[[V1]], %[[V16]] : (tensor<1x1xi32>, tensor<i32>) -> tensor<1x1xi32>
// CHECK-NEXT: %[[V18:.+]] = forge.cast %[[V17]] dtype i1 : (tensor<1x1xi32>) -> tensor<1x1xi1>
// CHECK-NEXT: %[[V19:.+]] = forge.where %[[V18]], %[[V15]], %[[V0]] : (tensor<1x1xi1>, tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V20:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V21:.+]] = forge.where %[[V18]], %[[V15]], %[[V20]] : (tensor<1x1xi1>, tensor<1x1x2xf32>, tensor<f32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V22:.+]] = forge.strided_slice %[[V11]] dim 0 [0:1] : (tensor<2x1x2xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V23:.+]] = forge.matmul %[[V19]], %[[V3]] : (tensor<1x1x2xf32>, tensor<2x2xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V24:.+]] = forge.add %[[V22]], %[[V23]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V25:.+]] = forge.tanh %[[V24]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V26:.+]] = forge.constant dense<0> : tensor<i32>
// CHECK-NEXT: %[[V27:.+]] = forge.greater %[[V1]], %[[V26]] : (tensor<1x1xi32>, tensor<i32>) -> tensor<1x1xi32>
// CHECK-NEXT: %[[V28:.+]] = forge.cast %[[V27]] dtype i1 : (tensor<1x1xi32>) -> tensor<1x1xi1>
// CHECK-NEXT: %[[V29:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V30:.+]] = forge.where %[[V28]], %[[V25]], %[[V29]] : (tensor<1x1xi1>, tensor<1x1x2xf32>, tensor<f32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V31:.+]] = forge.concatenate %[[V30]], %[[V21]] axis -3 : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<2x1x2xf32>
// CHECK-NEXT: %[[V32:.+]] = forge.reshape %[[V31]] shape [2, 1, 1, 2] : (tensor<2x1x2xf32>) -> tensor<2x1x1x2xf32>
// CHECK-NEXT: return %[[V32]] : tensor<2x1x1x2xf32>
func.func @reverse(%x: !torch.vtensor<[2,1,3],f32>, %w: !torch.vtensor<[1,2,3],f32>, %r: !torch.vtensor<[1,2,2],f32>, %c: !torch.vtensor<[1,4],f32>, %l: !torch.vtensor<[1],si32>) -> (!torch.vtensor<[2,1,1,2],f32>) attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %out = torch.operator "onnx.RNN"(%x, %w, %r, %c, %l) {torch.onnx.direction = "reverse", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[2,1,3],f32>, !torch.vtensor<[1,2,3],f32>, !torch.vtensor<[1,2,2],f32>, !torch.vtensor<[1,4],f32>, !torch.vtensor<[1],si32>) -> !torch.vtensor<[2,1,1,2],f32>
  return %out : !torch.vtensor<[2,1,1,2],f32>
}
