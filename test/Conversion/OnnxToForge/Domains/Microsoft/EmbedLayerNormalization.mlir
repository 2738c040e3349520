// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f(
// CHECK: %[[V0:.+]] = forge.strided_slice %arg3 dim 0 [0:3] : (tensor<6x4xf32>) -> tensor<3x4xf32>
// CHECK: %[[V1:.+]] = forge.embedding %arg0, %arg2 : (tensor<1x3xi32>, tensor<5x4xf32>) -> tensor<1x3x4xf32>
// CHECK: %[[V2:.+]] = forge.add %[[V1]], %[[V0]] : (tensor<1x3x4xf32>, tensor<3x4xf32>) -> tensor<1x3x4xf32>
// CHECK: %[[V3:.+]] = forge.embedding %arg1, %arg4 : (tensor<1x3xi32>, tensor<2x4xf32>) -> tensor<1x3x4xf32>
// CHECK: %[[V4:.+]] = forge.add %[[V2]], %[[V3]] : tensor<1x3x4xf32>
// CHECK: %[[V5:.+]] = forge.reduce_avg %[[V4]] dim -1 keep_dim : (tensor<1x3x4xf32>) -> tensor<1x3x1xf32>
// CHECK: %[[V6:.+]] = forge.subtract %[[V4]], %[[V5]] : (tensor<1x3x4xf32>, tensor<1x3x1xf32>) -> tensor<1x3x4xf32>
// CHECK: %[[V7:.+]] = forge.multiply %[[V6]], %[[V6]] : tensor<1x3x4xf32>
// CHECK: %[[V8:.+]] = forge.reduce_avg %[[V7]] dim -1 keep_dim : (tensor<1x3x4xf32>) -> tensor<1x3x1xf32>
// CHECK: %[[V9:.+]] = forge.constant dense<9.99999996E-13> : tensor<f32>
// CHECK: %[[V10:.+]] = forge.add %[[V8]], %[[V9]] : (tensor<1x3x1xf32>, tensor<f32>) -> tensor<1x3x1xf32>
// CHECK: %[[V11:.+]] = forge.sqrt %[[V10]] : tensor<1x3x1xf32>
// CHECK: %[[V12:.+]] = forge.divide %[[V6]], %[[V11]] : (tensor<1x3x4xf32>, tensor<1x3x1xf32>) -> tensor<1x3x4xf32>
// CHECK: %[[V13:.+]] = forge.multiply %[[V12]], %arg5 : (tensor<1x3x4xf32>, tensor<4xf32>) -> tensor<1x3x4xf32>
// CHECK: %[[V14:.+]] = forge.add %[[V13]], %arg6 : (tensor<1x3x4xf32>, tensor<4xf32>) -> tensor<1x3x4xf32>
// CHECK: %[[V15:.+]] = forge.constant dense<1> : tensor<i32>
// CHECK: %[[V16:.+]] = forge.equal %arg7, %[[V15]] : (tensor<1x3xi32>, tensor<i32>) -> tensor<1x3xi32>
// CHECK: %[[V17:.+]] = forge.cast %[[V16]] dtype f32 : (tensor<1x3xi32>) -> tensor<1x3xf32>
// CHECK: %[[V18:.+]] = forge.reduce_sum %[[V17]] dim -1 : (tensor<1x3xf32>) -> tensor<1xf32>
// CHECK: %[[V19:.+]] = forge.cast %[[V18]] dtype i32 : (tensor<1xf32>) -> tensor<1xi32>
// CHECK-NEXT: return %[[V14]], %[[V19]], %[[V4]] : tensor<1x3x4xf32>, tensor<1xi32>, tensor<1x3x4xf32>
func.func @f(%x0: !torch.vtensor<[1,3],si32>, %x1: !torch.vtensor<[1,3],si32>, %x2: !torch.vtensor<[5,4],f32>, %x3: !torch.vtensor<[6,4],f32>, %x4: !torch.vtensor<[2,4],f32>, %x5: !torch.vtensor<[4],f32>, %x6: !torch.vtensor<[4],f32>, %x7: !torch.vtensor<[1,3],si32>) -> (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1],si32>, !torch.vtensor<[1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out:3 = torch.operator "onnx.EmbedLayerNormalization"(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[1,3],si32>, !torch.vtensor<[1,3],si32>, !torch.vtensor<[5,4],f32>, !torch.vtensor<[6,4],f32>, !torch.vtensor<[2,4],f32>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>, !torch.vtensor<[1,3],si32>) -> (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1],si32>, !torch.vtensor<[1,3,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1],si32>, !torch.vtensor<[1,3,4],f32>
}
