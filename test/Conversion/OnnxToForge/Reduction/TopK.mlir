// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @by_rank(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [2, 5, 1] : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.reshape %arg0 shape [2, 1, 5] : (tensor<2x5xf32>) -> tensor<2x1x5xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.equal %[[V1]], %[[V0]] : (tensor<2x1x5xf32>, tensor<2x5x1xf32>) -> tensor<2x5x5xf32>
// CHECK-NEXT: %[[V3:.+]] = forge.cast %[[V2]] dtype i1 : (tensor<2x5x5xf32>) -> tensor<2x5x5xi1>
// CHECK-NEXT: %[[V4:.+]] = forge.constant dense<{{\[\[\[}}0, 0, 0, 0, 0], [1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 0, 0], [1, 1, 1, 1, 0]]]> : tensor<1x5x5xi32>
// CHECK-NEXT: %[[V5:.+]] = forge.cast %[[V3]] dtype i32 : (tensor<2x5x5xi1>) -> tensor<2x5x5xi32>
// CHECK-NEXT: %[[V6:.+]] = forge.multiply %[[V5]], %[[V4]] : (tensor<2x5x5xi32>, tensor<1x5x5xi32>) -> tensor<2x5x5xi32>
// CHECK-NEXT: %[[V7:.+]] = forge.cast %[[V6]] dtype i1 : (tensor<2x5x5xi32>) -> tensor<2x5x5xi1>
// CHECK-NEXT: %[[V8:.+]] = forge.greater %[[V1]], %[[V0]] : (tensor<2x1x5xf32>, tensor<2x5x1xf32>) -> tensor<2x5x5xf32>
// CHECK-NEXT: %[[V9:.+]] = forge.cast %[[V8]] dtype i1 : (tensor<2x5x5xf32>) -> tensor<2x5x5xi1>
// CHECK-NEXT: %[[V10:.+]] = forge.cast %[[V7]] dtype i32 : (tensor<2x5x5xi1>) -> tensor<2x5x5xi32>
// CHECK-NEXT: %[[V11:.+]] = forge.cast %[[V9]] dtype i32 : (tensor<2x5x5xi1>) -> tensor<2x5x5xi32>
// CHECK-NEXT: %[[V12:.+]] = forge.max %[[V11]], %[[V10]] : tensor<2x5x5xi32>
// CHECK-NEXT: %[[V13:.+]] = forge.cast %[[V12]] dtype i1 : (tensor<2x5x5xi32>) -> tensor<2x5x5xi1>
// CHECK-NEXT: %[[V14:.+]] = forge.cast %[[V13]] dtype i32 : (tensor<2x5x5xi1>) -> tensor<2x5x5xi32>
// CHECK-NEXT: %[[V15:.+]] = forge.reduce_sum %[[V14]] dim -1 : (tensor<2x5x5xi32>) -> tensor<2x5xi32>
// CHECK-NEXT: %[[V16:.+]] = forge.constant dense<{{\[\[\[}}0], [1], [2]]]> : tensor<1x3x1xi32>
// CHECK-NEXT: %[[V17:.+]] = forge.reshape %[[V15]] shape [2, 1, 5] : (tensor<2x5xi32>) -> tensor<2x1x5xi32>
// CHECK-NEXT: %[[V18:.+]] = forge.equal %[[V17]], %[[V16]] : (tensor<2x1x5xi32>, tensor<1x3x1xi32>) -> tensor<2x3x5xi32>
// CHECK-NEXT: %[[V19:.+]] = forge.cast %[[V18]] dtype i1 : (tensor<2x3x5xi32>) -> tensor<2x3x5xi1>
// CHECK-NEXT: %[[V20:.+]] = forge.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[V21:.+]] = forge.where %[[V19]], %[[V1]], %[[V20]] : (tensor<2x3x5xi1>, tensor<2x1x5xf32>, tensor<f32>) -> tensor<2x3x5xf32>
// CHECK-NEXT: %[[V22:.+]] = forge.reduce_max %[[V21]] dim -1 : (tensor<2x3x5xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[V23:.+]] = forge.constant dense<{{\[\[\[}}0, 1, 2, 3, 4]]]> : tensor<1x1x5xi32>
// CHECK-NEXT: %[[V24:.+]] = forge.constant dense<-1> : tensor<i32>
// CHECK-NEXT: %[[V25:.+]] = forge.where %[[V19]], %[[V23]], %[[V24]] : (tensor<2x3x5xi1>, tensor<1x1x5xi32>, tensor<i32>) -> tensor<2x3x5xi32>
// CHECK-NEXT: %[[V26:.+]] = forge.reduce_max %[[V25]] dim -1 : (tensor<2x3x5xi32>) -> tensor<2x3xi32>
// CHECK-NEXT: %[[V27:.+]] = forge.cast %[[V26]] dtype i64 : (tensor<2x3xi32>) -> tensor<2x3xi64>
// CHECK-NEXT: return %[[V22]], %[[V27]] : tensor<2x3xf32>, tensor<2x3xi64>
func.func @by_rank(%x: !torch.vtensor<[2,5],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],si64>) attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %v, %i = torch.operator "onnx.TopK"(%x) {torch.onnx.k = 3 : si64} : (!torch.vtensor<[2,5],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],si64>)
  return %v, %i : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],si64>
}

// CHECK-LABEL: func.func @by_rounds(
// CHECK: %[[V0:.+]] = forge.constant dense<true> : tensor<2x9000xi1>
// CHECK-NEXT: %[[V1:.+]] = forge.constant dense<0xFF800000> : tensor<f32>
// CHECK-NEXT: %[[V2:.+]] = forge.where %[[V0]], %arg0, %[[V1]] : (tensor<2x9000xi1>, tensor<2x9000xf32>, tensor<f32>) -> tensor<2x9000xf32>
// CHECK-NEXT: %[[V3:.+]] = forge.reduce_max %[[V2]] dim -1 keep_dim : (tensor<2x9000xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[V4:.+]] = forge.equal %arg0, %[[V3]] : (tensor<2x9000xf32>, tensor<2x1xf32>) -> tensor<2x9000xf32>
// CHECK-NEXT: %[[V5:.+]] = forge.cast %[[V4]] dtype i1 : (tensor<2x9000xf32>) -> tensor<2x9000xi1>
// CHECK-NEXT: %[[V6:.+]] = forge.cast %[[V5]] dtype i32 : (tensor<2x9000xi1>) -> tensor<2x9000xi32>
// CHECK-NEXT: %[[V7:.+]] = forge.constant dense<1> : tensor<2x9000xi32>
// CHECK-NEXT: %[[V8:.+]] = forge.multiply %[[V7]], %[[V6]] : tensor<2x9000xi32>
// CHECK-NEXT: %[[V9:.+]] = forge.cast %[[V8]] dtype i1 : (tensor<2x9000xi32>) -> tensor<2x9000xi1>
// CHECK-NEXT: %[[V10:.+]] = forge.cast %[[V9]] dtype i32 : (tensor<2x9000xi1>) -> tensor<2x9000xi32>
// CHECK-NEXT: %[[V11:.+]] = forge.argmax %[[V10]] dim -1 keep_dim : (tensor<2x9000xi32>) -> tensor<2x1xi32>
// CHECK-NEXT: %[[V12:.+]] = forge.cast %[[V11]] dtype i64 : (tensor<2x1xi32>) -> tensor<2x1xi64>
// CHECK-NEXT: return %[[V3]], %[[V12]] : tensor<2x1xf32>, tensor<2x1xi64>
func.func @by_rounds(%x: !torch.vtensor<[2,9000],f32>) -> (!torch.vtensor<[2,1],f32>, !torch.vtensor<[2,1],si64>) attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %v, %i = torch.operator "onnx.TopK"(%x) {torch.onnx.k = 1 : si64} : (!torch.vtensor<[2,9000],f32>) -> (!torch.vtensor<[2,1],f32>, !torch.vtensor<[2,1],si64>)
  return %v, %i : !torch.vtensor<[2,1],f32>, !torch.vtensor<[2,1],si64>
}
