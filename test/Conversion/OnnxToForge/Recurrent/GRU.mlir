// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// From the last step to the first; steps beyond the length change nothing.
// CHECK-LABEL: func.func @reverse(
// CHECK: %[[V0:.+]] = forge.reshape %arg4 {shape = array<i64: 1, 1>} : (tensor<1xi32>) -> tensor<1x1xi32>
// CHECK-NEXT: %[[V1:.+]] = forge.reshape %arg2 {shape = array<i64: 6, 2>} : (tensor<1x6x2xf32>) -> tensor<6x2xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.transpose %[[V1]] {dim0 = -2 : i64, dim1 = -1 : i64} : (tensor<6x2xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: %[[V3:.+]] = forge.reshape %arg0 {shape = array<i64: 2, 3>} : (tensor<2x1x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[V4:.+]] = forge.reshape %arg1 {shape = array<i64: 6, 3>} : (tensor<1x6x3xf32>) -> tensor<6x3xf32>
// CHECK-NEXT: %[[V5:.+]] = forge.transpose %[[V4]] {dim0 = -2 : i64, dim1 = -1 : i64} : (tensor<6x3xf32>) -> tensor<3x6xf32>
// CHECK-NEXT: %[[V6:.+]] = forge.matmul %[[V3]], %[[V5]] : (tensor<2x3xf32>, tensor<3x6xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: %[[V7:.+]] = forge.reshape %arg3 {shape = array<i64: 12>} : (tensor<1x12xf32>) -> tensor<12xf32>
// CHECK-NEXT: %[[V8:.+]] = forge.strided_slice %[[V7]] {axes = array<i64: 0>, begin = array<i64: 6>, end = array<i64: 12>, strides = array<i64: 1>} : (tensor<12xf32>) -> tensor<6xf32>
// CHECK-NEXT: %[[V9:.+]] = forge.strided_slice %[[V7]] {axes = array<i64: 0>, begin = array<i64: 0>, end = array<i64: 6>, strides = array<i64: 1>} : (tensor<12xf32>) -> tensor<6xf32>
// CHECK-NEXT: %[[V10:.+]] = forge.add %[[V6]], %[[V9]] : (tensor<2x6xf32>, tensor<6xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: %[[V11:.+]] = forge.constant dense<0.000000e+00> : tensor<2xf32>
// CHECK-NEXT: %[[V12:.+]] = forge.strided_slice %[[V8]] {axes = array<i64: 0>, begin = array<i64: 0>, end = array<i64: 4>, strides = array<i64: 1>} : (tensor<6xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[V13:.+]] = forge.concatenate %[[V12]], %[[V11]] {axis = -1 : i64} : (tensor<4xf32>, tensor<2xf32>) -> tensor<6xf32>
// CHECK-NEXT: %[[V14:.+]] = forge.add %[[V10]], %[[V13]] : (tensor<2x6xf32>, tensor<6xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: %[[V15:.+]] = forge.reshape %[[V14]] {shape = array<i64: 2, 1, 6>} : (tensor<2x6xf32>) -> tensor<2x1x6xf32>
// CHECK-NEXT: %[[V16:.+]] = forge.constant dense<0.000000e+00> : tensor<1x2xf32>
// CHECK-NEXT: %[[V17:.+]] = forge.strided_slice %[[V15]] {axes = array<i64: 0>, begin = array<i64: 1>, end = array<i64: 2>, strides = array<i64: 1>} : (tensor<2x1x6xf32>) -> tensor<1x1x6xf32>
// CHECK-NEXT: %[[V18:.+]] = forge.reshape %[[V17]] {shape = array<i64: 1, 6>} : (tensor<1x1x6xf32>) -> tensor<1x6xf32>
// CHECK-NEXT: %[[V19:.+]] = forge.strided_slice %[[V2]] {axes = array<i64: 1>, begin = array<i64: 0>, end = array<i64: 4>, strides = array<i64: 1>} : (tensor<2x6xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[V20:.+]] = forge.matmul %[[V16]], %[[V19]] : (tensor<1x2xf32>, tensor<2x4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: %[[V21:.+]] = forge.strided_slice %[[V2]] {axes = array<i64: 1>, begin = array<i64: 4>, end = array<i64: 6>, strides = array<i64: 1>} : (tensor<2x6xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %[[V22:.+]] = forge.strided_slice %[[V8]] {axes = array<i64: 0>, begin = array<i64: 4>, end = array<i64: 6>, strides = array<i64: 1>} : (tensor<6xf32>) -> tensor<2xf32>
// CHECK-NEXT: %[[V23:.+]] = forge.strided_slice %[[V20]] {axes = array<i64: 1>, begin = array<i64: 0>, end = array<i64: 2>, strides = array<i64: 1>} : (tensor<1x4xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V24:.+]] = forge.strided_slice %[[V18]] {axes = array<i64: 1>, begin = array<i64: 0>, end = array<i64: 2>, strides = array<i64: 1>} : (tensor<1x6xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V25:.+]] = forge.add %[[V24]], %[[V23]] : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V26:.+]] = forge.sigmoid %[[V25]] : (tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V27:.+]] = forge.strided_slice %[[V20]] {axes = array<i64: 1>, begin = array<i64: 2>, end = array<i64: 4>, strides = array<i64: 1>} : (tensor<1x4xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V28:.+]] = forge.strided_slice %[[V18]] {axes = array<i64: 1>, begin = array<i64: 2>, end = array<i64: 4>, strides = array<i64: 1>} : (tensor<1x6xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V29:.+]] = forge.add %[[V28]], %[[V27]] : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V30:.+]] = forge.sigmoid %[[V29]] : (tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V31:.+]] = forge.multiply %[[V30]], %[[V16]] : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V32:.+]] = forge.matmul %[[V31]], %[[V21]] : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V33:.+]] = forge.add %[[V32]], %[[V22]] : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V34:.+]] = forge.strided_slice %[[V18]] {axes = array<i64: 1>, begin = array<i64: 4>, end = array<i64: 6>, strides = array<i64: 1>} : (tensor<1x6xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V35:.+]] = forge.add %[[V34]], %[[V33]] : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V36:.+]] = forge.tanh %[[V35]] : (tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V37:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V38:.+]] = forge.subtract %[[V37]], %[[V26]] : (tensor<f32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V39:.+]] = forge.multiply %[[V38]], %[[V36]] : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V40:.+]] = forge.multiply %[[V26]], %[[V16]] : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V41:.+]] = forge.add %[[V39]], %[[V40]] : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V42:.+]] = forge.constant dense<1> : tensor<i32>
// CHECK-NEXT: %[[V43:.+]] = forge.greater %[[V0]], %[[V42]] : (tensor<1x1xi32>, tensor<i32>) -> tensor<1x1xi32>
// CHECK-NEXT: %[[V44:.+]] = forge.cast %[[V43]] {dtype = i1} : (tensor<1x1xi32>) -> tensor<1x1xi1>
// CHECK-NEXT: %[[V45:.+]] = forge.where %[[V44]], %[[V41]], %[[V16]] : (tensor<1x1xi1>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V46:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V47:.+]] = forge.where %[[V44]], %[[V41]], %[[V46]] : (tensor<1x1xi1>, tensor<1x2xf32>, tensor<f32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V48:.+]] = forge.reshape %[[V47]] {shape = array<i64: 1, 1, 2>} : (tensor<1x2xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V49:.+]] = forge.strided_slice %[[V15]] {axes = array<i64: 0>, begin = array<i64: 0>, end = array<i64: 1>, strides = array<i64: 1>} : (tensor<2x1x6xf32>) -> tensor<1x1x6xf32>
// CHECK-NEXT: %[[V50:.+]] = forge.reshape %[[V49]] {shape = array<i64: 1, 6>} : (tensor<1x1x6xf32>) -> tensor<1x6xf32>
// CHECK-NEXT: %[[V51:.+]] = forge.strided_slice %[[V2]] {axes = array<i64: 1>, begin = array<i64: 0>, end = array<i64: 4>, strides = array<i64: 1>} : (tensor<2x6xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[V52:.+]] = forge.matmul %[[V45]], %[[V51]] : (tensor<1x2xf32>, tensor<2x4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: %[[V53:.+]] = forge.strided_slice %[[V2]] {axes = array<i64: 1>, begin = array<i64: 4>, end = array<i64: 6>, strides = array<i64: 1>} : (tensor<2x6xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %[[V54:.+]] = forge.strided_slice %[[V8]] {axes = array<i64: 0>, begin = array<i64: 4>, end = array<i64: 6>, strides = array<i64: 1>} : (tensor<6xf32>) -> tensor<2xf32>
// CHECK-NEXT: %[[V55:.+]] = forge.strided_slice %[[V52]] {axes = array<i64: 1>, begin = array<i64: 0>, end = array<i64: 2>, strides = array<i64: 1>} : (tensor<1x4xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V56:.+]] = forge.strided_slice %[[V50]] {axes = array<i64: 1>, begin = array<i64: 0>, end = array<i64: 2>, strides = array<i64: 1>} : (tensor<1x6xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V57:.+]] = forge.add %[[V56]], %[[V55]] : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V58:.+]] = forge.sigmoid %[[V57]] : (tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V59:.+]] = forge.strided_slice %[[V52]] {axes = array<i64: 1>, begin = array<i64: 2>, end = array<i64: 4>, strides = array<i64: 1>} : (tensor<1x4xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V60:.+]] = forge.strided_slice %[[V50]] {axes = array<i64: 1>, begin = array<i64: 2>, end = array<i64: 4>, strides = array<i64: 1>} : (tensor<1x6xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V61:.+]] = forge.add %[[V60]], %[[V59]] : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V62:.+]] = forge.sigmoid %[[V61]] : (tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V63:.+]] = forge.multiply %[[V62]], %[[V45]] : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V64:.+]] = forge.matmul %[[V63]], %[[V53]] : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V65:.+]] = forge.add %[[V64]], %[[V54]] : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V66:.+]] = forge.strided_slice %[[V50]] {axes = array<i64: 1>, begin = array<i64: 4>, end = array<i64: 6>, strides = array<i64: 1>} : (tensor<1x6xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V67:.+]] = forge.add %[[V66]], %[[V65]] : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V68:.+]] = forge.tanh %[[V67]] : (tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V69:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V70:.+]] = forge.subtract %[[V69]], %[[V58]] : (tensor<f32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V71:.+]] = forge.multiply %[[V70]], %[[V68]] : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V72:.+]] = forge.multiply %[[V58]], %[[V45]] : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V73:.+]] = forge.add %[[V71]], %[[V72]] : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V74:.+]] = forge.constant dense<0> : tensor<i32>
// CHECK-NEXT: %[[V75:.+]] = forge.greater %[[V0]], %[[V74]] : (tensor<1x1xi32>, tensor<i32>) -> tensor<1x1xi32>
// CHECK-NEXT: %[[V76:.+]] = forge.cast %[[V75]] {dtype = i1} : (tensor<1x1xi32>) -> tensor<1x1xi1>
// CHECK-NEXT: %[[V77:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V78:.+]] = forge.where %[[V76]], %[[V73]], %[[V77]] : (tensor<1x1xi1>, tensor<1x2xf32>, tensor<f32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V79:.+]] = forge.reshape %[[V78]] {shape = array<i64: 1, 1, 2>} : (tensor<1x2xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V80:.+]] = forge.concatenate %[[V79]], %[[V48]] {axis = -3 : i64} : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<2x1x2xf32>
// CHECK-NEXT: %[[V81:.+]] = forge.reshape %[[V80]] {shape = array<i64: 2, 1, 1, 2>} : (tensor<2x1x2xf32>) -> tensor<2x1x1x2xf32>
// CHECK-NEXT: return %[[V81]] : tensor<2x1x1x2xf32>
func.func @reverse(%x: !torch.vtensor<[2,1,3],f32>, %w: !torch.vtensor<[1,6,3],f32>, %r: !torch.vtensor<[1,6,2],f32>, %c: !torch.vtensor<[1,12],f32>, %l: !torch.vtensor<[1],si32>) -> (!torch.vtensor<[2,1,1,2],f32>) attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %out = torch.operator "onnx.GRU"(%x, %w, %r, %c, %l) {torch.onnx.direction = "reverse", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[2,1,3],f32>, !torch.vtensor<[1,6,3],f32>, !torch.vtensor<[1,6,2],f32>, !torch.vtensor<[1,12],f32>, !torch.vtensor<[1],si32>) -> !torch.vtensor<[2,1,1,2],f32>
  return %out : !torch.vtensor<[2,1,1,2],f32>
}
