// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// From the last step to the first; steps beyond the length change nothing.
// CHECK-LABEL: func.func @reverse(
// CHECK-NEXT: %[[V0:.+]] = forge.constant dense<0.000000e+00> : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.reshape %arg4 shape [1, 1] : (tensor<1xi32>) -> tensor<1x1xi32>
// CHECK-NEXT: %[[V2:.+]] = forge.reshape %arg2 shape [6, 2] : (tensor<1x6x2xf32>) -> tensor<6x2xf32>
// CHECK-NEXT: %[[V3:.+]] = forge.transpose %[[V2]] dims -2, -1 : (tensor<6x2xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: %[[V4:.+]] = forge.reshape %arg1 shape [6, 3] : (tensor<1x6x3xf32>) -> tensor<6x3xf32>
// CHECK-NEXT: %[[V5:.+]] = forge.transpose %[[V4]] dims -2, -1 : (tensor<6x3xf32>) -> tensor<3x6xf32>
// CHECK-NEXT: %[[V6:.+]] = forge.matmul %arg0, %[[V5]] : (tensor<2x1x3xf32>, tensor<3x6xf32>) -> tensor<2x1x6xf32>
// CHECK-NEXT: %[[V7:.+]] = forge.reshape %arg3 shape [12] : (tensor<1x12xf32>) -> tensor<12xf32>
// CHECK-NEXT: %[[V8:.+]] = forge.strided_slice %[[V7]] dim 0 [6:12] : (tensor<12xf32>) -> tensor<6xf32>
// CHECK-NEXT: %[[V9:.+]] = forge.strided_slice %[[V7]] dim 0 [0:6] : (tensor<12xf32>) -> tensor<6xf32>
// CHECK-NEXT: %[[V10:.+]] = forge.add %[[V9]], %[[V8]] : tensor<6xf32>
// CHECK-NEXT: %[[V11:.+]] = forge.add %[[V6]], %[[V10]] : (tensor<2x1x6xf32>, tensor<6xf32>) -> tensor<2x1x6xf32>
// CHECK-NEXT: %[[V12:.+]] = forge.strided_slice %[[V11]] dim 2 [0:4] : (tensor<2x1x6xf32>) -> tensor<2x1x4xf32>
// CHECK-NEXT: %[[V13:.+]] = forge.strided_slice %[[V11]] dim 2 [4:6] : (tensor<2x1x6xf32>) -> tensor<2x1x2xf32>
// CHECK-NEXT: %[[V14:.+]] = forge.strided_slice %[[V12]] dim 0 [1:2] : (tensor<2x1x4xf32>) -> tensor<1x1x4xf32>
// CHECK-NEXT: %[[V15:.+]] = forge.strided_slice %[[V13]] dim 0 [1:2] : (tensor<2x1x2xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V16:.+]] = forge.strided_slice %[[V3]] dim 1 [0:4] : (tensor<2x6xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[V17:.+]] = forge.matmul %[[V0]], %[[V16]] : (tensor<1x1x2xf32>, tensor<2x4xf32>) -> tensor<1x1x4xf32>
// CHECK-NEXT: %[[V18:.+]] = forge.strided_slice %[[V3]] dim 1 [4:6] : (tensor<2x6xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %[[V19:.+]] = forge.add %[[V14]], %[[V17]] : tensor<1x1x4xf32>
// CHECK-NEXT: %[[V20:.+]] = forge.sigmoid %[[V19]] : tensor<1x1x4xf32>
// CHECK-NEXT: %[[V21:.+]] = forge.strided_slice %[[V20]] dim 2 [0:2] : (tensor<1x1x4xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V22:.+]] = forge.strided_slice %[[V20]] dim 2 [2:4] : (tensor<1x1x4xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V23:.+]] = forge.multiply %[[V22]], %[[V0]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V24:.+]] = forge.matmul %[[V23]], %[[V18]] : (tensor<1x1x2xf32>, tensor<2x2xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V25:.+]] = forge.add %[[V15]], %[[V24]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V26:.+]] = forge.tanh %[[V25]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V27:.+]] = forge.subtract %[[V0]], %[[V26]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V28:.+]] = forge.multiply %[[V21]], %[[V27]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V29:.+]] = forge.add %[[V26]], %[[V28]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V30:.+]] = forge.constant dense<1> : tensor<i32>
// CHECK-NEXT: %[[V31:.+]] = forge.greater %[[V1]], %[[V30]] : (tensor<1x1xi32>, tensor<i32>) -> tensor<1x1xi32>
// CHECK-NEXT: %[[V32:.+]] = forge.cast %[[V31]] dtype i1 : (tensor<1x1xi32>) -> tensor<1x1xi1>
// CHECK-NEXT: %[[V33:.+]] = forge.where %[[V32]], %[[V29]], %[[V0]] : (tensor<1x1xi1>, tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V34:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V35:.+]] = forge.where %[[V32]], %[[V29]], %[[V34]] : (tensor<1x1xi1>, tensor<1x1x2xf32>, tensor<f32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V36:.+]] = forge.strided_slice %[[V12]] dim 0 [0:1] : (tensor<2x1x4xf32>) -> tensor<1x1x4xf32>
// CHECK-NEXT: %[[V37:.+]] = forge.strided_slice %[[V13]] dim 0 [0:1] : (tensor<2x1x2xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V38:.+]] = forge.strided_slice %[[V3]] dim 1 [0:4] : (tensor<2x6xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[V39:.+]] = forge.matmul %[[V33]], %[[V38]] : (tensor<1x1x2xf32>, tensor<2x4xf32>) -> tensor<1x1x4xf32>
// CHECK-NEXT: %[[V40:.+]] = forge.strided_slice %[[V3]] dim 1 [4:6] : (tensor<2x6xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %[[V41:.+]] = forge.add %[[V36]], %[[V39]] : tensor<1x1x4xf32>
// CHECK-NEXT: %[[V42:.+]] = forge.sigmoid %[[V41]] : tensor<1x1x4xf32>
// CHECK-NEXT: %[[V43:.+]] = forge.strided_slice %[[V42]] dim 2 [0:2] : (tensor<1x1x4xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V44:.+]] = forge.strided_slice %[[V42]] dim 2 [2:4] : (tensor<1x1x4xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V45:.+]] = forge.multiply %[[V44]], %[[V33]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V46:.+]] = forge.matmul %[[V45]], %[[V40]] : (tensor<1x1x2xf32>, tensor<2x2xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V47:.+]] = forge.add %[[V37]], %[[V46]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V48:.+]] = forge.tanh %[[V47]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V49:.+]] = forge.subtract %[[V33]], %[[V48]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V50:.+]] = forge.multiply %[[V43]], %[[V49]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V51:.+]] = forge.add %[[V48]], %[[V50]] : tensor<1x1x2xf32>
// CHECK-NEXT: %[[V52:.+]] = forge.constant dense<0> : tensor<i32>
// CHECK-NEXT: %[[V53:.+]] = forge.greater %[[V1]], %[[V52]] : (tensor<1x1xi32>, tensor<i32>) -> tensor<1x1xi32>
// CHECK-NEXT: %[[V54:.+]] = forge.cast %[[V53]] dtype i1 : (tensor<1x1xi32>) -> tensor<1x1xi1>
// CHECK-NEXT: %[[V55:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V56:.+]] = forge.where %[[V54]], %[[V51]], %[[V55]] : (tensor<1x1xi1>, tensor<1x1x2xf32>, tensor<f32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V57:.+]] = forge.concatenate %[[V56]], %[[V35]] axis -3 : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<2x1x2xf32>
// CHECK-NEXT: %[[V58:.+]] = forge.reshape %[[V57]] shape [2, 1, 1, 2] : (tensor<2x1x2xf32>) -> tensor<2x1x1x2xf32>
// CHECK-NEXT: return %[[V58]] : tensor<2x1x1x2xf32>
func.func @reverse(%x: !torch.vtensor<[2,1,3],f32>, %w: !torch.vtensor<[1,6,3],f32>, %r: !torch.vtensor<[1,6,2],f32>, %c: !torch.vtensor<[1,12],f32>, %l: !torch.vtensor<[1],si32>) -> (!torch.vtensor<[2,1,1,2],f32>) attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %out = torch.operator "onnx.GRU"(%x, %w, %r, %c, %l) {torch.onnx.direction = "reverse", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[2,1,3],f32>, !torch.vtensor<[1,6,3],f32>, !torch.vtensor<[1,6,2],f32>, !torch.vtensor<[1,12],f32>, !torch.vtensor<[1],si32>) -> !torch.vtensor<[2,1,1,2],f32>
  return %out : !torch.vtensor<[2,1,1,2],f32>
}
