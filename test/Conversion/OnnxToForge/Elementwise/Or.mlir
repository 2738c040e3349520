// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @broadcast(
// CHECK: %[[V0:.+]] = forge.cast %arg1 dtype i32 : (tensor<3xi1>) -> tensor<3xi32>
// CHECK-NEXT: %[[V1:.+]] = forge.cast %arg0 dtype i32 : (tensor<2x3xi1>) -> tensor<2x3xi32>
// CHECK-NEXT: %[[V2:.+]] = forge.max %[[V1]], %[[V0]] : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
// CHECK-NEXT: %[[V3:.+]] = forge.cast %[[V2]] dtype i1 : (tensor<2x3xi32>) -> tensor<2x3xi1>
// CHECK-NEXT: return %[[V3]] : tensor<2x3xi1>
func.func @broadcast(%arg0: !torch.vtensor<[2,3],i1>, %arg1: !torch.vtensor<[3],i1>) -> !torch.vtensor<[2,3],i1> attributes {torch.onnx_meta.opset_version = 7 : si64} {
  %r1 = torch.operator "onnx.Or"(%arg0, %arg1) : (!torch.vtensor<[2,3],i1>, !torch.vtensor<[3],i1>) -> !torch.vtensor<[2,3],i1>
  return %r1 : !torch.vtensor<[2,3],i1>
}

// CHECK-LABEL: func.func @axis(
// CHECK-DAG: %[[V0:.+]] = forge.reshape %arg1 shape [2, 1] : (tensor<2xi1>) -> tensor<2x1xi1>
// CHECK-DAG: %[[V1:.+]] = forge.cast %[[V0]] dtype i32 : (tensor<2x1xi1>) -> tensor<2x1xi32>
// CHECK-DAG: %[[V2:.+]] = forge.cast %arg0 dtype i32 : (tensor<2x3xi1>) -> tensor<2x3xi32>
// CHECK-DAG: %[[V3:.+]] = forge.max %[[V2]], %[[V1]] : (tensor<2x3xi32>, tensor<2x1xi32>) -> tensor<2x3xi32>
// CHECK-DAG: %[[V4:.+]] = forge.cast %[[V3]] dtype i1 : (tensor<2x3xi32>) -> tensor<2x3xi1>
// CHECK: return %[[V4]] : tensor<2x3xi1>
func.func @axis(%arg0: !torch.vtensor<[2,3],i1>, %arg1: !torch.vtensor<[2],i1>) -> !torch.vtensor<[2,3],i1> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Or"(%arg0, %arg1) {torch.onnx.axis = 0 : si64, torch.onnx.broadcast = 1 : si64} : (!torch.vtensor<[2,3],i1>, !torch.vtensor<[2],i1>) -> !torch.vtensor<[2,3],i1>
  return %r1 : !torch.vtensor<[2,3],i1>
}
