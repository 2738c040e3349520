// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// The steps are computed from the last to the first; steps beyond the sequence length leave the state unchanged.
// CHECK-LABEL: func.func @reverse(
// CHECK: %[[V0:.+]] = forge.constant dense<0.000000e+00> : tensor<1x1x2xf32>
// CHECK: %[[V1:.+]] = forge.reshape %arg4 shape [1, 1] : (tensor<1xi32>) -> tensor<1x1xi32>
// CHECK: %[[V2:.+]] = forge.reshape %arg2 shape [6, 2] : (tensor<1x6x2xf32>) -> tensor<6x2xf32>
// CHECK: %[[V3:.+]] = forge.transpose %[[V2]] dims -2, -1 : (tensor<6x2xf32>) -> tensor<2x6xf32>
// CHECK: %[[V4:.+]] = forge.reshape %arg1 shape [6, 3] : (tensor<1x6x3xf32>) -> tensor<6x3xf32>
// CHECK: %[[V5:.+]] = forge.transpose %[[V4]] dims -2, -1 : (tensor<6x3xf32>) -> tensor<3x6xf32>
// CHECK: %[[V6:.+]] = forge.matmul %arg0, %[[V5]] : (tensor<2x1x3xf32>, tensor<3x6xf32>) -> tensor<2x1x6xf32>
// CHECK: %[[V7:.+]] = forge.reshape %arg3 shape [12] : (tensor<1x12xf32>) -> tensor<12xf32>
// CHECK: %[[V8:.+]] = forge.strided_slice %[[V7]] dim 0 [0:6] : (tensor<12xf32>) -> tensor<6xf32>
// CHECK: %[[V9:.+]] = forge.strided_slice %[[V7]] dim 0 [6:12] : (tensor<12xf32>) -> tensor<6xf32>
// CHECK: %[[V10:.+]] = forge.add %[[V8]], %[[V9]] : tensor<6xf32>
// CHECK: %[[V11:.+]] = forge.add %[[V6]], %[[V10]] : (tensor<2x1x6xf32>, tensor<6xf32>) -> tensor<2x1x6xf32>
// CHECK: %[[V12:.+]] = forge.strided_slice %[[V11]] dim 2 [0:4] : (tensor<2x1x6xf32>) -> tensor<2x1x4xf32>
// CHECK: %[[V13:.+]] = forge.strided_slice %[[V11]] dim 2 [4:6] : (tensor<2x1x6xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V14:.+]] = forge.strided_slice %[[V12]] dim 0 [1:2] : (tensor<2x1x4xf32>) -> tensor<1x1x4xf32>
// CHECK: %[[V15:.+]] = forge.strided_slice %[[V13]] dim 0 [1:2] : (tensor<2x1x2xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V16:.+]] = forge.strided_slice %[[V3]] dim 1 [4:6] : (tensor<2x6xf32>) -> tensor<2x2xf32>
// CHECK: %[[V17:.+]] = forge.strided_slice %[[V3]] dim 1 [0:4] : (tensor<2x6xf32>) -> tensor<2x4xf32>
// CHECK: %[[V18:.+]] = forge.matmul %[[V0]], %[[V17]] : (tensor<1x1x2xf32>, tensor<2x4xf32>) -> tensor<1x1x4xf32>
// CHECK: %[[V19:.+]] = forge.add %[[V14]], %[[V18]] : tensor<1x1x4xf32>
// CHECK: %[[V20:.+]] = forge.sigmoid %[[V19]] : tensor<1x1x4xf32>
// CHECK: %[[V21:.+]] = forge.strided_slice %[[V20]] dim 2 [0:2] : (tensor<1x1x4xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V22:.+]] = forge.strided_slice %[[V20]] dim 2 [2:4] : (tensor<1x1x4xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V23:.+]] = forge.multiply %[[V22]], %[[V0]] : tensor<1x1x2xf32>
// CHECK: %[[V24:.+]] = forge.matmul %[[V23]], %[[V16]] : (tensor<1x1x2xf32>, tensor<2x2xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V25:.+]] = forge.add %[[V15]], %[[V24]] : tensor<1x1x2xf32>
// CHECK: %[[V26:.+]] = forge.tanh %[[V25]] : tensor<1x1x2xf32>
// CHECK: %[[V27:.+]] = forge.subtract %[[V0]], %[[V26]] : tensor<1x1x2xf32>
// CHECK: %[[V28:.+]] = forge.multiply %[[V21]], %[[V27]] : tensor<1x1x2xf32>
// CHECK: %[[V29:.+]] = forge.add %[[V26]], %[[V28]] : tensor<1x1x2xf32>
// CHECK: %[[V30:.+]] = forge.constant dense<1> : tensor<1x1x1xi32>
// CHECK: %[[V31:.+]] = forge.greater %[[V1]], %[[V30]] : (tensor<1x1xi32>, tensor<1x1x1xi32>) -> tensor<1x1x1xi32>
// CHECK: %[[V32:.+]] = forge.cast %[[V31]] dtype i1 : (tensor<1x1x1xi32>) -> tensor<1x1x1xi1>
// CHECK: %[[V33:.+]] = forge.where %[[V32]], %[[V29]], %[[V0]] : (tensor<1x1x1xi1>, tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V34:.+]] = forge.strided_slice %[[V12]] dim 0 [0:1] : (tensor<2x1x4xf32>) -> tensor<1x1x4xf32>
// CHECK: %[[V35:.+]] = forge.strided_slice %[[V13]] dim 0 [0:1] : (tensor<2x1x2xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V36:.+]] = forge.strided_slice %[[V3]] dim 1 [4:6] : (tensor<2x6xf32>) -> tensor<2x2xf32>
// CHECK: %[[V37:.+]] = forge.strided_slice %[[V3]] dim 1 [0:4] : (tensor<2x6xf32>) -> tensor<2x4xf32>
// CHECK: %[[V38:.+]] = forge.matmul %[[V33]], %[[V37]] : (tensor<1x1x2xf32>, tensor<2x4xf32>) -> tensor<1x1x4xf32>
// CHECK: %[[V39:.+]] = forge.add %[[V34]], %[[V38]] : tensor<1x1x4xf32>
// CHECK: %[[V40:.+]] = forge.sigmoid %[[V39]] : tensor<1x1x4xf32>
// CHECK: %[[V41:.+]] = forge.strided_slice %[[V40]] dim 2 [0:2] : (tensor<1x1x4xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V42:.+]] = forge.strided_slice %[[V40]] dim 2 [2:4] : (tensor<1x1x4xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V43:.+]] = forge.multiply %[[V42]], %[[V33]] : tensor<1x1x2xf32>
// CHECK: %[[V44:.+]] = forge.matmul %[[V43]], %[[V36]] : (tensor<1x1x2xf32>, tensor<2x2xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V45:.+]] = forge.add %[[V35]], %[[V44]] : tensor<1x1x2xf32>
// CHECK: %[[V46:.+]] = forge.tanh %[[V45]] : tensor<1x1x2xf32>
// CHECK: %[[V47:.+]] = forge.subtract %[[V33]], %[[V46]] : tensor<1x1x2xf32>
// CHECK: %[[V48:.+]] = forge.multiply %[[V41]], %[[V47]] : tensor<1x1x2xf32>
// CHECK: %[[V49:.+]] = forge.add %[[V46]], %[[V48]] : tensor<1x1x2xf32>
// CHECK: %[[V50:.+]] = forge.constant dense<0> : tensor<1x1x1xi32>
// CHECK: %[[V51:.+]] = forge.greater %[[V1]], %[[V50]] : (tensor<1x1xi32>, tensor<1x1x1xi32>) -> tensor<1x1x1xi32>
// CHECK: %[[V52:.+]] = forge.cast %[[V51]] dtype i1 : (tensor<1x1x1xi32>) -> tensor<1x1x1xi1>
// CHECK: %[[V53:.+]] = forge.where %[[V52]], %[[V49]], %[[V33]] : (tensor<1x1x1xi1>, tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V54:.+]] = forge.concatenate %[[V53]], %[[V33]] axis -3 : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V55:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V56:.+]] = forge.constant dense<{{\[\[\[0\]\], \[\[1\]\]\]}}> : tensor<2x1x1xi32>
// CHECK: %[[V57:.+]] = forge.greater %[[V1]], %[[V56]] : (tensor<1x1xi32>, tensor<2x1x1xi32>) -> tensor<2x1x1xi32>
// CHECK: %[[V58:.+]] = forge.cast %[[V57]] dtype i1 : (tensor<2x1x1xi32>) -> tensor<2x1x1xi1>
// CHECK: %[[V59:.+]] = forge.where %[[V58]], %[[V54]], %[[V55]] : (tensor<2x1x1xi1>, tensor<2x1x2xf32>, tensor<f32>) -> tensor<2x1x2xf32>
// CHECK: %[[V60:.+]] = forge.reshape %[[V59]] shape [2, 1, 1, 2] : (tensor<2x1x2xf32>) -> tensor<2x1x1x2xf32>
// CHECK-NEXT: return %[[V60]] : tensor<2x1x1x2xf32>
func.func @reverse(%x: !torch.vtensor<[2,1,3],f32>, %w: !torch.vtensor<[1,6,3],f32>, %r: !torch.vtensor<[1,6,2],f32>, %c: !torch.vtensor<[1,12],f32>, %l: !torch.vtensor<[1],si32>) -> (!torch.vtensor<[2,1,1,2],f32>) attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %out = torch.operator "onnx.GRU"(%x, %w, %r, %c, %l) {torch.onnx.direction = "reverse", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[2,1,3],f32>, !torch.vtensor<[1,6,3],f32>, !torch.vtensor<[1,6,2],f32>, !torch.vtensor<[1,12],f32>, !torch.vtensor<[1],si32>) -> !torch.vtensor<[2,1,1,2],f32>
  return %out : !torch.vtensor<[2,1,1,2],f32>
}

// With linear_before_reset, one product of the state gives gates and candidate. The candidate's recurrent bias is
// concatenated to the inputs of the gates, so that both need one addition; the candidate's inputs are added after the
// reset gate.
// CHECK-LABEL: func.func @bidirectional(
// CHECK: %[[V0:.+]] = forge.constant dense<0.000000e+00> : tensor<2x1x2xf32>
// CHECK: %[[V1:.+]] = forge.transpose %arg2 dims -2, -1 : (tensor<2x6x2xf32>) -> tensor<2x2x6xf32>
// CHECK: %[[V2:.+]] = forge.reshape %arg0 shape [1, 2, 4] : (tensor<2x1x4xf32>) -> tensor<1x2x4xf32>
// CHECK: %[[V3:.+]] = forge.transpose %arg1 dims -2, -1 : (tensor<2x6x4xf32>) -> tensor<2x4x6xf32>
// CHECK: %[[V4:.+]] = forge.matmul %[[V2]], %[[V3]] : (tensor<1x2x4xf32>, tensor<2x4x6xf32>) -> tensor<2x2x6xf32>
// CHECK: %[[V5:.+]] = forge.reshape %arg3 shape [2, 1, 12] : (tensor<2x12xf32>) -> tensor<2x1x12xf32>
// CHECK: %[[V6:.+]] = forge.strided_slice %[[V5]] dim 2 [0:6] : (tensor<2x1x12xf32>) -> tensor<2x1x6xf32>
// CHECK: %[[V7:.+]] = forge.strided_slice %[[V5]] dim 2 [6:12] : (tensor<2x1x12xf32>) -> tensor<2x1x6xf32>
// CHECK: %[[V8:.+]] = forge.constant dense<0.000000e+00> : tensor<2x1x2xf32>
// CHECK: %[[V9:.+]] = forge.strided_slice %[[V7]] dim 2 [0:4] : (tensor<2x1x6xf32>) -> tensor<2x1x4xf32>
// CHECK: %[[V10:.+]] = forge.concatenate %[[V9]], %[[V8]] axis -1 : (tensor<2x1x4xf32>, tensor<2x1x2xf32>) -> tensor<2x1x6xf32>
// CHECK: %[[V11:.+]] = forge.add %[[V6]], %[[V10]] : tensor<2x1x6xf32>
// CHECK: %[[V12:.+]] = forge.strided_slice %[[V7]] dim 2 [4:6] : (tensor<2x1x6xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V13:.+]] = forge.add %[[V4]], %[[V11]] : (tensor<2x2x6xf32>, tensor<2x1x6xf32>) -> tensor<2x2x6xf32>
// CHECK: %[[V14:.+]] = forge.reshape %[[V13]] shape [4, 1, 6] : (tensor<2x2x6xf32>) -> tensor<4x1x6xf32>
// CHECK: %[[V15:.+]] = forge.strided_slice %[[V14]] dim 2 [0:4] : (tensor<4x1x6xf32>) -> tensor<4x1x4xf32>
// CHECK: %[[V16:.+]] = forge.strided_slice %[[V14]] dim 2 [4:6] : (tensor<4x1x6xf32>) -> tensor<4x1x2xf32>
// CHECK: %[[V17:.+]] = forge.repeat %[[V12]] repeats [1, 2, 1] : (tensor<2x1x2xf32>) -> tensor<2x2x2xf32>
// CHECK: %[[V18:.+]] = forge.reshape %[[V17]] shape [4, 1, 2] : (tensor<2x2x2xf32>) -> tensor<4x1x2xf32>
// CHECK: %[[V19:.+]] = forge.concatenate %[[V15]], %[[V18]] axis -1 : (tensor<4x1x4xf32>, tensor<4x1x2xf32>) -> tensor<4x1x6xf32>
// CHECK: %[[V20:.+]] = forge.strided_slice %[[V19]] dim 0 [0:4:3] : (tensor<4x1x6xf32>) -> tensor<2x1x6xf32>
// CHECK: %[[V21:.+]] = forge.strided_slice %[[V16]] dim 0 [0:4:3] : (tensor<4x1x2xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V22:.+]] = forge.matmul %[[V0]], %[[V1]] : (tensor<2x1x2xf32>, tensor<2x2x6xf32>) -> tensor<2x1x6xf32>
// CHECK: %[[V23:.+]] = forge.add %[[V20]], %[[V22]] : tensor<2x1x6xf32>
// CHECK: %[[V24:.+]] = forge.sigmoid %[[V23]] : tensor<2x1x6xf32>
// CHECK: %[[V25:.+]] = forge.strided_slice %[[V24]] dim 2 [0:2] : (tensor<2x1x6xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V26:.+]] = forge.strided_slice %[[V24]] dim 2 [2:4] : (tensor<2x1x6xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V27:.+]] = forge.strided_slice %[[V23]] dim 2 [4:6] : (tensor<2x1x6xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V28:.+]] = forge.multiply %[[V26]], %[[V27]] : tensor<2x1x2xf32>
// CHECK: %[[V29:.+]] = forge.add %[[V21]], %[[V28]] : tensor<2x1x2xf32>
// CHECK: %[[V30:.+]] = forge.tanh %[[V29]] : tensor<2x1x2xf32>
// CHECK: %[[V31:.+]] = forge.subtract %[[V0]], %[[V30]] : tensor<2x1x2xf32>
// CHECK: %[[V32:.+]] = forge.multiply %[[V25]], %[[V31]] : tensor<2x1x2xf32>
// CHECK: %[[V33:.+]] = forge.add %[[V30]], %[[V32]] : tensor<2x1x2xf32>
// CHECK: %[[V34:.+]] = forge.strided_slice %[[V19]] dim 0 [1:3] : (tensor<4x1x6xf32>) -> tensor<2x1x6xf32>
// CHECK: %[[V35:.+]] = forge.strided_slice %[[V16]] dim 0 [1:3] : (tensor<4x1x2xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V36:.+]] = forge.matmul %[[V33]], %[[V1]] : (tensor<2x1x2xf32>, tensor<2x2x6xf32>) -> tensor<2x1x6xf32>
// CHECK: %[[V37:.+]] = forge.add %[[V34]], %[[V36]] : tensor<2x1x6xf32>
// CHECK: %[[V38:.+]] = forge.sigmoid %[[V37]] : tensor<2x1x6xf32>
// CHECK: %[[V39:.+]] = forge.strided_slice %[[V38]] dim 2 [0:2] : (tensor<2x1x6xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V40:.+]] = forge.strided_slice %[[V38]] dim 2 [2:4] : (tensor<2x1x6xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V41:.+]] = forge.strided_slice %[[V37]] dim 2 [4:6] : (tensor<2x1x6xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V42:.+]] = forge.multiply %[[V40]], %[[V41]] : tensor<2x1x2xf32>
// CHECK: %[[V43:.+]] = forge.add %[[V35]], %[[V42]] : tensor<2x1x2xf32>
// CHECK: %[[V44:.+]] = forge.tanh %[[V43]] : tensor<2x1x2xf32>
// CHECK: %[[V45:.+]] = forge.subtract %[[V33]], %[[V44]] : tensor<2x1x2xf32>
// CHECK: %[[V46:.+]] = forge.multiply %[[V39]], %[[V45]] : tensor<2x1x2xf32>
// CHECK: %[[V47:.+]] = forge.add %[[V44]], %[[V46]] : tensor<2x1x2xf32>
// CHECK-NEXT: return %[[V47]] : tensor<2x1x2xf32>
func.func @bidirectional(%x: !torch.vtensor<[2,1,4],f32>, %w: !torch.vtensor<[2,6,4],f32>, %r: !torch.vtensor<[2,6,2],f32>, %c: !torch.vtensor<[2,12],f32>) -> (!torch.vtensor<[2,1,2],f32>) attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %y, %h = torch.operator "onnx.GRU"(%x, %w, %r, %c) {torch.onnx.direction = "bidirectional", torch.onnx.hidden_size = 2 : si64, torch.onnx.linear_before_reset = 1 : si64} : (!torch.vtensor<[2,1,4],f32>, !torch.vtensor<[2,6,4],f32>, !torch.vtensor<[2,6,2],f32>, !torch.vtensor<[2,12],f32>) -> (!torch.vtensor<[2,2,1,2],f32>, !torch.vtensor<[2,1,2],f32>)
  return %h : !torch.vtensor<[2,1,2],f32>
}
