// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @prompt(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 3, 2, 4] : (tensor<1x3x8xf32>) -> tensor<1x3x2x4xf32>
// CHECK: %[[V1:.+]] = forge.transpose %[[V0]] dims -3, -2 : (tensor<1x3x2x4xf32>) -> tensor<1x2x3x4xf32>
// CHECK: %[[V2:.+]] = forge.reshape %arg1 shape [1, 3, 1, 4] : (tensor<1x3x4xf32>) -> tensor<1x3x1x4xf32>
// CHECK: %[[V3:.+]] = forge.transpose %[[V2]] dims -3, -2 : (tensor<1x3x1x4xf32>) -> tensor<1x1x3x4xf32>
// CHECK: %[[V4:.+]] = forge.reshape %arg2 shape [1, 3, 1, 4] : (tensor<1x3x4xf32>) -> tensor<1x3x1x4xf32>
// CHECK: %[[V5:.+]] = forge.transpose %[[V4]] dims -3, -2 : (tensor<1x3x1x4xf32>) -> tensor<1x1x3x4xf32>
// CHECK: %[[V6:.+]] = forge.reshape %[[V3]] shape [1, 1, 1, 3, 4] : (tensor<1x1x3x4xf32>) -> tensor<1x1x1x3x4xf32>
// CHECK: %[[V7:.+]] = forge.repeat %[[V6]] repeats [1, 1, 2, 1, 1] : (tensor<1x1x1x3x4xf32>) -> tensor<1x1x2x3x4xf32>
// CHECK: %[[V8:.+]] = forge.reshape %[[V7]] shape [1, 2, 3, 4] : (tensor<1x1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
// CHECK: %[[V9:.+]] = forge.constant dense<5.000000e-01> : tensor<f32>
// CHECK: %[[V10:.+]] = forge.multiply %[[V1]], %[[V9]] : (tensor<1x2x3x4xf32>, tensor<f32>) -> tensor<1x2x3x4xf32>
// CHECK: %[[V11:.+]] = forge.transpose %[[V8]] dims -2, -1 : (tensor<1x2x3x4xf32>) -> tensor<1x2x4x3xf32>
// CHECK: %[[V12:.+]] = forge.matmul %[[V10]], %[[V11]] : (tensor<1x2x3x4xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x3x3xf32>
// CHECK: %[[V13:.+]] = forge.constant dense<{{\[\[}}0.000000e+00, 0xFF800000, 0xFF800000], [0.000000e+00, 0.000000e+00, 0xFF800000], [0.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<3x3xf32>
// CHECK: %[[V14:.+]] = forge.add %[[V12]], %[[V13]] : (tensor<1x2x3x3xf32>, tensor<3x3xf32>) -> tensor<1x2x3x3xf32>
// CHECK: %[[V15:.+]] = forge.softmax %[[V14]] dim -1 stable : tensor<1x2x3x3xf32>
// CHECK: %[[V16:.+]] = forge.reshape %[[V5]] shape [1, 1, 1, 3, 4] : (tensor<1x1x3x4xf32>) -> tensor<1x1x1x3x4xf32>
// CHECK: %[[V17:.+]] = forge.repeat %[[V16]] repeats [1, 1, 2, 1, 1] : (tensor<1x1x1x3x4xf32>) -> tensor<1x1x2x3x4xf32>
// CHECK: %[[V18:.+]] = forge.reshape %[[V17]] shape [1, 2, 3, 4] : (tensor<1x1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
// CHECK: %[[V19:.+]] = forge.matmul %[[V15]], %[[V18]] : (tensor<1x2x3x3xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
// CHECK: %[[V20:.+]] = forge.transpose %[[V19]] dims -3, -2 : (tensor<1x2x3x4xf32>) -> tensor<1x3x2x4xf32>
// CHECK: %[[V21:.+]] = forge.reshape %[[V20]] shape [1, 3, 8] : (tensor<1x3x2x4xf32>) -> tensor<1x3x8xf32>
// CHECK: return %[[V21]], %[[V3]], %[[V5]] : tensor<1x3x8xf32>, tensor<1x1x3x4xf32>, tensor<1x1x3x4xf32>
func.func @prompt(%x0: !torch.vtensor<[1,3,8],f32>, %x1: !torch.vtensor<[1,3,4],f32>, %x2: !torch.vtensor<[1,3,4],f32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  %x5 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<2> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %x6 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<3> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %out:3 = torch.operator "onnx.GroupQueryAttention"(%x0, %x1, %x2, %none, %none, %x5, %x6) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.kv_num_heads = 1 : si64} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,3,4],f32>, !torch.none, !torch.none, !torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>
}

// A decoding step after three cached keys.
// CHECK-LABEL: func.func @rotary(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 1, 2, 4] : (tensor<1x1x8xf32>) -> tensor<1x1x2x4xf32>
// CHECK: %[[V1:.+]] = forge.transpose %[[V0]] dims -3, -2 : (tensor<1x1x2x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK: %[[V2:.+]] = forge.reshape %arg1 shape [1, 1, 1, 4] : (tensor<1x1x4xf32>) -> tensor<1x1x1x4xf32>
// CHECK: %[[V3:.+]] = forge.transpose %[[V2]] dims -3, -2 : tensor<1x1x1x4xf32>
// CHECK: %[[V4:.+]] = forge.reshape %arg2 shape [1, 1, 1, 4] : (tensor<1x1x4xf32>) -> tensor<1x1x1x4xf32>
// CHECK: %[[V5:.+]] = forge.transpose %[[V4]] dims -3, -2 : tensor<1x1x1x4xf32>
// CHECK: %[[V6:.+]] = forge.strided_slice %arg5 dim 0 [3:4] : (tensor<8x2xf32>) -> tensor<1x2xf32>
// CHECK: %[[V7:.+]] = forge.reshape %[[V6]] shape [1, 1, 2] : (tensor<1x2xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V8:.+]] = forge.concatenate %[[V7]], %[[V7]] axis -1 : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x4xf32>
// CHECK: %[[V9:.+]] = forge.strided_slice %arg6 dim 0 [3:4] : (tensor<8x2xf32>) -> tensor<1x2xf32>
// CHECK: %[[V10:.+]] = forge.reshape %[[V9]] shape [1, 1, 2] : (tensor<1x2xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V11:.+]] = forge.concatenate %[[V10]], %[[V10]] axis -1 : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x4xf32>
// CHECK: %[[V12:.+]] = forge.constant dense<[-1.000000e+00, -1.000000e+00, 1.000000e+00, 1.000000e+00]> : tensor<4xf32>
// CHECK: %[[V13:.+]] = forge.multiply %[[V11]], %[[V12]] : (tensor<1x1x4xf32>, tensor<4xf32>) -> tensor<1x1x4xf32>
// CHECK: %[[V14:.+]] = forge.reshape %[[V13]] shape [1, 1, 1, 4] : (tensor<1x1x4xf32>) -> tensor<1x1x1x4xf32>
// CHECK: %[[V15:.+]] = forge.strided_slice %[[V1]] dim 3 [2:4] : (tensor<1x2x1x4xf32>) -> tensor<1x2x1x2xf32>
// CHECK: %[[V16:.+]] = forge.strided_slice %[[V1]] dim 3 [0:2] : (tensor<1x2x1x4xf32>) -> tensor<1x2x1x2xf32>
// CHECK: %[[V17:.+]] = forge.concatenate %[[V15]], %[[V16]] axis -1 : (tensor<1x2x1x2xf32>, tensor<1x2x1x2xf32>) -> tensor<1x2x1x4xf32>
// CHECK: %[[V18:.+]] = forge.multiply %[[V17]], %[[V14]] : (tensor<1x2x1x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK: %[[V19:.+]] = forge.reshape %[[V8]] shape [1, 1, 1, 4] : (tensor<1x1x4xf32>) -> tensor<1x1x1x4xf32>
// CHECK: %[[V20:.+]] = forge.multiply %[[V1]], %[[V19]] : (tensor<1x2x1x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK: %[[V21:.+]] = forge.add %[[V20]], %[[V18]] : tensor<1x2x1x4xf32>
// CHECK: %[[V22:.+]] = forge.reshape %[[V13]] shape [1, 1, 1, 4] : (tensor<1x1x4xf32>) -> tensor<1x1x1x4xf32>
// CHECK: %[[V23:.+]] = forge.strided_slice %[[V3]] dim 3 [2:4] : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x2xf32>
// CHECK: %[[V24:.+]] = forge.strided_slice %[[V3]] dim 3 [0:2] : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x2xf32>
// CHECK: %[[V25:.+]] = forge.concatenate %[[V23]], %[[V24]] axis -1 : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x4xf32>
// CHECK: %[[V26:.+]] = forge.multiply %[[V25]], %[[V22]] : tensor<1x1x1x4xf32>
// CHECK: %[[V27:.+]] = forge.reshape %[[V8]] shape [1, 1, 1, 4] : (tensor<1x1x4xf32>) -> tensor<1x1x1x4xf32>
// CHECK: %[[V28:.+]] = forge.multiply %[[V3]], %[[V27]] : tensor<1x1x1x4xf32>
// CHECK: %[[V29:.+]] = forge.add %[[V28]], %[[V26]] : tensor<1x1x1x4xf32>
// CHECK: %[[V30:.+]] = forge.concatenate %arg3, %[[V29]] axis -2 : (tensor<1x1x3x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x4x4xf32>
// CHECK: %[[V31:.+]] = forge.concatenate %arg4, %[[V5]] axis -2 : (tensor<1x1x3x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x4x4xf32>
// CHECK: %[[V32:.+]] = forge.reshape %[[V30]] shape [1, 1, 1, 4, 4] : (tensor<1x1x4x4xf32>) -> tensor<1x1x1x4x4xf32>
// CHECK: %[[V33:.+]] = forge.repeat %[[V32]] repeats [1, 1, 2, 1, 1] : (tensor<1x1x1x4x4xf32>) -> tensor<1x1x2x4x4xf32>
// CHECK: %[[V34:.+]] = forge.reshape %[[V33]] shape [1, 2, 4, 4] : (tensor<1x1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
// CHECK: %[[V35:.+]] = forge.constant dense<5.000000e-01> : tensor<f32>
// CHECK: %[[V36:.+]] = forge.multiply %[[V21]], %[[V35]] : (tensor<1x2x1x4xf32>, tensor<f32>) -> tensor<1x2x1x4xf32>
// CHECK: %[[V37:.+]] = forge.transpose %[[V34]] dims -2, -1 : tensor<1x2x4x4xf32>
// CHECK: %[[V38:.+]] = forge.matmul %[[V36]], %[[V37]] : (tensor<1x2x1x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK: %[[V39:.+]] = forge.softmax %[[V38]] dim -1 stable : tensor<1x2x1x4xf32>
// CHECK: %[[V40:.+]] = forge.reshape %[[V31]] shape [1, 1, 1, 4, 4] : (tensor<1x1x4x4xf32>) -> tensor<1x1x1x4x4xf32>
// CHECK: %[[V41:.+]] = forge.repeat %[[V40]] repeats [1, 1, 2, 1, 1] : (tensor<1x1x1x4x4xf32>) -> tensor<1x1x2x4x4xf32>
// CHECK: %[[V42:.+]] = forge.reshape %[[V41]] shape [1, 2, 4, 4] : (tensor<1x1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
// CHECK: %[[V43:.+]] = forge.matmul %[[V39]], %[[V42]] : (tensor<1x2x1x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK: %[[V44:.+]] = forge.transpose %[[V43]] dims -3, -2 : (tensor<1x2x1x4xf32>) -> tensor<1x1x2x4xf32>
// CHECK: %[[V45:.+]] = forge.reshape %[[V44]] shape [1, 1, 8] : (tensor<1x1x2x4xf32>) -> tensor<1x1x8xf32>
// CHECK: return %[[V45]], %[[V30]], %[[V31]] : tensor<1x1x8xf32>, tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>
func.func @rotary(%x0: !torch.vtensor<[1,1,8],f32>, %x1: !torch.vtensor<[1,1,4],f32>, %x2: !torch.vtensor<[1,1,4],f32>, %x3: !torch.vtensor<[1,1,3,4],f32>, %x4: !torch.vtensor<[1,1,3,4],f32>, %x7: !torch.vtensor<[8,2],f32>, %x8: !torch.vtensor<[8,2],f32>) -> (!torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %x5 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<3> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %x6 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<4> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %out:3 = torch.operator "onnx.GroupQueryAttention"(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.kv_num_heads = 1 : si64, torch.onnx.do_rotary = 1 : si64} : (!torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>, !torch.vtensor<[8,2],f32>, !torch.vtensor<[8,2],f32>) -> (!torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>
}

// The position of the new key in the cache is an input.
// CHECK-LABEL: func.func @unknown_length(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 1, 2, 4] : (tensor<1x1x8xf32>) -> tensor<1x1x2x4xf32>
// CHECK: %[[V1:.+]] = forge.transpose %[[V0]] dims -3, -2 : (tensor<1x1x2x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK: %[[V2:.+]] = forge.reshape %arg1 shape [1, 1, 1, 4] : (tensor<1x1x4xf32>) -> tensor<1x1x1x4xf32>
// CHECK: %[[V3:.+]] = forge.transpose %[[V2]] dims -3, -2 : tensor<1x1x1x4xf32>
// CHECK: %[[V4:.+]] = forge.reshape %arg2 shape [1, 1, 1, 4] : (tensor<1x1x4xf32>) -> tensor<1x1x1x4xf32>
// CHECK: %[[V5:.+]] = forge.transpose %[[V4]] dims -3, -2 : tensor<1x1x1x4xf32>
// CHECK: %[[V6:.+]] = forge.cast %arg5 dtype i64 : (tensor<1xi32>) -> tensor<1xi64>
// CHECK: %[[V7:.+]] = forge.reshape %[[V6]] shape [1, 1, 1, 1] : (tensor<1xi64>) -> tensor<1x1x1x1xi64>
// CHECK: %[[V8:.+]] = forge.constant dense<1> : tensor<i64>
// CHECK: %[[V9:.+]] = forge.add %[[V7]], %[[V8]] : (tensor<1x1x1x1xi64>, tensor<i64>) -> tensor<1x1x1x1xi64>
// CHECK: %[[V10:.+]] = forge.constant dense<1> : tensor<i64>
// CHECK: %[[V11:.+]] = forge.subtract %[[V9]], %[[V10]] : (tensor<1x1x1x1xi64>, tensor<i64>) -> tensor<1x1x1x1xi64>
// CHECK: %[[V12:.+]] = forge.constant dense<0.000000e+00> : tensor<1x1x1x4xf32>
// CHECK: %[[V13:.+]] = forge.concatenate %arg3, %[[V12]] axis -2 : (tensor<1x1x3x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x4x4xf32>
// CHECK: %[[V14:.+]] = forge.constant dense<{{\[\[}}{{\[\[}}0], [1], [2], [3]]]]> : tensor<1x1x4x1xi64>
// CHECK: %[[V15:.+]] = forge.less %[[V14]], %[[V11]] : (tensor<1x1x4x1xi64>, tensor<1x1x1x1xi64>) -> tensor<1x1x4x1xi64>
// CHECK: %[[V16:.+]] = forge.cast %[[V15]] dtype i1 : (tensor<1x1x4x1xi64>) -> tensor<1x1x4x1xi1>
// CHECK: %[[V17:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V18:.+]] = forge.where %[[V16]], %[[V13]], %[[V17]] : (tensor<1x1x4x1xi1>, tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
// CHECK: %[[V19:.+]] = forge.constant dense<{{\[\[}}{{\[\[}}0], [1], [2], [3]]]]> : tensor<1x1x4x1xi64>
// CHECK: %[[V20:.+]] = forge.constant dense<0> : tensor<i64>
// CHECK: %[[V21:.+]] = forge.add %[[V11]], %[[V20]] : (tensor<1x1x1x1xi64>, tensor<i64>) -> tensor<1x1x1x1xi64>
// CHECK: %[[V22:.+]] = forge.equal %[[V19]], %[[V21]] : (tensor<1x1x4x1xi64>, tensor<1x1x1x1xi64>) -> tensor<1x1x4x1xi64>
// CHECK: %[[V23:.+]] = forge.cast %[[V22]] dtype i1 : (tensor<1x1x4x1xi64>) -> tensor<1x1x4x1xi1>
// CHECK: %[[V24:.+]] = forge.where %[[V23]], %[[V3]], %[[V18]] : (tensor<1x1x4x1xi1>, tensor<1x1x1x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
// CHECK: %[[V25:.+]] = forge.constant dense<0.000000e+00> : tensor<1x1x1x4xf32>
// CHECK: %[[V26:.+]] = forge.concatenate %arg4, %[[V25]] axis -2 : (tensor<1x1x3x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x4x4xf32>
// CHECK: %[[V27:.+]] = forge.constant dense<{{\[\[}}{{\[\[}}0], [1], [2], [3]]]]> : tensor<1x1x4x1xi64>
// CHECK: %[[V28:.+]] = forge.less %[[V27]], %[[V11]] : (tensor<1x1x4x1xi64>, tensor<1x1x1x1xi64>) -> tensor<1x1x4x1xi64>
// CHECK: %[[V29:.+]] = forge.cast %[[V28]] dtype i1 : (tensor<1x1x4x1xi64>) -> tensor<1x1x4x1xi1>
// CHECK: %[[V30:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V31:.+]] = forge.where %[[V29]], %[[V26]], %[[V30]] : (tensor<1x1x4x1xi1>, tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
// CHECK: %[[V32:.+]] = forge.constant dense<{{\[\[}}{{\[\[}}0], [1], [2], [3]]]]> : tensor<1x1x4x1xi64>
// CHECK: %[[V33:.+]] = forge.constant dense<0> : tensor<i64>
// CHECK: %[[V34:.+]] = forge.add %[[V11]], %[[V33]] : (tensor<1x1x1x1xi64>, tensor<i64>) -> tensor<1x1x1x1xi64>
// CHECK: %[[V35:.+]] = forge.equal %[[V32]], %[[V34]] : (tensor<1x1x4x1xi64>, tensor<1x1x1x1xi64>) -> tensor<1x1x4x1xi64>
// CHECK: %[[V36:.+]] = forge.cast %[[V35]] dtype i1 : (tensor<1x1x4x1xi64>) -> tensor<1x1x4x1xi1>
// CHECK: %[[V37:.+]] = forge.where %[[V36]], %[[V5]], %[[V31]] : (tensor<1x1x4x1xi1>, tensor<1x1x1x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
// CHECK: %[[V38:.+]] = forge.reshape %[[V24]] shape [1, 1, 1, 4, 4] : (tensor<1x1x4x4xf32>) -> tensor<1x1x1x4x4xf32>
// CHECK: %[[V39:.+]] = forge.repeat %[[V38]] repeats [1, 1, 2, 1, 1] : (tensor<1x1x1x4x4xf32>) -> tensor<1x1x2x4x4xf32>
// CHECK: %[[V40:.+]] = forge.reshape %[[V39]] shape [1, 2, 4, 4] : (tensor<1x1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
// CHECK: %[[V41:.+]] = forge.constant dense<5.000000e-01> : tensor<f32>
// CHECK: %[[V42:.+]] = forge.multiply %[[V1]], %[[V41]] : (tensor<1x2x1x4xf32>, tensor<f32>) -> tensor<1x2x1x4xf32>
// CHECK: %[[V43:.+]] = forge.transpose %[[V40]] dims -2, -1 : tensor<1x2x4x4xf32>
// CHECK: %[[V44:.+]] = forge.matmul %[[V42]], %[[V43]] : (tensor<1x2x1x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK: %[[V45:.+]] = forge.constant dense<0> : tensor<1x1x1x1xi64>
// CHECK: %[[V46:.+]] = forge.add %[[V11]], %[[V45]] : tensor<1x1x1x1xi64>
// CHECK: %[[V47:.+]] = forge.constant dense<{{\[\[}}{{\[\[}}0, 1, 2, 3]]]]> : tensor<1x1x1x4xi64>
// CHECK: %[[V48:.+]] = forge.less_equal %[[V47]], %[[V46]] : (tensor<1x1x1x4xi64>, tensor<1x1x1x1xi64>) -> tensor<1x1x1x4xi64>
// CHECK: %[[V49:.+]] = forge.cast %[[V48]] dtype i1 : (tensor<1x1x1x4xi64>) -> tensor<1x1x1x4xi1>
// CHECK: %[[V50:.+]] = forge.constant dense<0xFF800000> : tensor<f32>
// CHECK: %[[V51:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V52:.+]] = forge.where %[[V49]], %[[V51]], %[[V50]] : (tensor<1x1x1x4xi1>, tensor<f32>, tensor<f32>) -> tensor<1x1x1x4xf32>
// CHECK: %[[V53:.+]] = forge.constant dense<-1> : tensor<i64>
// CHECK: %[[V54:.+]] = forge.add %[[V46]], %[[V53]] : (tensor<1x1x1x1xi64>, tensor<i64>) -> tensor<1x1x1x1xi64>
// CHECK: %[[V55:.+]] = forge.greater_equal %[[V47]], %[[V54]] : (tensor<1x1x1x4xi64>, tensor<1x1x1x1xi64>) -> tensor<1x1x1x4xi64>
// CHECK: %[[V56:.+]] = forge.cast %[[V55]] dtype i1 : (tensor<1x1x1x4xi64>) -> tensor<1x1x1x4xi1>
// CHECK: %[[V57:.+]] = forge.constant dense<0xFF800000> : tensor<f32>
// CHECK: %[[V58:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V59:.+]] = forge.where %[[V56]], %[[V58]], %[[V57]] : (tensor<1x1x1x4xi1>, tensor<f32>, tensor<f32>) -> tensor<1x1x1x4xf32>
// CHECK: %[[V60:.+]] = forge.add %[[V52]], %[[V59]] : tensor<1x1x1x4xf32>
// CHECK: %[[V61:.+]] = forge.add %[[V44]], %[[V60]] : (tensor<1x2x1x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK: %[[V62:.+]] = forge.softmax %[[V61]] dim -1 stable : tensor<1x2x1x4xf32>
// CHECK: %[[V63:.+]] = forge.reduce_max %[[V60]] dim -1 keep_dim : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x1xf32>
// CHECK: %[[V64:.+]] = forge.constant dense<0xFF800000> : tensor<f32>
// CHECK: %[[V65:.+]] = forge.equal %[[V63]], %[[V64]] : (tensor<1x1x1x1xf32>, tensor<f32>) -> tensor<1x1x1x1xf32>
// CHECK: %[[V66:.+]] = forge.cast %[[V65]] dtype i1 : (tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xi1>
// CHECK: %[[V67:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V68:.+]] = forge.where %[[V66]], %[[V67]], %[[V62]] : (tensor<1x1x1x1xi1>, tensor<f32>, tensor<1x2x1x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK: %[[V69:.+]] = forge.reshape %[[V37]] shape [1, 1, 1, 4, 4] : (tensor<1x1x4x4xf32>) -> tensor<1x1x1x4x4xf32>
// CHECK: %[[V70:.+]] = forge.repeat %[[V69]] repeats [1, 1, 2, 1, 1] : (tensor<1x1x1x4x4xf32>) -> tensor<1x1x2x4x4xf32>
// CHECK: %[[V71:.+]] = forge.reshape %[[V70]] shape [1, 2, 4, 4] : (tensor<1x1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
// CHECK: %[[V72:.+]] = forge.matmul %[[V68]], %[[V71]] : (tensor<1x2x1x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x1x4xf32>
// CHECK: %[[V73:.+]] = forge.transpose %[[V72]] dims -3, -2 : (tensor<1x2x1x4xf32>) -> tensor<1x1x2x4xf32>
// CHECK: %[[V74:.+]] = forge.reshape %[[V73]] shape [1, 1, 8] : (tensor<1x1x2x4xf32>) -> tensor<1x1x8xf32>
// CHECK: return %[[V74]], %[[V24]], %[[V37]] : tensor<1x1x8xf32>, tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>
func.func @unknown_length(%x0: !torch.vtensor<[1,1,8],f32>, %x1: !torch.vtensor<[1,1,4],f32>, %x2: !torch.vtensor<[1,1,4],f32>, %x3: !torch.vtensor<[1,1,3,4],f32>, %x4: !torch.vtensor<[1,1,3,4],f32>, %x5: !torch.vtensor<[1],si32>) -> (!torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %x6 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<4> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %out:3 = torch.operator "onnx.GroupQueryAttention"(%x0, %x1, %x2, %x3, %x4, %x5, %x6) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.kv_num_heads = 1 : si64, torch.onnx.local_window_size = 2 : si64} : (!torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>) -> (!torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>
}
