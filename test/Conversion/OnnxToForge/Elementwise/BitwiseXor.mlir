// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.bitwise_and %{{.*}}, %{{.*}} : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[C1:.*]] = forge.constant dense<2> : tensor<i32>
// CHECK: %[[V2:.*]] = forge.multiply %[[V0]], %[[C1]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V3:.*]] = forge.add %{{.*}}, %{{.*}} : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V4:.*]] = forge.subtract %[[V3]], %[[V2]] : {{.*}}tensor<2x3xi32> loc
// CHECK: return %[[V4]] : tensor<2x3xi32>
func.func @f0(%x0: !torch.vtensor<[2,3],si32>, %x1: !torch.vtensor<[3],si32>) -> !torch.vtensor<[2,3],si32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %y = torch.operator "onnx.BitwiseXor"(%x0, %x1) {} : (!torch.vtensor<[2,3],si32>, !torch.vtensor<[3],si32>) -> !torch.vtensor<[2,3],si32>
  return %y : !torch.vtensor<[2,3],si32>
}
