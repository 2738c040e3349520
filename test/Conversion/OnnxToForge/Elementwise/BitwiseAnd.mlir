// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.bitwise_and %{{.*}}, %{{.*}} : {{.*}}tensor<2x3xi32> loc
// CHECK: return %[[V0]] : tensor<2x3xi32>
func.func @f0(%x0: !torch.vtensor<[2,3],si32>, %x1: !torch.vtensor<[3],si32>) -> !torch.vtensor<[2,3],si32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %y = torch.operator "onnx.BitwiseAnd"(%x0, %x1) {} : (!torch.vtensor<[2,3],si32>, !torch.vtensor<[3],si32>) -> !torch.vtensor<[2,3],si32>
  return %y : !torch.vtensor<[2,3],si32>
}
