// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @prompt(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 3, 2, 4] : (tensor<1x3x8xf32>) -> tensor<1x3x2x4xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.transpose %[[V0]] dims -3, -2 : (tensor<1x3x2x4xf32>) -> tensor<1x2x3x4xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.reshape %arg1 shape [1, 3, 1, 4] : (tensor<1x3x4xf32>) -> tensor<1x3x1x4xf32>
// CHECK-NEXT: %[[V3:.+]] = forge.transpose %[[V2]] dims -3, -2 : (tensor<1x3x1x4xf32>) -> tensor<1x1x3x4xf32>
// CHECK-NEXT: %[[V4:.+]] = forge.reshape %arg2 shape [1, 3, 1, 4] : (tensor<1x3x4xf32>) -> tensor<1x3x1x4xf32>
// CHECK-NEXT: %[[V5:.+]] = forge.transpose %[[V4]] dims -3, -2 : (tensor<1x3x1x4xf32>) -> tensor<1x1x3x4xf32>
// CHECK-NEXT: %[[V6:.+]] = forge.reshape %[[V3]] shape [1, 1, 1, 3, 4] : (tensor<1x1x3x4xf32>) -> tensor<1x1x1x3x4xf32>
// CHECK-NEXT: %[[V7:.+]] = forge.repeat %[[V6]] repeats [1, 1, 2, 1, 1] : (tensor<1x1x1x3x4xf32>) -> tensor<1x1x2x3x4xf32>
// CHECK-NEXT: %[[V8:.+]] = forge.reshape %[[V7]] shape [1, 2, 3, 4] : (tensor<1x1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
// CHECK-NEXT: %[[V9:.+]] = forge.constant dense<0.707106769> : tensor<f32>
// CHECK-NEXT: %[[V10:.+]] = forge.transpose %[[V8]] dims -2, -1 : (tensor<1x2x3x4xf32>) -> tensor<1x2x4x3xf32>
// CHECK-NEXT: %[[V11:.+]] = forge.multiply %[[V10]], %[[V9]] : (tensor<1x2x4x3xf32>, tensor<f32>) -> tensor<1x2x4x3xf32>
// CHECK-NEXT: %[[V12:.+]] = forge.multiply %[[V1]], %[[V9]] : (tensor<1x2x3x4xf32>, tensor<f32>) -> tensor<1x2x3x4xf32>
// CHECK-NEXT: %[[V13:.+]] = forge.matmul %[[V12]], %[[V11]] : (tensor<1x2x3x4xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x3x3xf32>
// CHECK-NEXT: %[[V14:.+]] = forge.constant dense<{{\[\[}}0.000000e+00, 0xFF800000, 0xFF800000], [0.000000e+00, 0.000000e+00, 0xFF800000], [0.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<3x3xf32>
// CHECK-NEXT: %[[V15:.+]] = forge.add %[[V13]], %[[V14]] : (tensor<1x2x3x3xf32>, tensor<3x3xf32>) -> tensor<1x2x3x3xf32>
// CHECK-NEXT: %[[V16:.+]] = forge.softmax %[[V15]] dim -1 stable : tensor<1x2x3x3xf32>
// CHECK-NEXT: %[[V17:.+]] = forge.reshape %[[V5]] shape [1, 1, 1, 3, 4] : (tensor<1x1x3x4xf32>) -> tensor<1x1x1x3x4xf32>
// CHECK-NEXT: %[[V18:.+]] = forge.repeat %[[V17]] repeats [1, 1, 2, 1, 1] : (tensor<1x1x1x3x4xf32>) -> tensor<1x1x2x3x4xf32>
// CHECK-NEXT: %[[V19:.+]] = forge.reshape %[[V18]] shape [1, 2, 3, 4] : (tensor<1x1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
// CHECK-NEXT: %[[V20:.+]] = forge.matmul %[[V16]], %[[V19]] : (tensor<1x2x3x3xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
// CHECK-NEXT: %[[V21:.+]] = forge.transpose %[[V20]] dims -3, -2 : (tensor<1x2x3x4xf32>) -> tensor<1x3x2x4xf32>
// CHECK-NEXT: %[[V22:.+]] = forge.reshape %[[V21]] shape [1, 3, 8] : (tensor<1x3x2x4xf32>) -> tensor<1x3x8xf32>
// CHECK-NEXT: return %[[V22]], %[[V3]], %[[V5]] : tensor<1x3x8xf32>, tensor<1x1x3x4xf32>, tensor<1x1x3x4xf32>
func.func @prompt(%x0: !torch.vtensor<[1,3,8],f32>, %x1: !torch.vtensor<[1,3,4],f32>, %x2: !torch.vtensor<[1,3,4],f32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  %x5 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<2> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %x6 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<3> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %out:3 = torch.operator "onnx.GroupQueryAttention"(%x0, %x1, %x2, %none, %none, %x5, %x6) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.kv_num_heads = 1 : si64} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,3,4],f32>, !torch.none, !torch.none, !torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>
}

// A step after three keys.
// CHECK-LABEL: func.func @rotary(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 1, 2, 4] : (tensor<1x1x8xf32>) -> tensor<1x1x2x4xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.transpose %[[V0]] dims -3, -2 : (tensor<1x1x2x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.reshape %arg1 shape [1, 1, 1, 4] : (tensor<1x1x4xf32>) -> tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[V3:.+]] = forge.transpose %[[V2]] dims -3, -2 : tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[V4:.+]] = forge.reshape %arg2 shape [1, 1, 1, 4] : (tensor<1x1x4xf32>) -> tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[V5:.+]] = forge.transpose %[[V4]] dims -3, -2 : tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[V6:.+]] = forge.strided_slice %arg5 dim 0 [3:4] : (tensor<8x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V7:.+]] = forge.reshape %[[V6]] shape [1, 1, 2] : (tensor<1x2xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V8:.+]] = forge.concatenate %[[V7]], %[[V7]] axis -1 : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x4xf32>
// CHECK-NEXT: %[[V9:.+]] = forge.strided_slice %arg6 dim 0 [3:4] : (tensor<8x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: %[[V10:.+]] = forge.reshape %[[V9]] shape [1, 1, 2] : (tensor<1x2xf32>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %[[V11:.+]] = forge.concatenate %[[V10]], %[[V10]] axis -1 : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x4xf32>
// CHECK-NEXT: %[[V12:.+]] = forge.constant dense<[-1.000000e+00, -1.000000e+00, 1.000000e+00, 1.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: %[[V13:.+]] = forge.multiply %[[V11]], %[[V12]] : (tensor<1x1x4xf32>, tensor<4xf32>) -> tensor<1x1x4xf32>
// CHECK-NEXT: %[[V14:.+]] = forge.reshape %[[V13]] shape [1, 1, 1, 4] : (tensor<1x1x4xf32>) -> tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[V15:.+]] = forge.strided_slice %[[V1]] dim 3 [2:4] : (tensor<1x2x1x4xf32>) -> tensor<1x2x1x2xf32>
// CHECK-NEXT: %[[V16:.+]] = forge.strided_slice %[[V1]] dim 3 [0:2] : (tensor<1x2x1x4xf32>) -> tensor<1x2x1x2xf32>
// CHECK-NEXT: %[[V17:.+]] = forge.concatenate %[[V15]], %[[V16]] axis -1 : (tensor<1x2x1x2xf32>, tensor<1x2x1x2xf32>) -> tensor<1x2x1x4xf32>
// CHECK-NEXT: %[[V18:.+]] = forge.multiply %[[V17]], %[[V14]] : (tensor<1x2x1x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK-NEXT: %[[V19:.+]] = forge.reshape %[[V8]] shape [1, 1, 1, 4] : (tensor<1x1x4xf32>) -> tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[V20:.+]] = forge.multiply %[[V1]], %[[V19]] : (tensor<1x2x1x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK-NEXT: %[[V21:.+]] = forge.add %[[V20]], %[[V18]] : tensor<1x2x1x4xf32>
// CHECK-NEXT: %[[V22:.+]] = forge.reshape %[[V13]] shape [1, 1, 1, 4] : (tensor<1x1x4xf32>) -> tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[V23:.+]] = forge.strided_slice %[[V3]] dim 3 [2:4] : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[V24:.+]] = forge.strided_slice %[[V3]] dim 3 [0:2] : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT: %[[V25:.+]] = forge.concatenate %[[V23]], %[[V24]] axis -1 : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[V26:.+]] = forge.multiply %[[V25]], %[[V22]] : tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[V27:.+]] = forge.reshape %[[V8]] shape [1, 1, 1, 4] : (tensor<1x1x4xf32>) -> tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[V28:.+]] = forge.multiply %[[V3]], %[[V27]] : tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[V29:.+]] = forge.add %[[V28]], %[[V26]] : tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[V30:.+]] = forge.concatenate %arg3, %[[V29]] axis -2 : (tensor<1x1x3x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x4x4xf32>
// CHECK-NEXT: %[[V31:.+]] = forge.concatenate %arg4, %[[V5]] axis -2 : (tensor<1x1x3x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x4x4xf32>
// CHECK-NEXT: %[[V32:.+]] = forge.reshape %[[V30]] shape [1, 1, 1, 4, 4] : (tensor<1x1x4x4xf32>) -> tensor<1x1x1x4x4xf32>
// CHECK-NEXT: %[[V33:.+]] = forge.repeat %[[V32]] repeats [1, 1, 2, 1, 1] : (tensor<1x1x1x4x4xf32>) -> tensor<1x1x2x4x4xf32>
// CHECK-NEXT: %[[V34:.+]] = forge.reshape %[[V33]] shape [1, 2, 4, 4] : (tensor<1x1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT: %[[V35:.+]] = forge.constant dense<0.707106769> : tensor<f32>
// CHECK-NEXT: %[[V36:.+]] = forge.transpose %[[V34]] dims -2, -1 : tensor<1x2x4x4xf32>
// CHECK-NEXT: %[[V37:.+]] = forge.multiply %[[V36]], %[[V35]] : (tensor<1x2x4x4xf32>, tensor<f32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT: %[[V38:.+]] = forge.multiply %[[V21]], %[[V35]] : (tensor<1x2x1x4xf32>, tensor<f32>) -> tensor<1x2x1x4xf32>
// CHECK-NEXT: %[[V39:.+]] = forge.matmul %[[V38]], %[[V37]] : (tensor<1x2x1x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK-NEXT: %[[V40:.+]] = forge.softmax %[[V39]] dim -1 stable : tensor<1x2x1x4xf32>
// CHECK-NEXT: %[[V41:.+]] = forge.reshape %[[V31]] shape [1, 1, 1, 4, 4] : (tensor<1x1x4x4xf32>) -> tensor<1x1x1x4x4xf32>
// CHECK-NEXT: %[[V42:.+]] = forge.repeat %[[V41]] repeats [1, 1, 2, 1, 1] : (tensor<1x1x1x4x4xf32>) -> tensor<1x1x2x4x4xf32>
// CHECK-NEXT: %[[V43:.+]] = forge.reshape %[[V42]] shape [1, 2, 4, 4] : (tensor<1x1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT: %[[V44:.+]] = forge.matmul %[[V40]], %[[V43]] : (tensor<1x2x1x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK-NEXT: %[[V45:.+]] = forge.transpose %[[V44]] dims -3, -2 : (tensor<1x2x1x4xf32>) -> tensor<1x1x2x4xf32>
// CHECK-NEXT: %[[V46:.+]] = forge.reshape %[[V45]] shape [1, 1, 8] : (tensor<1x1x2x4xf32>) -> tensor<1x1x8xf32>
// CHECK-NEXT: return %[[V46]], %[[V30]], %[[V31]] : tensor<1x1x8xf32>, tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>
func.func @rotary(%x0: !torch.vtensor<[1,1,8],f32>, %x1: !torch.vtensor<[1,1,4],f32>, %x2: !torch.vtensor<[1,1,4],f32>, %x3: !torch.vtensor<[1,1,3,4],f32>, %x4: !torch.vtensor<[1,1,3,4],f32>, %x7: !torch.vtensor<[8,2],f32>, %x8: !torch.vtensor<[8,2],f32>) -> (!torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %x5 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<3> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %x6 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<4> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %out:3 = torch.operator "onnx.GroupQueryAttention"(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.kv_num_heads = 1 : si64, torch.onnx.do_rotary = 1 : si64} : (!torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>, !torch.vtensor<[8,2],f32>, !torch.vtensor<[8,2],f32>) -> (!torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>
}

// Where the new key goes is known at run time.
// CHECK-LABEL: func.func @unknown_length(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 1, 2, 4] : (tensor<1x1x8xf32>) -> tensor<1x1x2x4xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.transpose %[[V0]] dims -3, -2 : (tensor<1x1x2x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.reshape %arg1 shape [1, 1, 1, 4] : (tensor<1x1x4xf32>) -> tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[V3:.+]] = forge.transpose %[[V2]] dims -3, -2 : tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[V4:.+]] = forge.reshape %arg2 shape [1, 1, 1, 4] : (tensor<1x1x4xf32>) -> tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[V5:.+]] = forge.transpose %[[V4]] dims -3, -2 : tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[V6:.+]] = forge.cast %arg5 dtype i64 : (tensor<1xi32>) -> tensor<1xi64>
// CHECK-NEXT: %[[V7:.+]] = forge.reshape %[[V6]] shape [1, 1, 1, 1] : (tensor<1xi64>) -> tensor<1x1x1x1xi64>
// CHECK-NEXT: %[[V8:.+]] = forge.constant dense<1> : tensor<i64>
// CHECK-NEXT: %[[V9:.+]] = forge.add %[[V7]], %[[V8]] : (tensor<1x1x1x1xi64>, tensor<i64>) -> tensor<1x1x1x1xi64>
// CHECK-NEXT: %[[V10:.+]] = forge.constant dense<1> : tensor<i64>
// CHECK-NEXT: %[[V11:.+]] = forge.subtract %[[V9]], %[[V10]] : (tensor<1x1x1x1xi64>, tensor<i64>) -> tensor<1x1x1x1xi64>
// CHECK-NEXT: %[[V12:.+]] = forge.constant dense<0.000000e+00> : tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[V13:.+]] = forge.concatenate %arg3, %[[V12]] axis -2 : (tensor<1x1x3x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x4x4xf32>
// CHECK-NEXT: %[[V14:.+]] = forge.constant dense<{{\[\[}}{{\[\[}}0], [1], [2], [3]]]]> : tensor<1x1x4x1xi64>
// CHECK-NEXT: %[[V15:.+]] = forge.less %[[V14]], %[[V11]] : (tensor<1x1x4x1xi64>, tensor<1x1x1x1xi64>) -> tensor<1x1x4x1xi64>
// CHECK-NEXT: %[[V16:.+]] = forge.cast %[[V15]] dtype i1 : (tensor<1x1x4x1xi64>) -> tensor<1x1x4x1xi1>
// CHECK-NEXT: %[[V17:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V18:.+]] = forge.where %[[V16]], %[[V13]], %[[V17]] : (tensor<1x1x4x1xi1>, tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
// CHECK-NEXT: %[[V19:.+]] = forge.constant dense<{{\[\[}}{{\[\[}}0], [1], [2], [3]]]]> : tensor<1x1x4x1xi64>
// CHECK-NEXT: %[[V20:.+]] = forge.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[V21:.+]] = forge.add %[[V11]], %[[V20]] : (tensor<1x1x1x1xi64>, tensor<i64>) -> tensor<1x1x1x1xi64>
// CHECK-NEXT: %[[V22:.+]] = forge.equal %[[V19]], %[[V21]] : (tensor<1x1x4x1xi64>, tensor<1x1x1x1xi64>) -> tensor<1x1x4x1xi64>
// CHECK-NEXT: %[[V23:.+]] = forge.cast %[[V22]] dtype i1 : (tensor<1x1x4x1xi64>) -> tensor<1x1x4x1xi1>
// CHECK-NEXT: %[[V24:.+]] = forge.where %[[V23]], %[[V3]], %[[V18]] : (tensor<1x1x4x1xi1>, tensor<1x1x1x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
// CHECK-NEXT: %[[V25:.+]] = forge.constant dense<0.000000e+00> : tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[V26:.+]] = forge.concatenate %arg4, %[[V25]] axis -2 : (tensor<1x1x3x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x4x4xf32>
// CHECK-NEXT: %[[V27:.+]] = forge.constant dense<{{\[\[}}{{\[\[}}0], [1], [2], [3]]]]> : tensor<1x1x4x1xi64>
// CHECK-NEXT: %[[V28:.+]] = forge.less %[[V27]], %[[V11]] : (tensor<1x1x4x1xi64>, tensor<1x1x1x1xi64>) -> tensor<1x1x4x1xi64>
// CHECK-NEXT: %[[V29:.+]] = forge.cast %[[V28]] dtype i1 : (tensor<1x1x4x1xi64>) -> tensor<1x1x4x1xi1>
// CHECK-NEXT: %[[V30:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V31:.+]] = forge.where %[[V29]], %[[V26]], %[[V30]] : (tensor<1x1x4x1xi1>, tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
// CHECK-NEXT: %[[V32:.+]] = forge.constant dense<{{\[\[}}{{\[\[}}0], [1], [2], [3]]]]> : tensor<1x1x4x1xi64>
// CHECK-NEXT: %[[V33:.+]] = forge.constant dense<0> : tensor<i64>
// CHECK-NEXT: %[[V34:.+]] = forge.add %[[V11]], %[[V33]] : (tensor<1x1x1x1xi64>, tensor<i64>) -> tensor<1x1x1x1xi64>
// CHECK-NEXT: %[[V35:.+]] = forge.equal %[[V32]], %[[V34]] : (tensor<1x1x4x1xi64>, tensor<1x1x1x1xi64>) -> tensor<1x1x4x1xi64>
// CHECK-NEXT: %[[V36:.+]] = forge.cast %[[V35]] dtype i1 : (tensor<1x1x4x1xi64>) -> tensor<1x1x4x1xi1>
// CHECK-NEXT: %[[V37:.+]] = forge.where %[[V36]], %[[V5]], %[[V31]] : (tensor<1x1x4x1xi1>, tensor<1x1x1x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
// CHECK-NEXT: %[[V38:.+]] = forge.reshape %[[V24]] shape [1, 1, 1, 4, 4] : (tensor<1x1x4x4xf32>) -> tensor<1x1x1x4x4xf32>
// CHECK-NEXT: %[[V39:.+]] = forge.repeat %[[V38]] repeats [1, 1, 2, 1, 1] : (tensor<1x1x1x4x4xf32>) -> tensor<1x1x2x4x4xf32>
// CHECK-NEXT: %[[V40:.+]] = forge.reshape %[[V39]] shape [1, 2, 4, 4] : (tensor<1x1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT: %[[V41:.+]] = forge.constant dense<0.707106769> : tensor<f32>
// CHECK-NEXT: %[[V42:.+]] = forge.transpose %[[V40]] dims -2, -1 : tensor<1x2x4x4xf32>
// CHECK-NEXT: %[[V43:.+]] = forge.multiply %[[V42]], %[[V41]] : (tensor<1x2x4x4xf32>, tensor<f32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT: %[[V44:.+]] = forge.multiply %[[V1]], %[[V41]] : (tensor<1x2x1x4xf32>, tensor<f32>) -> tensor<1x2x1x4xf32>
// CHECK-NEXT: %[[V45:.+]] = forge.matmul %[[V44]], %[[V43]] : (tensor<1x2x1x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK-NEXT: %[[V46:.+]] = forge.constant dense<0> : tensor<1x1x1x1xi64>
// CHECK-NEXT: %[[V47:.+]] = forge.add %[[V11]], %[[V46]] : tensor<1x1x1x1xi64>
// CHECK-NEXT: %[[V48:.+]] = forge.constant dense<{{\[\[}}{{\[\[}}0, 1, 2, 3]]]]> : tensor<1x1x1x4xi64>
// CHECK-NEXT: %[[V49:.+]] = forge.less %[[V48]], %[[V9]] : (tensor<1x1x1x4xi64>, tensor<1x1x1x1xi64>) -> tensor<1x1x1x4xi64>
// CHECK-NEXT: %[[V50:.+]] = forge.cast %[[V49]] dtype i1 : (tensor<1x1x1x4xi64>) -> tensor<1x1x1x4xi1>
// CHECK-NEXT: %[[V51:.+]] = forge.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[V52:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V53:.+]] = forge.where %[[V50]], %[[V52]], %[[V51]] : (tensor<1x1x1x4xi1>, tensor<f32>, tensor<f32>) -> tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[V54:.+]] = forge.less_equal %[[V48]], %[[V47]] : (tensor<1x1x1x4xi64>, tensor<1x1x1x1xi64>) -> tensor<1x1x1x4xi64>
// CHECK-NEXT: %[[V55:.+]] = forge.cast %[[V54]] dtype i1 : (tensor<1x1x1x4xi64>) -> tensor<1x1x1x4xi1>
// CHECK-NEXT: %[[V56:.+]] = forge.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[V57:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V58:.+]] = forge.where %[[V55]], %[[V57]], %[[V56]] : (tensor<1x1x1x4xi1>, tensor<f32>, tensor<f32>) -> tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[V59:.+]] = forge.add %[[V53]], %[[V58]] : tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[V60:.+]] = forge.constant dense<-1> : tensor<i64>
// CHECK-NEXT: %[[V61:.+]] = forge.add %[[V47]], %[[V60]] : (tensor<1x1x1x1xi64>, tensor<i64>) -> tensor<1x1x1x1xi64>
// CHECK-NEXT: %[[V62:.+]] = forge.greater_equal %[[V48]], %[[V61]] : (tensor<1x1x1x4xi64>, tensor<1x1x1x1xi64>) -> tensor<1x1x1x4xi64>
// CHECK-NEXT: %[[V63:.+]] = forge.cast %[[V62]] dtype i1 : (tensor<1x1x1x4xi64>) -> tensor<1x1x1x4xi1>
// CHECK-NEXT: %[[V64:.+]] = forge.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[V65:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V66:.+]] = forge.where %[[V63]], %[[V65]], %[[V64]] : (tensor<1x1x1x4xi1>, tensor<f32>, tensor<f32>) -> tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[V67:.+]] = forge.add %[[V59]], %[[V66]] : tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[V68:.+]] = forge.add %[[V45]], %[[V67]] : (tensor<1x2x1x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK-NEXT: %[[V69:.+]] = forge.softmax %[[V68]] dim -1 stable : tensor<1x2x1x4xf32>
// CHECK-NEXT: %[[V70:.+]] = forge.reduce_max %[[V67]] dim -1 keep_dim : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x1xf32>
// CHECK-NEXT: %[[V71:.+]] = forge.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[V72:.+]] = forge.equal %[[V70]], %[[V71]] : (tensor<1x1x1x1xf32>, tensor<f32>) -> tensor<1x1x1x1xf32>
// CHECK-NEXT: %[[V73:.+]] = forge.cast %[[V72]] dtype i1 : (tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xi1>
// CHECK-NEXT: %[[V74:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V75:.+]] = forge.where %[[V73]], %[[V74]], %[[V69]] : (tensor<1x1x1x1xi1>, tensor<f32>, tensor<1x2x1x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK-NEXT: %[[V76:.+]] = forge.reshape %[[V37]] shape [1, 1, 1, 4, 4] : (tensor<1x1x4x4xf32>) -> tensor<1x1x1x4x4xf32>
// CHECK-NEXT: %[[V77:.+]] = forge.repeat %[[V76]] repeats [1, 1, 2, 1, 1] : (tensor<1x1x1x4x4xf32>) -> tensor<1x1x2x4x4xf32>
// CHECK-NEXT: %[[V78:.+]] = forge.reshape %[[V77]] shape [1, 2, 4, 4] : (tensor<1x1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT: %[[V79:.+]] = forge.matmul %[[V75]], %[[V78]] : (tensor<1x2x1x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK-NEXT: %[[V80:.+]] = forge.transpose %[[V79]] dims -3, -2 : (tensor<1x2x1x4xf32>) -> tensor<1x1x2x4xf32>
// CHECK-NEXT: %[[V81:.+]] = forge.reshape %[[V80]] shape [1, 1, 8] : (tensor<1x1x2x4xf32>) -> tensor<1x1x8xf32>
// CHECK-NEXT: return %[[V81]], %[[V24]], %[[V37]] : tensor<1x1x8xf32>, tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>
func.func @unknown_length(%x0: !torch.vtensor<[1,1,8],f32>, %x1: !torch.vtensor<[1,1,4],f32>, %x2: !torch.vtensor<[1,1,4],f32>, %x3: !torch.vtensor<[1,1,3,4],f32>, %x4: !torch.vtensor<[1,1,3,4],f32>, %x5: !torch.vtensor<[1],si32>) -> (!torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %x6 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<4> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %out:3 = torch.operator "onnx.GroupQueryAttention"(%x0, %x1, %x2, %x3, %x4, %x5, %x6) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.kv_num_heads = 1 : si64, torch.onnx.local_window_size = 2 : si64} : (!torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>) -> (!torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>
}
