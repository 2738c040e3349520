// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.matmul %{{.*}}, %{{.*}} {{.*}} -> tensor<2x4xf32>
// CHECK: return %[[V0]] : tensor<2x4xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>, %x1: !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  %y = torch.operator "onnx.Einsum"(%x0, %x1) {torch.onnx.equation = "ij,jk->ik"} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %y : !torch.vtensor<[2,4],f32>
}

// CHECK-LABEL: func.func @f1(
// CHECK: %[[V0:.*]] = forge.reshape %{{.*}} shape [9] : {{.*}}tensor<9xf32> loc
// CHECK: %[[V1:.*]] = forge.strided_slice %[[V0]] dim 0 [0:9:4] : {{.*}}tensor<3xf32> loc
// CHECK: return %[[V1]] : tensor<3xf32>
func.func @f1(%x0: !torch.vtensor<[3,3],f32>) -> !torch.vtensor<[3],f32> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  %y = torch.operator "onnx.Einsum"(%x0) {torch.onnx.equation = "ii->i"} : (!torch.vtensor<[3,3],f32>) -> !torch.vtensor<[3],f32>
  return %y : !torch.vtensor<[3],f32>
}

// CHECK-LABEL: func.func @f2(
// CHECK: %[[V0:.*]] = forge.reshape %{{.*}} shape [1, 2, 3, 1] : {{.*}}tensor<1x2x3x1xi32> loc
// CHECK: %[[V1:.*]] = forge.reshape %{{.*}} shape [1, 1, 3, 4] : {{.*}}tensor<1x1x3x4xi32> loc
// CHECK: %[[V2:.*]] = forge.multiply %[[V0]], %[[V1]] : {{.*}}tensor<1x2x3x4xi32> loc
// CHECK: %[[V3:.*]] = forge.reduce_sum %[[V2]] dim -2 : {{.*}}tensor<1x2x4xi32> loc
// CHECK: %[[V4:.*]] = forge.reshape %[[V3]] shape [2, 4] : {{.*}}tensor<2x4xi32> loc
// CHECK: return %[[V4]] : tensor<2x4xi32>
func.func @f2(%x0: !torch.vtensor<[2,3],si32>, %x1: !torch.vtensor<[3,4],si32>) -> !torch.vtensor<[2,4],si32> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  %y = torch.operator "onnx.Einsum"(%x0, %x1) {torch.onnx.equation = "ij,jk"} : (!torch.vtensor<[2,3],si32>, !torch.vtensor<[3,4],si32>) -> !torch.vtensor<[2,4],si32>
  return %y : !torch.vtensor<[2,4],si32>
}
