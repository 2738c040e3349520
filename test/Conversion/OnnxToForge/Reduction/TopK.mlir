// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @by_rank(
// CHECK: %[[V0:.+]] = forge.constant dense<{{\[\[}}0, 1, 2, 3, 4]]> : tensor<1x5xi32>
// CHECK: %[[V1:.+]] = forge.not_equal %arg0, %arg0 : tensor<2x5xf32>
// CHECK: %[[V2:.+]] = forge.cast %[[V1]] dtype i1 : (tensor<2x5xf32>) -> tensor<2x5xi1>
// CHECK: %[[V3:.+]] = forge.constant dense<0x7F800000> : tensor<f32>
// CHECK: %[[V4:.+]] = forge.where %[[V2]], %[[V3]], %arg0 : (tensor<2x5xi1>, tensor<f32>, tensor<2x5xf32>) -> tensor<2x5xf32>
// CHECK: %[[V5:.+]] = forge.constant dense<{{\[\[}}-5, -4, -3, -2, -1]]> : tensor<1x5xi32>
// CHECK: %[[V6:.+]] = forge.where %[[V2]], %[[V5]], %[[V0]] : (tensor<2x5xi1>, tensor<1x5xi32>, tensor<1x5xi32>) -> tensor<2x5xi32>
// CHECK: %[[V7:.+]] = forge.reshape %[[V6]] shape [2, 5, 1] : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
// CHECK: %[[V8:.+]] = forge.reshape %[[V6]] shape [2, 1, 5] : (tensor<2x5xi32>) -> tensor<2x1x5xi32>
// CHECK: %[[V9:.+]] = forge.less %[[V8]], %[[V7]] : (tensor<2x1x5xi32>, tensor<2x5x1xi32>) -> tensor<2x5x5xi32>
// CHECK: %[[V10:.+]] = forge.cast %[[V9]] dtype i1 : (tensor<2x5x5xi32>) -> tensor<2x5x5xi1>
// CHECK: %[[V11:.+]] = forge.reshape %[[V4]] shape [2, 5, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
// CHECK: %[[V12:.+]] = forge.reshape %[[V4]] shape [2, 1, 5] : (tensor<2x5xf32>) -> tensor<2x1x5xf32>
// CHECK: %[[V13:.+]] = forge.equal %[[V12]], %[[V11]] : (tensor<2x1x5xf32>, tensor<2x5x1xf32>) -> tensor<2x5x5xf32>
// CHECK: %[[V14:.+]] = forge.cast %[[V13]] dtype i1 : (tensor<2x5x5xf32>) -> tensor<2x5x5xi1>
// CHECK: %[[V15:.+]] = forge.cast %[[V10]] dtype i32 : (tensor<2x5x5xi1>) -> tensor<2x5x5xi32>
// CHECK: %[[V16:.+]] = forge.cast %[[V14]] dtype i32 : (tensor<2x5x5xi1>) -> tensor<2x5x5xi32>
// CHECK: %[[V17:.+]] = forge.multiply %[[V16]], %[[V15]] : tensor<2x5x5xi32>
// CHECK: %[[V18:.+]] = forge.cast %[[V17]] dtype i1 : (tensor<2x5x5xi32>) -> tensor<2x5x5xi1>
// CHECK: %[[V19:.+]] = forge.greater %[[V12]], %[[V11]] : (tensor<2x1x5xf32>, tensor<2x5x1xf32>) -> tensor<2x5x5xf32>
// CHECK: %[[V20:.+]] = forge.cast %[[V19]] dtype i1 : (tensor<2x5x5xf32>) -> tensor<2x5x5xi1>
// CHECK: %[[V21:.+]] = forge.cast %[[V18]] dtype i32 : (tensor<2x5x5xi1>) -> tensor<2x5x5xi32>
// CHECK: %[[V22:.+]] = forge.cast %[[V20]] dtype i32 : (tensor<2x5x5xi1>) -> tensor<2x5x5xi32>
// CHECK: %[[V23:.+]] = forge.max %[[V22]], %[[V21]] : tensor<2x5x5xi32>
// CHECK: %[[V24:.+]] = forge.cast %[[V23]] dtype i1 : (tensor<2x5x5xi32>) -> tensor<2x5x5xi1>
// CHECK: %[[V25:.+]] = forge.cast %[[V24]] dtype i32 : (tensor<2x5x5xi1>) -> tensor<2x5x5xi32>
// CHECK: %[[V26:.+]] = forge.reduce_sum %[[V25]] dim -1 : (tensor<2x5x5xi32>) -> tensor<2x5xi32>
// CHECK: %[[V27:.+]] = forge.constant dense<{{\[\[}}[0], [1], [2]]]> : tensor<1x3x1xi32>
// CHECK: %[[V28:.+]] = forge.reshape %[[V26]] shape [2, 1, 5] : (tensor<2x5xi32>) -> tensor<2x1x5xi32>
// CHECK: %[[V29:.+]] = forge.equal %[[V28]], %[[V27]] : (tensor<2x1x5xi32>, tensor<1x3x1xi32>) -> tensor<2x3x5xi32>
// CHECK: %[[V30:.+]] = forge.cast %[[V29]] dtype i1 : (tensor<2x3x5xi32>) -> tensor<2x3x5xi1>
// CHECK: %[[V31:.+]] = forge.reshape %arg0 shape [2, 1, 5] : (tensor<2x5xf32>) -> tensor<2x1x5xf32>
// CHECK: %[[V32:.+]] = forge.constant dense<0xFF800000> : tensor<f32>
// CHECK: %[[V33:.+]] = forge.where %[[V30]], %[[V31]], %[[V32]] : (tensor<2x3x5xi1>, tensor<2x1x5xf32>, tensor<f32>) -> tensor<2x3x5xf32>
// CHECK: %[[V34:.+]] = forge.reduce_max %[[V33]] dim -1 : (tensor<2x3x5xf32>) -> tensor<2x3xf32>
// CHECK: %[[V35:.+]] = forge.constant dense<{{\[\[}}[0, 1, 2, 3, 4]]]> : tensor<1x1x5xi32>
// CHECK: %[[V36:.+]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V37:.+]] = forge.where %[[V30]], %[[V35]], %[[V36]] : (tensor<2x3x5xi1>, tensor<1x1x5xi32>, tensor<i32>) -> tensor<2x3x5xi32>
// CHECK: %[[V38:.+]] = forge.reduce_max %[[V37]] dim -1 : (tensor<2x3x5xi32>) -> tensor<2x3xi32>
// CHECK: %[[V39:.+]] = forge.cast %[[V38]] dtype i64 : (tensor<2x3xi32>) -> tensor<2x3xi64>
// CHECK-NEXT: return %[[V34]], %[[V39]] : tensor<2x3xf32>, tensor<2x3xi64>
func.func @by_rank(%x: !torch.vtensor<[2,5],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],si64>) attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %v, %i = torch.operator "onnx.TopK"(%x) {torch.onnx.k = 3 : si64} : (!torch.vtensor<[2,5],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],si64>)
  return %v, %i : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],si64>
}

// CHECK-LABEL: func.func @by_rounds(
// CHECK: %[[V0:.+]] = forge.constant dense<"0x000000000100000002000000030000000400000005000000{{[0-9A-F]+}}"> : tensor<1x9000xi32>
// CHECK: %[[V1:.+]] = forge.not_equal %arg0, %arg0 : tensor<2x9000xf32>
// CHECK: %[[V2:.+]] = forge.cast %[[V1]] dtype i1 : (tensor<2x9000xf32>) -> tensor<2x9000xi1>
// CHECK: %[[V3:.+]] = forge.constant dense<0x7F800000> : tensor<f32>
// CHECK: %[[V4:.+]] = forge.where %[[V2]], %[[V3]], %arg0 : (tensor<2x9000xi1>, tensor<f32>, tensor<2x9000xf32>) -> tensor<2x9000xf32>
// CHECK: %[[V5:.+]] = forge.constant dense<"0xD8DCFFFFD9DCFFFFDADCFFFFDBDCFFFFDCDCFFFFDDDCFFFF{{[0-9A-F]+}}"> : tensor<1x9000xi32>
// CHECK: %[[V6:.+]] = forge.where %[[V2]], %[[V5]], %[[V0]] : (tensor<2x9000xi1>, tensor<1x9000xi32>, tensor<1x9000xi32>) -> tensor<2x9000xi32>
// CHECK: %[[V7:.+]] = forge.constant dense<"0x000000000100000002000000030000000400000005000000{{[0-9A-F]+}}"> : tensor<1x9000xi32>
// CHECK: %[[V8:.+]] = forge.constant dense<true> : tensor<2x9000xi1>
// CHECK: %[[V9:.+]] = forge.constant dense<0xFF800000> : tensor<f32>
// CHECK: %[[V10:.+]] = forge.where %[[V8]], %[[V4]], %[[V9]] : (tensor<2x9000xi1>, tensor<2x9000xf32>, tensor<f32>) -> tensor<2x9000xf32>
// CHECK: %[[V11:.+]] = forge.reduce_max %[[V10]] dim -1 keep_dim : (tensor<2x9000xf32>) -> tensor<2x1xf32>
// CHECK: %[[V12:.+]] = forge.equal %[[V4]], %[[V11]] : (tensor<2x9000xf32>, tensor<2x1xf32>) -> tensor<2x9000xf32>
// CHECK: %[[V13:.+]] = forge.cast %[[V12]] dtype i1 : (tensor<2x9000xf32>) -> tensor<2x9000xi1>
// CHECK: %[[V14:.+]] = forge.cast %[[V13]] dtype i32 : (tensor<2x9000xi1>) -> tensor<2x9000xi32>
// CHECK: %[[V15:.+]] = forge.constant dense<1> : tensor<2x9000xi32>
// CHECK: %[[V16:.+]] = forge.multiply %[[V15]], %[[V14]] : tensor<2x9000xi32>
// CHECK: %[[V17:.+]] = forge.cast %[[V16]] dtype i1 : (tensor<2x9000xi32>) -> tensor<2x9000xi1>
// CHECK: %[[V18:.+]] = forge.cast %[[V17]] dtype i32 : (tensor<2x9000xi1>) -> tensor<2x9000xi32>
// CHECK: %[[V19:.+]] = forge.constant dense<18000> : tensor<i32>
// CHECK: %[[V20:.+]] = forge.subtract %[[V19]], %[[V6]] : (tensor<i32>, tensor<2x9000xi32>) -> tensor<2x9000xi32>
// CHECK: %[[V21:.+]] = forge.multiply %[[V18]], %[[V20]] : tensor<2x9000xi32>
// CHECK: %[[V22:.+]] = forge.argmax %[[V21]] dim -1 keep_dim : (tensor<2x9000xi32>) -> tensor<2x1xi32>
// CHECK: %[[V23:.+]] = forge.equal %[[V7]], %[[V22]] : (tensor<1x9000xi32>, tensor<2x1xi32>) -> tensor<2x9000xi32>
// CHECK: %[[V24:.+]] = forge.cast %[[V23]] dtype i1 : (tensor<2x9000xi32>) -> tensor<2x9000xi1>
// CHECK: %[[V25:.+]] = forge.constant dense<0xFF800000> : tensor<f32>
// CHECK: %[[V26:.+]] = forge.where %[[V24]], %arg0, %[[V25]] : (tensor<2x9000xi1>, tensor<2x9000xf32>, tensor<f32>) -> tensor<2x9000xf32>
// CHECK: %[[V27:.+]] = forge.reduce_max %[[V26]] dim -1 keep_dim : (tensor<2x9000xf32>) -> tensor<2x1xf32>
// CHECK: %[[V28:.+]] = forge.cast %[[V22]] dtype i64 : (tensor<2x1xi32>) -> tensor<2x1xi64>
// CHECK-NEXT: return %[[V27]], %[[V28]] : tensor<2x1xf32>, tensor<2x1xi64>
func.func @by_rounds(%x: !torch.vtensor<[2,9000],f32>) -> (!torch.vtensor<[2,1],f32>, !torch.vtensor<[2,1],si64>) attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %v, %i = torch.operator "onnx.TopK"(%x) {torch.onnx.k = 1 : si64} : (!torch.vtensor<[2,9000],f32>) -> (!torch.vtensor<[2,1],f32>, !torch.vtensor<[2,1],si64>)
  return %v, %i : !torch.vtensor<[2,1],f32>, !torch.vtensor<[2,1],si64>
}
