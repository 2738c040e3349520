// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.argmax %{{.*}} dim -1 keep_dim : {{.*}}tensor<2x1xi32> loc
// CHECK: %[[C1:.*]] = forge.constant dense<{{\[\[}}0, 1, 2{{\]\]}}> : tensor<1x3xi32>
// CHECK: %[[V2:.*]] = forge.equal %[[C1]], %[[V0]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V3:.*]] = forge.cast %[[V2]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V4:.*]] = forge.cast %[[V3]] dtype f32 : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V4]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.Hardmax"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @f1(
// CHECK: %[[V0:.*]] = forge.reshape %{{.*}} shape [2, 12] : {{.*}}tensor<2x12xf32> loc
// CHECK: %[[V1:.*]] = forge.argmax %[[V0]] dim -1 keep_dim : {{.*}}tensor<2x1xi32> loc
// CHECK: %[[C2:.*]] = forge.constant dense<{{\[\[}}0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11{{\]\]}}> : tensor<1x12xi32>
// CHECK: %[[V3:.*]] = forge.equal %[[C2]], %[[V1]] : {{.*}}tensor<2x12xi32> loc
// CHECK: %[[V4:.*]] = forge.cast %[[V3]] dtype i1 : {{.*}}tensor<2x12xi1> loc
// CHECK: %[[V5:.*]] = forge.cast %[[V4]] dtype f32 : {{.*}}tensor<2x12xf32> loc
// CHECK: %[[V6:.*]] = forge.reshape %[[V5]] shape [2, 3, 4] : {{.*}}tensor<2x3x4xf32> loc
// CHECK: return %[[V6]] : tensor<2x3x4xf32>
func.func @f1(%x0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,3,4],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %y = torch.operator "onnx.Hardmax"(%x0) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,3,4],f32>
  return %y : !torch.vtensor<[2,3,4],f32>
}
