// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// From the last step to the first; steps beyond the length change nothing.
// CHECK-LABEL: func.func @reverse(
// CHECK: %[[V0:.+]] = forge.reshape %arg4 shape [1, 1] : (tensor<1xi32>) -> tensor<1x1xi32>
// CHECK-NEXT: %[[V1:.+]] = forge.reshape %arg2 shape [8, 2] : (tensor<1x8x2xf32>) -> tensor<8x2xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.transpose %[[V1]] dims -2, -1 : (tensor<8x2xf32>) -> tensor<2x8xf32>
// CHECK-NEXT: %[[V3:.+]] = forge.reshape %arg0 shape [2, 3] : (tensor<2x1x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[V4:.+]] = forge.reshape %arg1 shape [8, 3] : (tensor<1x8x3xf32>) -> tensor<8x3xf32>
// CHECK-NEXT: %[[V5:.+]] = forge.transpose %[[V4]] dims -2, -1 : (tensor<8x3xf32>) -> tensor<3x8xf32>
// CHECK-NEXT: %[[V6:.+]] = forge.matmul %[[V3]], %[[V5]] : (tensor<2x3xf32>, tensor<3x8xf32>) -> tensor<2x8xf32>
// CHECK-NEXT: %[[V7:.+]] = forge.reshape %arg3 shape [16] : (tensor<1x16xf32>) -> tensor<16xf32>
// CHECK-NEXT: %[[V8:.+]] = forge.strided_slice %[[V7]] dim 0 [8:16] : (tensor<16xf32>) -> tensor<8xf32>
// CHECK-NEXT: %[[V9:.+]] = forge.strided_slice %[[V7]] dim 0 [0:8] : (tensor<16xf32>) -> tensor<8xf32>
// CHECK-NEXT: %[[V10:.+]] = forge.add %[[V6]], %[[V9]] : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
// CHECK-NEXT: %[[V11:.+]] = forge.add %[[V10]], %[[V8]] : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
// CHECK-NEXT: %[[V12:.+]] = forge.reshape %[[V11]] shape [2, 1, 8] : (tensor<2x8xf32>) -> tensor<2x1x8xf32>
// CHECK-NEXT: %[[V13:.+]] = forge.constant dense<0.000000e+00> : tensor<1x2xf32>
// CHECK-NEXT: %[[V14:.+]] = forge.constant dense<0.000000e+00> : tensor<1x2xf32>
// CHECK-NEXT: %[[V15:.+]] = forge.strided_slice %[[V12]] dim 0 [1:2] : (tensor<2x1x8xf32>) -> tensor<1x1x8xf32>
// CHECK-NEXT: %[[V16:.+]] = forge.reshape %[[V15]] shape [1, 8] : (tensor<1x1x8xf32>) -> tensor<1x8xf32>
// CHECK-NEXT: %[[V17:.+]] = forge.matmul %[[V13]], %[[V2]] : (tensor<1x2xf32>, tensor<2x8xf32>) -> tensor<1x8xf32>
// CHECK-NEXT: %[[V18:.+]] = forge.add %[[V16]], %[[V17]] : tensor<1x8xf32>
// CHECK-NEXT: %[[V19:.+]] = forge.strided_slice %[[V18]] dim 1 [0:2] : (tensor<1x8xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V20:.+]] = forge.sigmoid %[[V19]] : tensor<1x2xf32>
// CHECK-NEXT: %[[V21:.+]] = forge.strided_slice %[[V18]] dim 1 [4:6] : (tensor<1x8xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V22:.+]] = forge.sigmoid %[[V21]] : tensor<1x2xf32>
// CHECK-NEXT: %[[V23:.+]] = forge.strided_slice %[[V18]] dim 1 [6:8] : (tensor<1x8xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V24:.+]] = forge.tanh %[[V23]] : tensor<1x2xf32>
// CHECK-NEXT: %[[V25:.+]] = forge.multiply %[[V20]], %[[V24]] : tensor<1x2xf32>
// CHECK-NEXT: %[[V26:.+]] = forge.multiply %[[V22]], %[[V14]] : tensor<1x2xf32>
// CHECK-NEXT: %[[V27:.+]] = forge.add %[[V26]], %[[V25]] : tensor<1x2xf32>
// CHECK-NEXT: %[[V28:.+]] = forge.strided_slice %[[V18]] dim 1 [2:4] : (tensor<1x8xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V29:.+]] = forge.sigmoid %[[V28]] : tensor<1x2xf32>
// CHECK-NEXT: %[[V30:.+]] = forge.tanh %[[V27]] : tensor<1x2xf32>
// CHECK-NEXT: %[[V31:.+]] = forge.multiply %[[V29]], %[[V30]] : tensor<1x2xf32>
// CHECK-NEXT: %[[V32:.+]] = forge.constant dense<1> : tensor<i32>
// CHECK-NEXT: %[[V33:.+]] = forge.greater %[[V0]], %[[V32]] : (tensor<1x1xi32>, tensor<i32>) -> tensor<1x1xi32>
// CHECK-NEXT: %[[V34:.+]] = forge.cast %[[V33]] dtype i1 : (tensor<1x1xi32>) -> tensor<1x1xi1>
// CHECK-NEXT: %[[V35:.+]] = forge.where %[[V34]], %[[V31]], %[[V13]] : (tensor<1x1xi1>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V36:.+]] = forge.where %[[V34]], %[[V27]], %[[V14]] : (tensor<1x1xi1>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V37:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V38:.+]] = forge.where %[[V34]], %[[V31]], %[[V37]] : (tensor<1x1xi1>, tensor<1x2xf32>, tensor<f32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V39:.+]] = forge.reshape %[[V38]] shape [1, 1, 2] : (tensor<1x2xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V40:.+]] = forge.strided_slice %[[V12]] dim 0 [0:1] : (tensor<2x1x8xf32>) -> tensor<1x1x8xf32>
// CHECK-NEXT: %[[V41:.+]] = forge.reshape %[[V40]] shape [1, 8] : (tensor<1x1x8xf32>) -> tensor<1x8xf32>
// CHECK-NEXT: %[[V42:.+]] = forge.matmul %[[V35]], %[[V2]] : (tensor<1x2xf32>, tensor<2x8xf32>) -> tensor<1x8xf32>
// CHECK-NEXT: %[[V43:.+]] = forge.add %[[V41]], %[[V42]] : tensor<1x8xf32>
// CHECK-NEXT: %[[V44:.+]] = forge.strided_slice %[[V43]] dim 1 [0:2] : (tensor<1x8xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V45:.+]] = forge.sigmoid %[[V44]] : tensor<1x2xf32>
// CHECK-NEXT: %[[V46:.+]] = forge.strided_slice %[[V43]] dim 1 [4:6] : (tensor<1x8xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V47:.+]] = forge.sigmoid %[[V46]] : tensor<1x2xf32>
// CHECK-NEXT: %[[V48:.+]] = forge.strided_slice %[[V43]] dim 1 [6:8] : (tensor<1x8xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V49:.+]] = forge.tanh %[[V48]] : tensor<1x2xf32>
// CHECK-NEXT: %[[V50:.+]] = forge.multiply %[[V45]], %[[V49]] : tensor<1x2xf32>
// CHECK-NEXT: %[[V51:.+]] = forge.multiply %[[V47]], %[[V36]] : tensor<1x2xf32>
// CHECK-NEXT: %[[V52:.+]] = forge.add %[[V51]], %[[V50]] : tensor<1x2xf32>
// CHECK-NEXT: %[[V53:.+]] = forge.strided_slice %[[V43]] dim 1 [2:4] : (tensor<1x8xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V54:.+]] = forge.sigmoid %[[V53]] : tensor<1x2xf32>
// CHECK-NEXT: %[[V55:.+]] = forge.tanh %[[V52]] : tensor<1x2xf32>
// CHECK-NEXT: %[[V56:.+]] = forge.multiply %[[V54]], %[[V55]] : tensor<1x2xf32>
// CHECK-NEXT: %[[V57:.+]] = forge.constant dense<0> : tensor<i32>
// CHECK-NEXT: %[[V58:.+]] = forge.greater %[[V0]], %[[V57]] : (tensor<1x1xi32>, tensor<i32>) -> tensor<1x1xi32>
// CHECK-NEXT: %[[V59:.+]] = forge.cast %[[V58]] dtype i1 : (tensor<1x1xi32>) -> tensor<1x1xi1>
// CHECK-NEXT: %[[V60:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V61:.+]] = forge.where %[[V59]], %[[V56]], %[[V60]] : (tensor<1x1xi1>, tensor<1x2xf32>, tensor<f32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V62:.+]] = forge.reshape %[[V61]] shape [1, 1, 2] : (tensor<1x2xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V63:.+]] = forge.concatenate %[[V62]], %[[V39]] axis -3 : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<2x1x2xf32>
// CHECK-NEXT: %[[V64:.+]] = forge.reshape %[[V63]] shape [2, 1, 1, 2] : (tensor<2x1x2xf32>) -> tensor<2x1x1x2xf32>
// CHECK-NEXT: return %[[V64]] : tensor<2x1x1x2xf32>
func.func @reverse(%x: !torch.vtensor<[2,1,3],f32>, %w: !torch.vtensor<[1,8,3],f32>, %r: !torch.vtensor<[1,8,2],f32>, %c: !torch.vtensor<[1,16],f32>, %l: !torch.vtensor<[1],si32>) -> (!torch.vtensor<[2,1,1,2],f32>) attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %out = torch.operator "onnx.LSTM"(%x, %w, %r, %c, %l) {torch.onnx.direction = "reverse", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[2,1,3],f32>, !torch.vtensor<[1,8,3],f32>, !torch.vtensor<[1,8,2],f32>, !torch.vtensor<[1,16],f32>, !torch.vtensor<[1],si32>) -> !torch.vtensor<[2,1,1,2],f32>
  return %out : !torch.vtensor<[2,1,1,2],f32>
}
