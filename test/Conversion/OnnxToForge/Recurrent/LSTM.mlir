// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// The steps are computed from the last to the first; steps beyond the sequence length leave the state unchanged.
// CHECK-LABEL: func.func @reverse(
// CHECK: %[[V0:.+]] = forge.constant dense<0.000000e+00> : tensor<1x1x2xf32>
// CHECK: %[[V1:.+]] = forge.constant dense<0.000000e+00> : tensor<1x1x2xf32>
// CHECK: %[[V2:.+]] = forge.reshape %arg4 shape [1, 1] : (tensor<1xi32>) -> tensor<1x1xi32>
// CHECK: %[[V3:.+]] = forge.reshape %arg2 shape [8, 2] : (tensor<1x8x2xf32>) -> tensor<8x2xf32>
// CHECK: %[[V4:.+]] = forge.transpose %[[V3]] dims -2, -1 : (tensor<8x2xf32>) -> tensor<2x8xf32>
// CHECK: %[[V5:.+]] = forge.reshape %arg1 shape [8, 3] : (tensor<1x8x3xf32>) -> tensor<8x3xf32>
// CHECK: %[[V6:.+]] = forge.transpose %[[V5]] dims -2, -1 : (tensor<8x3xf32>) -> tensor<3x8xf32>
// CHECK: %[[V7:.+]] = forge.matmul %arg0, %[[V6]] : (tensor<2x1x3xf32>, tensor<3x8xf32>) -> tensor<2x1x8xf32>
// CHECK: %[[V8:.+]] = forge.reshape %arg3 shape [16] : (tensor<1x16xf32>) -> tensor<16xf32>
// CHECK: %[[V9:.+]] = forge.strided_slice %[[V8]] dim 0 [0:8] : (tensor<16xf32>) -> tensor<8xf32>
// CHECK: %[[V10:.+]] = forge.strided_slice %[[V8]] dim 0 [8:16] : (tensor<16xf32>) -> tensor<8xf32>
// CHECK: %[[V11:.+]] = forge.add %[[V9]], %[[V10]] : tensor<8xf32>
// CHECK: %[[V12:.+]] = forge.add %[[V7]], %[[V11]] : (tensor<2x1x8xf32>, tensor<8xf32>) -> tensor<2x1x8xf32>
// CHECK: %[[V13:.+]] = forge.strided_slice %[[V12]] dim 0 [1:2] : (tensor<2x1x8xf32>) -> tensor<1x1x8xf32>
// CHECK: %[[V14:.+]] = forge.matmul %[[V0]], %[[V4]] : (tensor<1x1x2xf32>, tensor<2x8xf32>) -> tensor<1x1x8xf32>
// CHECK: %[[V15:.+]] = forge.add %[[V13]], %[[V14]] : tensor<1x1x8xf32>
// CHECK: %[[V16:.+]] = forge.sigmoid %[[V15]] : tensor<1x1x8xf32>
// CHECK: %[[V17:.+]] = forge.strided_slice %[[V16]] dim 2 [0:2] : (tensor<1x1x8xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V18:.+]] = forge.strided_slice %[[V16]] dim 2 [4:6] : (tensor<1x1x8xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V19:.+]] = forge.strided_slice %[[V15]] dim 2 [6:8] : (tensor<1x1x8xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V20:.+]] = forge.tanh %[[V19]] : tensor<1x1x2xf32>
// CHECK: %[[V21:.+]] = forge.multiply %[[V17]], %[[V20]] : tensor<1x1x2xf32>
// CHECK: %[[V22:.+]] = forge.multiply %[[V18]], %[[V1]] : tensor<1x1x2xf32>
// CHECK: %[[V23:.+]] = forge.add %[[V22]], %[[V21]] : tensor<1x1x2xf32>
// CHECK: %[[V24:.+]] = forge.strided_slice %[[V16]] dim 2 [2:4] : (tensor<1x1x8xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V25:.+]] = forge.tanh %[[V23]] : tensor<1x1x2xf32>
// CHECK: %[[V26:.+]] = forge.multiply %[[V24]], %[[V25]] : tensor<1x1x2xf32>
// CHECK: %[[V27:.+]] = forge.constant dense<1> : tensor<1x1x1xi32>
// CHECK: %[[V28:.+]] = forge.greater %[[V2]], %[[V27]] : (tensor<1x1xi32>, tensor<1x1x1xi32>) -> tensor<1x1x1xi32>
// CHECK: %[[V29:.+]] = forge.cast %[[V28]] dtype i1 : (tensor<1x1x1xi32>) -> tensor<1x1x1xi1>
// CHECK: %[[V30:.+]] = forge.where %[[V29]], %[[V26]], %[[V0]] : (tensor<1x1x1xi1>, tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V31:.+]] = forge.constant dense<1> : tensor<1x1x1xi32>
// CHECK: %[[V32:.+]] = forge.greater %[[V2]], %[[V31]] : (tensor<1x1xi32>, tensor<1x1x1xi32>) -> tensor<1x1x1xi32>
// CHECK: %[[V33:.+]] = forge.cast %[[V32]] dtype i1 : (tensor<1x1x1xi32>) -> tensor<1x1x1xi1>
// CHECK: %[[V34:.+]] = forge.where %[[V33]], %[[V23]], %[[V1]] : (tensor<1x1x1xi1>, tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V35:.+]] = forge.strided_slice %[[V12]] dim 0 [0:1] : (tensor<2x1x8xf32>) -> tensor<1x1x8xf32>
// CHECK: %[[V36:.+]] = forge.matmul %[[V30]], %[[V4]] : (tensor<1x1x2xf32>, tensor<2x8xf32>) -> tensor<1x1x8xf32>
// CHECK: %[[V37:.+]] = forge.add %[[V35]], %[[V36]] : tensor<1x1x8xf32>
// CHECK: %[[V38:.+]] = forge.sigmoid %[[V37]] : tensor<1x1x8xf32>
// CHECK: %[[V39:.+]] = forge.strided_slice %[[V38]] dim 2 [0:2] : (tensor<1x1x8xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V40:.+]] = forge.strided_slice %[[V38]] dim 2 [4:6] : (tensor<1x1x8xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V41:.+]] = forge.strided_slice %[[V37]] dim 2 [6:8] : (tensor<1x1x8xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V42:.+]] = forge.tanh %[[V41]] : tensor<1x1x2xf32>
// CHECK: %[[V43:.+]] = forge.multiply %[[V39]], %[[V42]] : tensor<1x1x2xf32>
// CHECK: %[[V44:.+]] = forge.multiply %[[V40]], %[[V34]] : tensor<1x1x2xf32>
// CHECK: %[[V45:.+]] = forge.add %[[V44]], %[[V43]] : tensor<1x1x2xf32>
// CHECK: %[[V46:.+]] = forge.strided_slice %[[V38]] dim 2 [2:4] : (tensor<1x1x8xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V47:.+]] = forge.tanh %[[V45]] : tensor<1x1x2xf32>
// CHECK: %[[V48:.+]] = forge.multiply %[[V46]], %[[V47]] : tensor<1x1x2xf32>
// CHECK: %[[V49:.+]] = forge.constant dense<0> : tensor<1x1x1xi32>
// CHECK: %[[V50:.+]] = forge.greater %[[V2]], %[[V49]] : (tensor<1x1xi32>, tensor<1x1x1xi32>) -> tensor<1x1x1xi32>
// CHECK: %[[V51:.+]] = forge.cast %[[V50]] dtype i1 : (tensor<1x1x1xi32>) -> tensor<1x1x1xi1>
// CHECK: %[[V52:.+]] = forge.where %[[V51]], %[[V48]], %[[V30]] : (tensor<1x1x1xi1>, tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V53:.+]] = forge.concatenate %[[V52]], %[[V30]] axis -3 : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V54:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V55:.+]] = forge.constant dense<{{\[\[\[0\]\], \[\[1\]\]\]}}> : tensor<2x1x1xi32>
// CHECK: %[[V56:.+]] = forge.greater %[[V2]], %[[V55]] : (tensor<1x1xi32>, tensor<2x1x1xi32>) -> tensor<2x1x1xi32>
// CHECK: %[[V57:.+]] = forge.cast %[[V56]] dtype i1 : (tensor<2x1x1xi32>) -> tensor<2x1x1xi1>
// CHECK: %[[V58:.+]] = forge.where %[[V57]], %[[V53]], %[[V54]] : (tensor<2x1x1xi1>, tensor<2x1x2xf32>, tensor<f32>) -> tensor<2x1x2xf32>
// CHECK: %[[V59:.+]] = forge.reshape %[[V58]] shape [2, 1, 1, 2] : (tensor<2x1x2xf32>) -> tensor<2x1x1x2xf32>
// CHECK-NEXT: return %[[V59]] : tensor<2x1x1x2xf32>
func.func @reverse(%x: !torch.vtensor<[2,1,3],f32>, %w: !torch.vtensor<[1,8,3],f32>, %r: !torch.vtensor<[1,8,2],f32>, %c: !torch.vtensor<[1,16],f32>, %l: !torch.vtensor<[1],si32>) -> (!torch.vtensor<[2,1,1,2],f32>) attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %out = torch.operator "onnx.LSTM"(%x, %w, %r, %c, %l) {torch.onnx.direction = "reverse", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[2,1,3],f32>, !torch.vtensor<[1,8,3],f32>, !torch.vtensor<[1,8,2],f32>, !torch.vtensor<[1,16],f32>, !torch.vtensor<[1],si32>) -> !torch.vtensor<[2,1,1,2],f32>
  return %out : !torch.vtensor<[2,1,1,2],f32>
}

// Both directions are computed together in a batch of two, with peepholes and initial states.
// CHECK-LABEL: func.func @bidirectional(
// CHECK: %[[V0:.+]] = forge.transpose %arg2 dims -2, -1 : (tensor<2x8x2xf32>) -> tensor<2x2x8xf32>
// CHECK: %[[V1:.+]] = forge.reshape %arg5 shape [2, 1, 6] : (tensor<2x6xf32>) -> tensor<2x1x6xf32>
// CHECK: %[[V2:.+]] = forge.reshape %arg0 shape [1, 2, 4] : (tensor<2x1x4xf32>) -> tensor<1x2x4xf32>
// CHECK: %[[V3:.+]] = forge.transpose %arg1 dims -2, -1 : (tensor<2x8x4xf32>) -> tensor<2x4x8xf32>
// CHECK: %[[V4:.+]] = forge.matmul %[[V2]], %[[V3]] : (tensor<1x2x4xf32>, tensor<2x4x8xf32>) -> tensor<2x2x8xf32>
// CHECK: %[[V5:.+]] = forge.reshape %[[V4]] shape [4, 1, 8] : (tensor<2x2x8xf32>) -> tensor<4x1x8xf32>
// CHECK: %[[V6:.+]] = forge.strided_slice %[[V5]] dim 0 [0:4:3] : (tensor<4x1x8xf32>) -> tensor<2x1x8xf32>
// CHECK: %[[V7:.+]] = forge.matmul %arg3, %[[V0]] : (tensor<2x1x2xf32>, tensor<2x2x8xf32>) -> tensor<2x1x8xf32>
// CHECK: %[[V8:.+]] = forge.add %[[V6]], %[[V7]] : tensor<2x1x8xf32>
// CHECK: %[[V9:.+]] = forge.strided_slice %[[V1]] dim 2 [0:2] : (tensor<2x1x6xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V10:.+]] = forge.multiply %[[V9]], %arg4 : tensor<2x1x2xf32>
// CHECK: %[[V11:.+]] = forge.strided_slice %[[V8]] dim 2 [0:2] : (tensor<2x1x8xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V12:.+]] = forge.add %[[V11]], %[[V10]] : tensor<2x1x2xf32>
// CHECK: %[[V13:.+]] = forge.sigmoid %[[V12]] : tensor<2x1x2xf32>
// CHECK: %[[V14:.+]] = forge.strided_slice %[[V1]] dim 2 [4:6] : (tensor<2x1x6xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V15:.+]] = forge.multiply %[[V14]], %arg4 : tensor<2x1x2xf32>
// CHECK: %[[V16:.+]] = forge.strided_slice %[[V8]] dim 2 [4:6] : (tensor<2x1x8xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V17:.+]] = forge.add %[[V16]], %[[V15]] : tensor<2x1x2xf32>
// CHECK: %[[V18:.+]] = forge.sigmoid %[[V17]] : tensor<2x1x2xf32>
// CHECK: %[[V19:.+]] = forge.strided_slice %[[V8]] dim 2 [6:8] : (tensor<2x1x8xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V20:.+]] = forge.tanh %[[V19]] : tensor<2x1x2xf32>
// CHECK: %[[V21:.+]] = forge.multiply %[[V13]], %[[V20]] : tensor<2x1x2xf32>
// CHECK: %[[V22:.+]] = forge.multiply %[[V18]], %arg4 : tensor<2x1x2xf32>
// CHECK: %[[V23:.+]] = forge.add %[[V22]], %[[V21]] : tensor<2x1x2xf32>
// CHECK: %[[V24:.+]] = forge.strided_slice %[[V1]] dim 2 [2:4] : (tensor<2x1x6xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V25:.+]] = forge.multiply %[[V24]], %[[V23]] : tensor<2x1x2xf32>
// CHECK: %[[V26:.+]] = forge.strided_slice %[[V8]] dim 2 [2:4] : (tensor<2x1x8xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V27:.+]] = forge.add %[[V26]], %[[V25]] : tensor<2x1x2xf32>
// CHECK: %[[V28:.+]] = forge.sigmoid %[[V27]] : tensor<2x1x2xf32>
// CHECK: %[[V29:.+]] = forge.tanh %[[V23]] : tensor<2x1x2xf32>
// CHECK: %[[V30:.+]] = forge.multiply %[[V28]], %[[V29]] : tensor<2x1x2xf32>
// CHECK: %[[V31:.+]] = forge.strided_slice %[[V5]] dim 0 [1:3] : (tensor<4x1x8xf32>) -> tensor<2x1x8xf32>
// CHECK: %[[V32:.+]] = forge.matmul %[[V30]], %[[V0]] : (tensor<2x1x2xf32>, tensor<2x2x8xf32>) -> tensor<2x1x8xf32>
// CHECK: %[[V33:.+]] = forge.add %[[V31]], %[[V32]] : tensor<2x1x8xf32>
// CHECK: %[[V34:.+]] = forge.strided_slice %[[V1]] dim 2 [0:2] : (tensor<2x1x6xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V35:.+]] = forge.multiply %[[V34]], %[[V23]] : tensor<2x1x2xf32>
// CHECK: %[[V36:.+]] = forge.strided_slice %[[V33]] dim 2 [0:2] : (tensor<2x1x8xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V37:.+]] = forge.add %[[V36]], %[[V35]] : tensor<2x1x2xf32>
// CHECK: %[[V38:.+]] = forge.sigmoid %[[V37]] : tensor<2x1x2xf32>
// CHECK: %[[V39:.+]] = forge.strided_slice %[[V1]] dim 2 [4:6] : (tensor<2x1x6xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V40:.+]] = forge.multiply %[[V39]], %[[V23]] : tensor<2x1x2xf32>
// CHECK: %[[V41:.+]] = forge.strided_slice %[[V33]] dim 2 [4:6] : (tensor<2x1x8xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V42:.+]] = forge.add %[[V41]], %[[V40]] : tensor<2x1x2xf32>
// CHECK: %[[V43:.+]] = forge.sigmoid %[[V42]] : tensor<2x1x2xf32>
// CHECK: %[[V44:.+]] = forge.strided_slice %[[V33]] dim 2 [6:8] : (tensor<2x1x8xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V45:.+]] = forge.tanh %[[V44]] : tensor<2x1x2xf32>
// CHECK: %[[V46:.+]] = forge.multiply %[[V38]], %[[V45]] : tensor<2x1x2xf32>
// CHECK: %[[V47:.+]] = forge.multiply %[[V43]], %[[V23]] : tensor<2x1x2xf32>
// CHECK: %[[V48:.+]] = forge.add %[[V47]], %[[V46]] : tensor<2x1x2xf32>
// CHECK: %[[V49:.+]] = forge.strided_slice %[[V1]] dim 2 [2:4] : (tensor<2x1x6xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V50:.+]] = forge.multiply %[[V49]], %[[V48]] : tensor<2x1x2xf32>
// CHECK: %[[V51:.+]] = forge.strided_slice %[[V33]] dim 2 [2:4] : (tensor<2x1x8xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V52:.+]] = forge.add %[[V51]], %[[V50]] : tensor<2x1x2xf32>
// CHECK: %[[V53:.+]] = forge.sigmoid %[[V52]] : tensor<2x1x2xf32>
// CHECK: %[[V54:.+]] = forge.tanh %[[V48]] : tensor<2x1x2xf32>
// CHECK: %[[V55:.+]] = forge.multiply %[[V53]], %[[V54]] : tensor<2x1x2xf32>
// CHECK: %[[V56:.+]] = forge.concatenate %[[V30]], %[[V55]] axis -3 : (tensor<2x1x2xf32>, tensor<2x1x2xf32>) -> tensor<4x1x2xf32>
// CHECK: %[[V57:.+]] = forge.strided_slice %[[V56]] dim 0 [0:3:2] : (tensor<4x1x2xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V58:.+]] = forge.concatenate %[[V55]], %[[V30]] axis -3 : (tensor<2x1x2xf32>, tensor<2x1x2xf32>) -> tensor<4x1x2xf32>
// CHECK: %[[V59:.+]] = forge.strided_slice %[[V58]] dim 0 [1:4:2] : (tensor<4x1x2xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V60:.+]] = forge.concatenate %[[V57]], %[[V59]] axis -1 : (tensor<2x1x2xf32>, tensor<2x1x2xf32>) -> tensor<2x1x4xf32>
// CHECK: %[[V61:.+]] = forge.reshape %[[V60]] shape [2, 1, 2, 2] : (tensor<2x1x4xf32>) -> tensor<2x1x2x2xf32>
// CHECK: %[[V62:.+]] = forge.transpose %[[V61]] dims -3, -2 : (tensor<2x1x2x2xf32>) -> tensor<2x2x1x2xf32>
// CHECK-NEXT: return %[[V62]] : tensor<2x2x1x2xf32>
func.func @bidirectional(%x: !torch.vtensor<[2,1,4],f32>, %w: !torch.vtensor<[2,8,4],f32>, %r: !torch.vtensor<[2,8,2],f32>, %h0: !torch.vtensor<[2,1,2],f32>, %c0: !torch.vtensor<[2,1,2],f32>, %p: !torch.vtensor<[2,6],f32>) -> (!torch.vtensor<[2,2,1,2],f32>) attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %none = torch.constant.none
  %y = torch.operator "onnx.LSTM"(%x, %w, %r, %none, %none, %h0, %c0, %p) {torch.onnx.direction = "bidirectional", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[2,1,4],f32>, !torch.vtensor<[2,8,4],f32>, !torch.vtensor<[2,8,2],f32>, !torch.none, !torch.none, !torch.vtensor<[2,1,2],f32>, !torch.vtensor<[2,1,2],f32>, !torch.vtensor<[2,6],f32>) -> !torch.vtensor<[2,2,1,2],f32>
  return %y : !torch.vtensor<[2,2,1,2],f32>
}
