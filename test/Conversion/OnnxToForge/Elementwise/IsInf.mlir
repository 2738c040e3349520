// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.abs %{{.*}} : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C1:.*]] = forge.constant dense<0x7F800000> : tensor<f32>
// CHECK: %[[V2:.*]] = forge.equal %[[V0]], %[[C1]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V3:.*]] = forge.cast %[[V2]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: return %[[V3]] : tensor<2x3xi1>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],i1> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %y = torch.operator "onnx.IsInf"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],i1>
  return %y : !torch.vtensor<[2,3],i1>
}

// CHECK-LABEL: func.func @f1(
// CHECK: %[[C0:.*]] = forge.constant dense<0x7F800000> : tensor<f32>
// CHECK: %[[V1:.*]] = forge.equal %{{.*}}, %[[C0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V2:.*]] = forge.cast %[[V1]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: return %[[V2]] : tensor<2x3xi1>
func.func @f1(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],i1> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %y = torch.operator "onnx.IsInf"(%x0) {torch.onnx.detect_negative = 0 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],i1>
  return %y : !torch.vtensor<[2,3],i1>
}
