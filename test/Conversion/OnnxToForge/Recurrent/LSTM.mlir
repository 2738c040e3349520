// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// From the last step to the first; steps beyond the length change nothing.
// CHECK-LABEL: func.func @reverse(
// CHECK: %[[V0:.+]] = forge.constant dense<0.000000e+00> : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.constant dense<0.000000e+00> : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.reshape %arg4 shape [1, 1] : (tensor<1xi32>) -> tensor<1x1xi32>
// CHECK-NEXT: %[[V3:.+]] = forge.reshape %arg2 shape [8, 2] : (tensor<1x8x2xf32>) -> tensor<8x2xf32>
// CHECK-NEXT: %[[V4:.+]] = forge.transpose %[[V3]] dims -2, -1 : (tensor<8x2xf32>) -> tensor<2x8xf32>
// CHECK-NEXT: %[[V5:.+]] = forge.reshape %arg1 shape [8, 3] : (tensor<1x8x3xf32>) -> tensor<8x3xf32>
// CHECK-NEXT: %[[V6:.+]] = forge.transpose %[[V5]] dims -2, -1 : (tensor<8x3xf32>) -> tensor<3x8xf32>
// CHECK-NEXT: %[[V7:.+]] = forge.matmul %arg0, %[[V6]] : (tensor<2x1x3xf32>, tensor<3x8xf32>) -> tensor<2x1x8xf32>
// CHECK-NEXT: %[[V8:.+]] = forge.reshape %arg3 shape [16] : (tensor<1x16xf32>) -> tensor<16xf32>
// CHECK-NEXT: %[[V9:.+]] = forge.strided_slice %[[V8]] dim 0 [8:16] : (tensor<16xf32>) -> tensor<8xf32>
// CHECK-NEXT: %[[V10:.+]] = forge.strided_slice %[[V8]] dim 0 [0:8] : (tensor<16xf32>) -> tensor<8xf32>
// CHECK-NEXT: %[[V11:.+]] = forge.add %[[V10]], %[[V9]] : tensor<8xf32>
// CHECK-NEXT: %[[V12:.+]] = forge.add %[[V7]], %[[V11]] : (tensor<2x1x8xf32>, tensor<8xf32>) -> tensor<2x1x8xf32>
// CHECK-NEXT: %[[V13:.+]] = forge.strided_slice %[[V12]] dim 0 [1:2] : (tensor<2x1x8xf32>) -> tensor<1x1x8xf32>
// CHECK-NEXT: %[[V14:.+]] = forge.matmul %[[V0]], %[[V4]] : (tensor<1x1x2xf32>, tensor<2x8xf32>) -> tensor<1x1x8xf32>
// CHECK-NEXT: %[[V15:.+]] = forge.add %[[V13]], %[[V14]] : tensor<1x1x8xf32>
// CHECK-NEXT: %[[V16:.+]] = forge.sigmoid %[[V15]] : tensor<1x1x8xf32>
// CHECK-NEXT: %[[V17:.+]] = forge.strided_slice %[[V16]] dim 2 [0:2] : (tensor<1x1x8xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V18:.+]] = forge.strided_slice %[[V16]] dim 2 [4:6] : (tensor<1x1x8xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V19:.+]] = forge.strided_slice %[[V15]] dim 2 [6:8] : (tensor<1x1x8xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V20:.+]] = forge.tanh %[[V19]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V21:.+]] = forge.multiply %[[V17]], %[[V20]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V22:.+]] = forge.multiply %[[V18]], %[[V1]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V23:.+]] = forge.add %[[V22]], %[[V21]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V24:.+]] = forge.strided_slice %[[V16]] dim 2 [2:4] : (tensor<1x1x8xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V25:.+]] = forge.tanh %[[V23]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V26:.+]] = forge.multiply %[[V24]], %[[V25]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V27:.+]] = forge.constant dense<1> : tensor<i32>
// CHECK-NEXT: %[[V28:.+]] = forge.greater %[[V2]], %[[V27]] : (tensor<1x1xi32>, tensor<i32>) -> tensor<1x1xi32>
// CHECK-NEXT: %[[V29:.+]] = forge.cast %[[V28]] dtype i1 : (tensor<1x1xi32>) -> tensor<1x1xi1>
// CHECK-NEXT: %[[V30:.+]] = forge.where %[[V29]], %[[V26]], %[[V0]] : (tensor<1x1xi1>, tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V31:.+]] = forge.where %[[V29]], %[[V23]], %[[V1]] : (tensor<1x1xi1>, tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V32:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V33:.+]] = forge.where %[[V29]], %[[V26]], %[[V32]] : (tensor<1x1xi1>, tensor<1x1x2xf32>, tensor<f32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V34:.+]] = forge.strided_slice %[[V12]] dim 0 [0:1] : (tensor<2x1x8xf32>) -> tensor<1x1x8xf32>
// CHECK-NEXT: %[[V35:.+]] = forge.matmul %[[V30]], %[[V4]] : (tensor<1x1x2xf32>, tensor<2x8xf32>) -> tensor<1x1x8xf32>
// CHECK-NEXT: %[[V36:.+]] = forge.add %[[V34]], %[[V35]] : tensor<1x1x8xf32>
// CHECK-NEXT: %[[V37:.+]] = forge.sigmoid %[[V36]] : tensor<1x1x8xf32>
// CHECK-NEXT: %[[V38:.+]] = forge.strided_slice %[[V37]] dim 2 [0:2] : (tensor<1x1x8xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V39:.+]] = forge.strided_slice %[[V37]] dim 2 [4:6] : (tensor<1x1x8xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V40:.+]] = forge.strided_slice %[[V36]] dim 2 [6:8] : (tensor<1x1x8xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V41:.+]] = forge.tanh %[[V40]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V42:.+]] = forge.multiply %[[V38]], %[[V41]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V43:.+]] = forge.multiply %[[V39]], %[[V31]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V44:.+]] = forge.add %[[V43]], %[[V42]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V45:.+]] = forge.strided_slice %[[V37]] dim 2 [2:4] : (tensor<1x1x8xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V46:.+]] = forge.tanh %[[V44]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V47:.+]] = forge.multiply %[[V45]], %[[V46]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V48:.+]] = forge.constant dense<0> : tensor<i32>
// CHECK-NEXT: %[[V49:.+]] = forge.greater %[[V2]], %[[V48]] : (tensor<1x1xi32>, tensor<i32>) -> tensor<1x1xi32>
// CHECK-NEXT: %[[V50:.+]] = forge.cast %[[V49]] dtype i1 : (tensor<1x1xi32>) -> tensor<1x1xi1>
// CHECK-NEXT: %[[V51:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V52:.+]] = forge.where %[[V50]], %[[V47]], %[[V51]] : (tensor<1x1xi1>, tensor<1x1x2xf32>, tensor<f32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V53:.+]] = forge.concatenate %[[V52]], %[[V33]] axis -3 : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<2x1x2xf32>
// CHECK-NEXT: %[[V54:.+]] = forge.reshape %[[V53]] shape [2, 1, 1, 2] : (tensor<2x1x2xf32>) -> tensor<2x1x1x2xf32>
// CHECK-NEXT: return %[[V54]] : tensor<2x1x1x2xf32>
func.func @reverse(%x: !torch.vtensor<[2,1,3],f32>, %w: !torch.vtensor<[1,8,3],f32>, %r: !torch.vtensor<[1,8,2],f32>, %c: !torch.vtensor<[1,16],f32>, %l: !torch.vtensor<[1],si32>) -> (!torch.vtensor<[2,1,1,2],f32>) attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %out = torch.operator "onnx.LSTM"(%x, %w, %r, %c, %l) {torch.onnx.direction = "reverse", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[2,1,3],f32>, !torch.vtensor<[1,8,3],f32>, !torch.vtensor<[1,8,2],f32>, !torch.vtensor<[1,16],f32>, !torch.vtensor<[1],si32>) -> !torch.vtensor<[2,1,1,2],f32>
  return %out : !torch.vtensor<[2,1,1,2],f32>
}
