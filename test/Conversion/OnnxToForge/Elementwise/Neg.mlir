// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @floats(
// CHECK: %[[V0:.+]] = forge.constant dense<-1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V1:.+]] = forge.multiply %arg0, %[[V0]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x3xf32>
func.func @floats(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Neg"(%arg0) {torch.onnx.consumed_inputs = [0 : si64]} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @integers(
// CHECK: %[[V0:.+]] = forge.constant dense<-1> : tensor<i64>
// CHECK-NEXT: %[[V1:.+]] = forge.multiply %arg0, %[[V0]] : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
// CHECK-NEXT: return %[[V1]] : tensor<2xi64>
func.func @integers(%arg0: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Neg"(%arg0) : (!torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64>
  return %r1 : !torch.vtensor<[2],si64>
}

// In int8, -(-128) wraps to -128; on the device the value is an Int32, which does not wrap there.
// CHECK-LABEL: func.func @wraps(
// CHECK: %[[WIDE:.+]] = forge.cast %arg0 dtype i32
// CHECK: forge.multiply %[[WIDE]]
// CHECK: forge.add {{.*}}
// CHECK: forge.bitwise_and
// CHECK: forge.subtract
// CHECK: forge.cast {{.*}} dtype i8
func.func @wraps(%arg0: !torch.vtensor<[2],si8>) -> !torch.vtensor<[2],si8> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Neg"(%arg0) : (!torch.vtensor<[2],si8>) -> !torch.vtensor<[2],si8>
  return %r1 : !torch.vtensor<[2],si8>
}
