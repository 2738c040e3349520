// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// The queries are multiplied by a float32 scale, and each head of K and V is repeated for two heads of Q.
// CHECK-LABEL: func.func @grouped(
// CHECK: %[[K:.+]] = forge.reshape {{.*}} -> tensor<1x4x5x4xf32>
// CHECK: %[[SCALE:.+]] = forge.constant dense<1.000000e-01> : tensor<f32>
// CHECK-NEXT: %[[QR:.+]] = forge.multiply %arg0, %[[SCALE]]
// CHECK-NEXT: %[[T:.+]] = forge.transpose %[[K]] dims -2, -1
// CHECK-NEXT: %[[S:.+]] = forge.matmul %[[QR]], %[[T]] : {{.*}} -> tensor<1x4x3x5xf32>
// CHECK-NEXT: %[[P:.+]] = forge.softmax %[[S]] dim -1 stable
// CHECK: %[[V:.+]] = forge.reshape {{.*}} -> tensor<1x4x5x6xf32>
// CHECK-NEXT: %[[Y:.+]] = forge.matmul %[[P]], %[[V]]
// CHECK-NEXT: return %[[Y]] : tensor<1x4x3x6xf32>
func.func @grouped(%q: !torch.vtensor<[1,4,3,4],f32>, %k: !torch.vtensor<[1,2,5,4],f32>, %v: !torch.vtensor<[1,2,5,6],f32>) -> !torch.vtensor<[1,4,3,6],f32>
    attributes {torch.onnx_meta.opset_version = 26 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview = 1 : si64}} {
  %y = torch.operator "onnx.FlexAttention"(%q, %k, %v) {torch.onnx.scale = 0.1 : f32, torch.onnx_meta.domain = "ai.onnx.preview"} : (!torch.vtensor<[1,4,3,4],f32>, !torch.vtensor<[1,2,5,4],f32>, !torch.vtensor<[1,2,5,6],f32>) -> !torch.vtensor<[1,4,3,6],f32>
  return %y : !torch.vtensor<[1,4,3,6],f32>
}

// Two subgraphs need no names, because they are in alphabetical order, prob_mod first. They use %x from the enclosing
// graph, and compute in the type of the softmax, which is f32 for narrower operands.
// CHECK-LABEL: func.func @modified(
// CHECK: %[[S:.+]] = forge.matmul {{.*}} -> tensor<1x2x3x3xf16>
// CHECK-NEXT: %[[F:.+]] = forge.cast %[[S]] dtype f32
// CHECK-NEXT: %[[M:.+]] = forge.add %[[F]], %arg3
// CHECK-NEXT: %[[P:.+]] = forge.softmax %[[M]] dim -1 stable
// CHECK-NEXT: %[[W:.+]] = forge.multiply %[[P]], %arg3
// CHECK-NEXT: %[[V:.+]] = forge.cast %arg2 dtype f32
// CHECK-NEXT: %[[Y:.+]] = forge.matmul %[[W]], %[[V]]
// CHECK-NEXT: %[[R:.+]] = forge.cast %[[Y]] dtype f16
// CHECK-NEXT: return %[[R]]
func.func @modified(%q: !torch.vtensor<[1,2,3,4],f16>, %k: !torch.vtensor<[1,2,3,4],f16>, %v: !torch.vtensor<[1,2,3,4],f16>, %x: !torch.vtensor<[1,2,3,3],f32>) -> !torch.vtensor<[1,2,3,4],f16>
    attributes {torch.onnx_meta.opset_version = 26 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview = 1 : si64}} {
  %y = torch.operator "onnx.FlexAttention"(%q, %k, %v) : (!torch.vtensor<[1,2,3,4],f16>, !torch.vtensor<[1,2,3,4],f16>, !torch.vtensor<[1,2,3,4],f16>) -> !torch.vtensor<[1,2,3,4],f16> {
  ^bb0(%p: !torch.vtensor<[?,?,?,?],f32>):
    %0 = torch.operator "onnx.Mul"(%p, %x) : (!torch.vtensor<[?,?,?,?],f32>, !torch.vtensor<[1,2,3,3],f32>) -> !torch.vtensor<[?,?,?,?],f32>
    torch.operator_terminator %0 : !torch.vtensor<[?,?,?,?],f32>
  }, {
  ^bb0(%s: !torch.vtensor<[?,?,?,?],f32>):
    %0 = torch.operator "onnx.Add"(%s, %x) : (!torch.vtensor<[?,?,?,?],f32>, !torch.vtensor<[1,2,3,3],f32>) -> !torch.vtensor<[?,?,?,?],f32>
    torch.operator_terminator %0 : !torch.vtensor<[?,?,?,?],f32>
  }
  return %y : !torch.vtensor<[1,2,3,4],f16>
}

// A single subgraph has to be named.
// CHECK-LABEL: func.func @scores(
// CHECK: %[[S:.+]] = forge.matmul
// CHECK-NEXT: %[[M:.+]] = forge.tanh %[[S]]
// CHECK-NEXT: forge.softmax %[[M]]
// CHECK-NEXT: forge.matmul
func.func @scores(%q: !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
    attributes {torch.onnx_meta.opset_version = 26 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview = 1 : si64}} {
  %y = torch.operator "onnx.FlexAttention"(%q, %q, %q) {torch.onnx_meta.subgraphs = ["score_mod"]} : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32> {
  ^bb0(%s: !torch.vtensor<[1,2,3,3],f32>):
    %0 = torch.operator "onnx.Tanh"(%s) : (!torch.vtensor<[1,2,3,3],f32>) -> !torch.vtensor<[1,2,3,3],f32>
    torch.operator_terminator %0 : !torch.vtensor<[1,2,3,3],f32>
  }
  return %y : !torch.vtensor<[1,2,3,4],f32>
}

// CHECK-LABEL: func.func @probabilities(
// CHECK: %[[P:.+]] = forge.softmax {{.*}} tensor<1x2x3x3xf64>
// CHECK-NEXT: %[[M:.+]] = forge.tanh %[[P]]
// CHECK-NEXT: forge.cast
// CHECK-NEXT: forge.matmul %[[M]]
func.func @probabilities(%q: !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
    attributes {torch.onnx_meta.opset_version = 26 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview = 1 : si64}} {
  %y = torch.operator "onnx.FlexAttention"(%q, %q, %q) {torch.onnx.softmax_precision = 11 : si64, torch.onnx_meta.subgraphs = ["prob_mod"]} : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32> {
  ^bb0(%s: !torch.vtensor<[1,2,3,3],f64>):
    %0 = torch.operator "onnx.Tanh"(%s) : (!torch.vtensor<[1,2,3,3],f64>) -> !torch.vtensor<[1,2,3,3],f64>
    torch.operator_terminator %0 : !torch.vtensor<[1,2,3,3],f64>
  }
  return %y : !torch.vtensor<[1,2,3,4],f32>
}
