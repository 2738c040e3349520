// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[C0:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[C1:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V2:.*]] = forge.subtract %{{.*}}, %[[C1]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C3:.*]] = forge.constant dense<1.500000e+00> : tensor<f32>
// CHECK: %[[V4:.*]] = forge.greater %{{.*}}, %[[C3]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V5:.*]] = forge.cast %[[V4]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V6:.*]] = forge.where %[[V5]], %[[V2]], %[[C0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C7:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V8:.*]] = forge.add %{{.*}}, %[[C7]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C9:.*]] = forge.constant dense<-1.500000e+00> : tensor<f32>
// CHECK: %[[V10:.*]] = forge.less %{{.*}}, %[[C9]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V11:.*]] = forge.cast %[[V10]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V12:.*]] = forge.where %[[V11]], %[[V8]], %[[V6]] : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V12]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %y = torch.operator "onnx.Shrink"(%x0) {torch.onnx.lambd = 1.5 : f32, torch.onnx.bias = 1.0 : f32} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @f1(
// CHECK: %[[C0:.*]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[C1:.*]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V2:.*]] = forge.subtract %{{.*}}, %[[C1]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[C3:.*]] = forge.constant dense<1> : tensor<i32>
// CHECK: %[[V4:.*]] = forge.greater %{{.*}}, %[[C3]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V5:.*]] = forge.cast %[[V4]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V6:.*]] = forge.where %[[V5]], %[[V2]], %[[C0]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[C7:.*]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V8:.*]] = forge.add %{{.*}}, %[[C7]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[C9:.*]] = forge.constant dense<-1> : tensor<i32>
// CHECK: %[[V10:.*]] = forge.less %{{.*}}, %[[C9]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V11:.*]] = forge.cast %[[V10]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V12:.*]] = forge.where %[[V11]], %[[V8]], %[[V6]] : {{.*}}tensor<2x3xi32> loc
// CHECK: return %[[V12]] : tensor<2x3xi32>
func.func @f1(%x0: !torch.vtensor<[2,3],si32>) -> !torch.vtensor<[2,3],si32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %y = torch.operator "onnx.Shrink"(%x0) {torch.onnx.lambd = 1.5 : f32} : (!torch.vtensor<[2,3],si32>) -> !torch.vtensor<[2,3],si32>
  return %y : !torch.vtensor<[2,3],si32>
}

// A constant of a narrow type, which does not have the bound -2.
// CHECK-LABEL: func.func @bounds_of_a_constant(
// CHECK: %[[C0:.*]] = forge.constant dense<[253, 254, 1, 2]> : tensor<4xui8>
// CHECK: return %[[C0]]
func.func @bounds_of_a_constant() -> !torch.vtensor<[4],ui8> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %x = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, 1, 254, 255]> : tensor<4xui8>} : () -> !torch.vtensor<[4],ui8>
  %y = torch.operator "onnx.Shrink"(%x) {torch.onnx.lambd = -1.5 : f32, torch.onnx.bias = -3.0 : f32} : (!torch.vtensor<[4],ui8>) -> !torch.vtensor<[4],ui8>
  return %y : !torch.vtensor<[4],ui8>
}
