// RUN: forge-opt %s --convert-onnx-to-forge --forge-lower-strided-slice --forge-join-recurrent | FileCheck %s

// Two layers that know nothing of one another, with an op between them that reads the first: from the slices of the
// first step on there is one of each op for both, and what reads the results follows.
// CHECK-LABEL: func.func @rows_and_columns(
// CHECK-COUNT-2: forge.matmul %{{.+}} -> tensor<2x9x8xf32>
//      CHECK: %[[X0:.+]] = forge.reshape %{{.+}} shape [1, 6, 3, 8] : (tensor<6x3x8xf32>)
// CHECK-NEXT: %[[X1:.+]] = forge.reshape %{{.+}} shape [1, 6, 3, 8] : (tensor<6x3x8xf32>)
// CHECK-NEXT: %[[X:.+]] = forge.concatenate %[[X0]], %[[X1]] axis -4
// CHECK-NEXT: %[[X2:.+]] = forge.index %[[X]] dim -3 [0:6:5] : (tensor<2x6x3x8xf32>) -> tensor<2x2x3x8xf32>
// CHECK-NEXT: %[[H:.+]] = forge.constant dense<0.000000e+00> : tensor<2x2x3x2xf32>
//      CHECK: %[[R:.+]] = forge.concatenate %{{.+}}, %{{.+}} axis -4 : (tensor<1x2x2x8xf32>, tensor<1x2x2x8xf32>)
// CHECK-NEXT: forge.matmul %[[H]], %[[R]] : (tensor<2x2x3x2xf32>, tensor<2x2x2x8xf32>) -> tensor<2x2x3x8xf32>
// CHECK-COUNT-2: forge.matmul %{{.+}}, %[[R]] : (tensor<2x2x3x2xf32>, tensor<2x2x2x8xf32>) -> tensor<2x2x3x8xf32>
// CHECK-NOT: forge.matmul
//      CHECK: %[[Y:.+]] = forge.concatenate %{{.+}}, %{{.+}} axis -1 : {{.+}} -> tensor<2x3x3x4xf32>
// CHECK-NEXT: %[[Y0:.+]] = forge.index %[[Y]] dim -4 [0:1]
// CHECK-NEXT: %[[A0:.+]] = forge.reshape %[[Y0]] shape [3, 3, 4]
// CHECK-NEXT: %[[Y1:.+]] = forge.index %[[Y]] dim -4 [1:2]
// CHECK-NEXT: %[[B0:.+]] = forge.reshape %[[Y1]] shape [3, 3, 4]
// CHECK-NEXT: %[[A1:.+]] = forge.reshape %[[A0]] shape [3, 3, 2, 2]
// CHECK-NEXT: %[[A:.+]] = forge.transpose %[[A1]]
// CHECK-NEXT: %[[C:.+]] = forge.relu %[[A]]
// CHECK-NEXT: %[[B1:.+]] = forge.reshape %[[B0]] shape [3, 3, 2, 2]
// CHECK-NEXT: %[[B:.+]] = forge.transpose %[[B1]]
// CHECK-NEXT: return %[[C]], %[[B]]
func.func @rows_and_columns(%x: !torch.vtensor<[3,3,4],f32>, %v: !torch.vtensor<[3,3,4],f32>, %w_a: !torch.vtensor<[2,8,4],f32>, %r_a: !torch.vtensor<[2,8,2],f32>, %w_b: !torch.vtensor<[2,8,4],f32>, %r_b: !torch.vtensor<[2,8,2],f32>) -> (!torch.vtensor<[3,2,3,2],f32>, !torch.vtensor<[3,2,3,2],f32>) attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %a = torch.operator "onnx.LSTM"(%x, %w_a, %r_a) {torch.onnx.direction = "bidirectional", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[3,3,4],f32>, !torch.vtensor<[2,8,4],f32>, !torch.vtensor<[2,8,2],f32>) -> !torch.vtensor<[3,2,3,2],f32> loc("rows")
  %c = torch.operator "onnx.Relu"(%a) : (!torch.vtensor<[3,2,3,2],f32>) -> !torch.vtensor<[3,2,3,2],f32> loc("between")
  %b = torch.operator "onnx.LSTM"(%v, %w_b, %r_b) {torch.onnx.direction = "bidirectional", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[3,3,4],f32>, !torch.vtensor<[2,8,4],f32>, !torch.vtensor<[2,8,2],f32>) -> !torch.vtensor<[3,2,3,2],f32> loc("columns")
  return %c, %b : !torch.vtensor<[3,2,3,2],f32>, !torch.vtensor<[3,2,3,2],f32>
}

// A layer of another's results comes after it.
// CHECK-LABEL: func.func @one_after_the_other(
//   CHECK-NOT: axis -4
func.func @one_after_the_other(%x: !torch.vtensor<[3,3,4],f32>, %w_a: !torch.vtensor<[2,8,4],f32>, %r_a: !torch.vtensor<[2,8,2],f32>, %w_b: !torch.vtensor<[2,8,4],f32>, %r_b: !torch.vtensor<[2,8,2],f32>) -> !torch.vtensor<[3,2,3,2],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %a = torch.operator "onnx.LSTM"(%x, %w_a, %r_a) {torch.onnx.direction = "bidirectional", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[3,3,4],f32>, !torch.vtensor<[2,8,4],f32>, !torch.vtensor<[2,8,2],f32>) -> !torch.vtensor<[3,2,3,2],f32> loc("lower")
  %shape = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[3, 3, 4]> : tensor<3xsi64>} : () -> !torch.vtensor<[3],si64>
  %t = torch.operator "onnx.Transpose"(%a) {torch.onnx.perm = [0 : si64, 2 : si64, 1 : si64, 3 : si64]} : (!torch.vtensor<[3,2,3,2],f32>) -> !torch.vtensor<[3,3,2,2],f32>
  %z = torch.operator "onnx.Reshape"(%t, %shape) : (!torch.vtensor<[3,3,2,2],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,3,4],f32>
  %b = torch.operator "onnx.LSTM"(%z, %w_b, %r_b) {torch.onnx.direction = "bidirectional", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[3,3,4],f32>, !torch.vtensor<[2,8,4],f32>, !torch.vtensor<[2,8,2],f32>) -> !torch.vtensor<[3,2,3,2],f32> loc("upper")
  return %b : !torch.vtensor<[3,2,3,2],f32>
}

// Layers of other sizes stay apart.
// CHECK-LABEL: func.func @unlike(
//   CHECK-NOT: axis -4
func.func @unlike(%x: !torch.vtensor<[3,3,4],f32>, %v: !torch.vtensor<[4,3,4],f32>, %w_a: !torch.vtensor<[2,8,4],f32>, %r_a: !torch.vtensor<[2,8,2],f32>, %w_b: !torch.vtensor<[2,8,4],f32>, %r_b: !torch.vtensor<[2,8,2],f32>) -> (!torch.vtensor<[3,2,3,2],f32>, !torch.vtensor<[4,2,3,2],f32>) attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %a = torch.operator "onnx.LSTM"(%x, %w_a, %r_a) {torch.onnx.direction = "bidirectional", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[3,3,4],f32>, !torch.vtensor<[2,8,4],f32>, !torch.vtensor<[2,8,2],f32>) -> !torch.vtensor<[3,2,3,2],f32> loc("three")
  %b = torch.operator "onnx.LSTM"(%v, %w_b, %r_b) {torch.onnx.direction = "bidirectional", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[4,3,4],f32>, !torch.vtensor<[2,8,4],f32>, !torch.vtensor<[2,8,2],f32>) -> !torch.vtensor<[4,2,3,2],f32> loc("four")
  return %a, %b : !torch.vtensor<[3,2,3,2],f32>, !torch.vtensor<[4,2,3,2],f32>
}

// So do some of so few ops that joining and cutting takes more kernels.
// CHECK-LABEL: func.func @short(
//   CHECK-NOT: axis -4
func.func @short(%x: !torch.vtensor<[2,3,4],f32>, %w_a: !torch.vtensor<[1,2,4],f32>, %r_a: !torch.vtensor<[1,2,2],f32>, %w_b: !torch.vtensor<[1,2,4],f32>, %r_b: !torch.vtensor<[1,2,2],f32>) -> (!torch.vtensor<[2,1,3,2],f32>, !torch.vtensor<[2,1,3,2],f32>) attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %a = torch.operator "onnx.RNN"(%x, %w_a, %r_a) {torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[1,2,4],f32>, !torch.vtensor<[1,2,2],f32>) -> !torch.vtensor<[2,1,3,2],f32> loc("one")
  %b = torch.operator "onnx.RNN"(%x, %w_b, %r_b) {torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[1,2,4],f32>, !torch.vtensor<[1,2,2],f32>) -> !torch.vtensor<[2,1,3,2],f32> loc("other")
  return %a, %b : !torch.vtensor<[2,1,3,2],f32>, !torch.vtensor<[2,1,3,2],f32>
}
