// RUN: forge-opt %s --convert-onnx-to-forge --forge-lower-strided-slice --forge-join-recurrent | FileCheck %s
// RUN: forge-opt %s --convert-onnx-to-forge --forge-lower-strided-slice --strip-debuginfo --forge-join-recurrent | FileCheck %s

// Two independent layers, with a user of the first one between them: beginning with the slices of the first step, each
// op is computed once for both layers, and the users of the results are moved after it.
// CHECK-LABEL: func.func @independent_layers(
// CHECK-COUNT-2: forge.matmul %{{.+}} -> tensor<2x9x8xf32>
// CHECK-DAG: %[[X0:.+]] = forge.reshape %{{.+}} shape [1, 6, 3, 8] : (tensor<6x3x8xf32>)
// CHECK-DAG: %[[X1:.+]] = forge.reshape %{{.+}} shape [1, 6, 3, 8] : (tensor<6x3x8xf32>)
//     CHECK: %[[X:.+]] = forge.concatenate %[[X0]], %[[X1]] axis -4
// CHECK-DAG: forge.index %[[X]] dim -3 [0:6:5] : (tensor<2x6x3x8xf32>) -> tensor<2x2x3x8xf32>
// CHECK-DAG: %[[H:.+]] = forge.constant dense<0.000000e+00> : tensor<2x2x3x2xf32>
// CHECK-DAG: %[[R:.+]] = forge.concatenate %{{.+}}, %{{.+}} axis -4 : (tensor<1x2x2x8xf32>, tensor<1x2x2x8xf32>)
//     CHECK: forge.matmul %[[H]], %[[R]] : (tensor<2x2x3x2xf32>, tensor<2x2x2x8xf32>) -> tensor<2x2x3x8xf32>
// CHECK-COUNT-2: forge.matmul %{{.+}}, %[[R]] : (tensor<2x2x3x2xf32>, tensor<2x2x2x8xf32>) -> tensor<2x2x3x8xf32>
// CHECK-NOT: forge.matmul
//     CHECK: %[[Y:.+]] = forge.concatenate %{{.+}}, %{{.+}} axis -1 : {{.+}} -> tensor<2x3x3x4xf32>
// CHECK-DAG: %[[Y0:.+]] = forge.index %[[Y]] dim -4 [0:1]
// CHECK-DAG: %[[A0:.+]] = forge.reshape %[[Y0]] shape [3, 3, 4]
// CHECK-DAG: %[[A1:.+]] = forge.reshape %[[A0]] shape [3, 3, 2, 2]
// CHECK-DAG: %[[A:.+]] = forge.transpose %[[A1]]
// CHECK-DAG: %[[C:.+]] = forge.relu %[[A]]
// CHECK-DAG: %[[Y1:.+]] = forge.index %[[Y]] dim -4 [1:2]
// CHECK-DAG: %[[B0:.+]] = forge.reshape %[[Y1]] shape [3, 3, 4]
// CHECK-DAG: %[[B1:.+]] = forge.reshape %[[B0]] shape [3, 3, 2, 2]
// CHECK-DAG: %[[B:.+]] = forge.transpose %[[B1]]
//     CHECK: return %[[C]], %[[B]]
func.func @independent_layers(%x: !torch.vtensor<[3,3,4],f32>, %v: !torch.vtensor<[3,3,4],f32>, %w_a: !torch.vtensor<[2,8,4],f32>, %r_a: !torch.vtensor<[2,8,2],f32>, %w_b: !torch.vtensor<[2,8,4],f32>, %r_b: !torch.vtensor<[2,8,2],f32>) -> (!torch.vtensor<[3,2,3,2],f32>, !torch.vtensor<[3,2,3,2],f32>) attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %a = torch.operator "onnx.LSTM"(%x, %w_a, %r_a) {torch.onnx.direction = "bidirectional", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[3,3,4],f32>, !torch.vtensor<[2,8,4],f32>, !torch.vtensor<[2,8,2],f32>) -> !torch.vtensor<[3,2,3,2],f32> loc("rows")
  %c = torch.operator "onnx.Relu"(%a) : (!torch.vtensor<[3,2,3,2],f32>) -> !torch.vtensor<[3,2,3,2],f32> loc("between")
  %b = torch.operator "onnx.LSTM"(%v, %w_b, %r_b) {torch.onnx.direction = "bidirectional", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[3,3,4],f32>, !torch.vtensor<[2,8,4],f32>, !torch.vtensor<[2,8,2],f32>) -> !torch.vtensor<[3,2,3,2],f32> loc("columns")
  return %c, %b : !torch.vtensor<[3,2,3,2],f32>, !torch.vtensor<[3,2,3,2],f32>
}

// A layer that reads the results of another one cannot be merged with it.
// CHECK-LABEL: func.func @dependent_layers(
//   CHECK-NOT: axis -4
func.func @dependent_layers(%x: !torch.vtensor<[3,3,4],f32>, %w_a: !torch.vtensor<[2,8,4],f32>, %r_a: !torch.vtensor<[2,8,2],f32>, %w_b: !torch.vtensor<[2,8,4],f32>, %r_b: !torch.vtensor<[2,8,2],f32>) -> !torch.vtensor<[3,2,3,2],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %a = torch.operator "onnx.LSTM"(%x, %w_a, %r_a) {torch.onnx.direction = "bidirectional", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[3,3,4],f32>, !torch.vtensor<[2,8,4],f32>, !torch.vtensor<[2,8,2],f32>) -> !torch.vtensor<[3,2,3,2],f32> loc("lower")
  %shape = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[3, 3, 4]> : tensor<3xsi64>} : () -> !torch.vtensor<[3],si64>
  %t = torch.operator "onnx.Transpose"(%a) {torch.onnx.perm = [0 : si64, 2 : si64, 1 : si64, 3 : si64]} : (!torch.vtensor<[3,2,3,2],f32>) -> !torch.vtensor<[3,3,2,2],f32>
  %z = torch.operator "onnx.Reshape"(%t, %shape) : (!torch.vtensor<[3,3,2,2],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,3,4],f32>
  %b = torch.operator "onnx.LSTM"(%z, %w_b, %r_b) {torch.onnx.direction = "bidirectional", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[3,3,4],f32>, !torch.vtensor<[2,8,4],f32>, !torch.vtensor<[2,8,2],f32>) -> !torch.vtensor<[3,2,3,2],f32> loc("upper")
  return %b : !torch.vtensor<[3,2,3,2],f32>
}

// Layers of different sizes are not merged.
// CHECK-LABEL: func.func @different_sizes(
//   CHECK-NOT: axis -4
func.func @different_sizes(%x: !torch.vtensor<[3,3,4],f32>, %v: !torch.vtensor<[4,3,4],f32>, %w_a: !torch.vtensor<[2,8,4],f32>, %r_a: !torch.vtensor<[2,8,2],f32>, %w_b: !torch.vtensor<[2,8,4],f32>, %r_b: !torch.vtensor<[2,8,2],f32>) -> (!torch.vtensor<[3,2,3,2],f32>, !torch.vtensor<[4,2,3,2],f32>) attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %a = torch.operator "onnx.LSTM"(%x, %w_a, %r_a) {torch.onnx.direction = "bidirectional", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[3,3,4],f32>, !torch.vtensor<[2,8,4],f32>, !torch.vtensor<[2,8,2],f32>) -> !torch.vtensor<[3,2,3,2],f32> loc("three")
  %b = torch.operator "onnx.LSTM"(%v, %w_b, %r_b) {torch.onnx.direction = "bidirectional", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[4,3,4],f32>, !torch.vtensor<[2,8,4],f32>, !torch.vtensor<[2,8,2],f32>) -> !torch.vtensor<[4,2,3,2],f32> loc("four")
  return %a, %b : !torch.vtensor<[3,2,3,2],f32>, !torch.vtensor<[4,2,3,2],f32>
}

// Layers of few steps are not merged, because concatenating and slicing would take more kernels than are saved.
// CHECK-LABEL: func.func @few_steps(
//   CHECK-NOT: axis -4
func.func @few_steps(%x: !torch.vtensor<[2,3,4],f32>, %w_a: !torch.vtensor<[1,2,4],f32>, %r_a: !torch.vtensor<[1,2,2],f32>, %w_b: !torch.vtensor<[1,2,4],f32>, %r_b: !torch.vtensor<[1,2,2],f32>) -> (!torch.vtensor<[2,1,3,2],f32>, !torch.vtensor<[2,1,3,2],f32>) attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %a = torch.operator "onnx.RNN"(%x, %w_a, %r_a) {torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[1,2,4],f32>, !torch.vtensor<[1,2,2],f32>) -> !torch.vtensor<[2,1,3,2],f32> loc("one")
  %b = torch.operator "onnx.RNN"(%x, %w_b, %r_b) {torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[1,2,4],f32>, !torch.vtensor<[1,2,2],f32>) -> !torch.vtensor<[2,1,3,2],f32> loc("other")
  return %a, %b : !torch.vtensor<[2,1,3,2],f32>, !torch.vtensor<[2,1,3,2],f32>
}

// Both operands are the same value in the first layer, but different values in the second.
// CHECK-LABEL: func.func @equal_operands(
//      CHECK: %[[PQ:.+]] = forge.concatenate %{{.+}}, %{{.+}} axis -4 : (tensor<1x1x2x3xf32>, tensor<1x1x2x3xf32>) -> tensor<2x1x2x3xf32>
//      CHECK: %[[PR:.+]] = forge.concatenate %{{.+}}, %{{.+}} axis -4 : (tensor<1x1x2x3xf32>, tensor<1x1x2x3xf32>) -> tensor<2x1x2x3xf32>
//      CHECK: forge.concatenate %{{.+}}, %[[PQ]], %[[PR]] axis -1
func.func @equal_operands(%x: tensor<6x2x3xf32>, %y: tensor<6x2x3xf32>, %p: tensor<1x2x3xf32>, %q: tensor<1x2x3xf32>, %r: tensor<1x2x3xf32>) -> (tensor<1x2x3xf32>, tensor<1x2x3xf32>) {
  %wa = forge.parameter "wa" : tensor<9x3xf32>
  %wb = forge.parameter "wb" : tensor<9x3xf32>
  %ax0 = forge.index %x dim -3 [0:1] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32> loc("a")
  %ac0 = forge.concatenate %ax0, %p, %p axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32> loc("a")
  %am0 = forge.matmul %ac0, %wa : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32> loc("a")
  %ah0 = forge.tanh %am0 : tensor<1x2x3xf32> loc("a")
  %ax1 = forge.index %x dim -3 [1:2] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32> loc("a")
  %ac1 = forge.concatenate %ax1, %p, %p axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32> loc("a")
  %am1 = forge.matmul %ac1, %wa : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32> loc("a")
  %as1 = forge.add %am1, %ah0 : tensor<1x2x3xf32> loc("a")
  %ah1 = forge.tanh %as1 : tensor<1x2x3xf32> loc("a")
  %ax2 = forge.index %x dim -3 [2:3] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32> loc("a")
  %ac2 = forge.concatenate %ax2, %p, %p axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32> loc("a")
  %am2 = forge.matmul %ac2, %wa : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32> loc("a")
  %as2 = forge.add %am2, %ah1 : tensor<1x2x3xf32> loc("a")
  %ah2 = forge.tanh %as2 : tensor<1x2x3xf32> loc("a")
  %ax3 = forge.index %x dim -3 [3:4] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32> loc("a")
  %ac3 = forge.concatenate %ax3, %p, %p axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32> loc("a")
  %am3 = forge.matmul %ac3, %wa : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32> loc("a")
  %as3 = forge.add %am3, %ah2 : tensor<1x2x3xf32> loc("a")
  %ah3 = forge.tanh %as3 : tensor<1x2x3xf32> loc("a")
  %ax4 = forge.index %x dim -3 [4:5] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32> loc("a")
  %ac4 = forge.concatenate %ax4, %p, %p axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32> loc("a")
  %am4 = forge.matmul %ac4, %wa : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32> loc("a")
  %as4 = forge.add %am4, %ah3 : tensor<1x2x3xf32> loc("a")
  %ah4 = forge.tanh %as4 : tensor<1x2x3xf32> loc("a")
  %ax5 = forge.index %x dim -3 [5:6] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32> loc("a")
  %ac5 = forge.concatenate %ax5, %p, %p axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32> loc("a")
  %am5 = forge.matmul %ac5, %wa : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32> loc("a")
  %as5 = forge.add %am5, %ah4 : tensor<1x2x3xf32> loc("a")
  %ah5 = forge.tanh %as5 : tensor<1x2x3xf32> loc("a")
  %bx0 = forge.index %y dim -3 [0:1] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32> loc("b")
  %bc0 = forge.concatenate %bx0, %q, %r axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32> loc("b")
  %bm0 = forge.matmul %bc0, %wb : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32> loc("b")
  %bh0 = forge.tanh %bm0 : tensor<1x2x3xf32> loc("b")
  %bx1 = forge.index %y dim -3 [1:2] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32> loc("b")
  %bc1 = forge.concatenate %bx1, %q, %r axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32> loc("b")
  %bm1 = forge.matmul %bc1, %wb : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32> loc("b")
  %bs1 = forge.add %bm1, %bh0 : tensor<1x2x3xf32> loc("b")
  %bh1 = forge.tanh %bs1 : tensor<1x2x3xf32> loc("b")
  %bx2 = forge.index %y dim -3 [2:3] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32> loc("b")
  %bc2 = forge.concatenate %bx2, %q, %r axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32> loc("b")
  %bm2 = forge.matmul %bc2, %wb : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32> loc("b")
  %bs2 = forge.add %bm2, %bh1 : tensor<1x2x3xf32> loc("b")
  %bh2 = forge.tanh %bs2 : tensor<1x2x3xf32> loc("b")
  %bx3 = forge.index %y dim -3 [3:4] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32> loc("b")
  %bc3 = forge.concatenate %bx3, %q, %r axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32> loc("b")
  %bm3 = forge.matmul %bc3, %wb : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32> loc("b")
  %bs3 = forge.add %bm3, %bh2 : tensor<1x2x3xf32> loc("b")
  %bh3 = forge.tanh %bs3 : tensor<1x2x3xf32> loc("b")
  %bx4 = forge.index %y dim -3 [4:5] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32> loc("b")
  %bc4 = forge.concatenate %bx4, %q, %r axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32> loc("b")
  %bm4 = forge.matmul %bc4, %wb : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32> loc("b")
  %bs4 = forge.add %bm4, %bh3 : tensor<1x2x3xf32> loc("b")
  %bh4 = forge.tanh %bs4 : tensor<1x2x3xf32> loc("b")
  %bx5 = forge.index %y dim -3 [5:6] : (tensor<6x2x3xf32>) -> tensor<1x2x3xf32> loc("b")
  %bc5 = forge.concatenate %bx5, %q, %r axis -1 : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, tensor<1x2x3xf32>) -> tensor<1x2x9xf32> loc("b")
  %bm5 = forge.matmul %bc5, %wb : (tensor<1x2x9xf32>, tensor<9x3xf32>) -> tensor<1x2x3xf32> loc("b")
  %bs5 = forge.add %bm5, %bh4 : tensor<1x2x3xf32> loc("b")
  %bh5 = forge.tanh %bs5 : tensor<1x2x3xf32> loc("b")
  return %ah5, %bh5 : tensor<1x2x3xf32>, tensor<1x2x3xf32>
}

// Not merged beyond the step that both layers multiply by one value (%v) that depends on the first layer: the merged
// ops would be before this value.
// CHECK-LABEL: func.func @one_value_of_a_layer(
//   CHECK-NOT: axis -4
//       CHECK: %[[V:.+]] = forge.exp
// CHECK-COUNT-2: forge.multiply %{{.+}}, %[[V]] : (tensor<1x3x4xf32>, tensor<1x3x1xf32>)
func.func @one_value_of_a_layer(%x: tensor<5x3x4xf32>, %y: tensor<5x3x4xf32>, %h: tensor<1x3x4xf32>) -> (tensor<1x3x4xf32>, tensor<1x3x4xf32>) {
  %r = forge.parameter "r" : tensor<4x4xf32>
  %rb = forge.parameter "rb" : tensor<4x4xf32>
  %a0 = forge.tanh %h : tensor<1x3x4xf32>
  %b0 = forge.sigmoid %h : tensor<1x3x4xf32>
  %as0 = forge.index %x dim -3 [0:1] : (tensor<5x3x4xf32>) -> tensor<1x3x4xf32>
  %bs0 = forge.index %y dim -3 [0:1] : (tensor<5x3x4xf32>) -> tensor<1x3x4xf32>
  %as1 = forge.index %x dim -3 [1:2] : (tensor<5x3x4xf32>) -> tensor<1x3x4xf32>
  %bs1 = forge.index %y dim -3 [1:2] : (tensor<5x3x4xf32>) -> tensor<1x3x4xf32>
  %as2 = forge.index %x dim -3 [2:3] : (tensor<5x3x4xf32>) -> tensor<1x3x4xf32>
  %bs2 = forge.index %y dim -3 [2:3] : (tensor<5x3x4xf32>) -> tensor<1x3x4xf32>
  %as3 = forge.index %x dim -3 [3:4] : (tensor<5x3x4xf32>) -> tensor<1x3x4xf32>
  %bs3 = forge.index %y dim -3 [3:4] : (tensor<5x3x4xf32>) -> tensor<1x3x4xf32>
  %as4 = forge.index %x dim -3 [4:5] : (tensor<5x3x4xf32>) -> tensor<1x3x4xf32>
  %bs4 = forge.index %y dim -3 [4:5] : (tensor<5x3x4xf32>) -> tensor<1x3x4xf32>
  %ap0 = forge.matmul %a0, %r : (tensor<1x3x4xf32>, tensor<4x4xf32>) -> tensor<1x3x4xf32>
  %aq0 = forge.add %ap0, %as0 : tensor<1x3x4xf32>
  %az0 = forge.tanh %aq0 : tensor<1x3x4xf32>
  %bp0 = forge.matmul %b0, %rb : (tensor<1x3x4xf32>, tensor<4x4xf32>) -> tensor<1x3x4xf32>
  %bq0 = forge.add %bp0, %bs0 : tensor<1x3x4xf32>
  %bz0 = forge.tanh %bq0 : tensor<1x3x4xf32>
  %ap1 = forge.matmul %az0, %r : (tensor<1x3x4xf32>, tensor<4x4xf32>) -> tensor<1x3x4xf32>
  %aq1 = forge.add %ap1, %as1 : tensor<1x3x4xf32>
  %az1 = forge.tanh %aq1 : tensor<1x3x4xf32>
  %bp1 = forge.matmul %bz0, %rb : (tensor<1x3x4xf32>, tensor<4x4xf32>) -> tensor<1x3x4xf32>
  %bq1 = forge.add %bp1, %bs1 : tensor<1x3x4xf32>
  %bz1 = forge.tanh %bq1 : tensor<1x3x4xf32>
  %ap2 = forge.matmul %az1, %r : (tensor<1x3x4xf32>, tensor<4x4xf32>) -> tensor<1x3x4xf32>
  %aq2 = forge.add %ap2, %as2 : tensor<1x3x4xf32>
  %az2 = forge.tanh %aq2 : tensor<1x3x4xf32>
  %bp2 = forge.matmul %bz1, %rb : (tensor<1x3x4xf32>, tensor<4x4xf32>) -> tensor<1x3x4xf32>
  %bq2 = forge.add %bp2, %bs2 : tensor<1x3x4xf32>
  %bz2 = forge.tanh %bq2 : tensor<1x3x4xf32>
  %v0 = forge.reduce_sum %az2 dim -1 keep_dim : (tensor<1x3x4xf32>) -> tensor<1x3x1xf32>
  %v = forge.exp %v0 : tensor<1x3x1xf32>
  %ap3 = forge.matmul %az2, %r : (tensor<1x3x4xf32>, tensor<4x4xf32>) -> tensor<1x3x4xf32>
  %aq3 = forge.add %ap3, %as3 : tensor<1x3x4xf32>
  %az3 = forge.tanh %aq3 : tensor<1x3x4xf32>
  %ay3 = forge.multiply %az3, %v : (tensor<1x3x4xf32>, tensor<1x3x1xf32>) -> tensor<1x3x4xf32>
  %bp3 = forge.matmul %bz2, %rb : (tensor<1x3x4xf32>, tensor<4x4xf32>) -> tensor<1x3x4xf32>
  %bq3 = forge.add %bp3, %bs3 : tensor<1x3x4xf32>
  %bz3 = forge.tanh %bq3 : tensor<1x3x4xf32>
  %by3 = forge.multiply %bz3, %v : (tensor<1x3x4xf32>, tensor<1x3x1xf32>) -> tensor<1x3x4xf32>
  %ap4 = forge.matmul %ay3, %r : (tensor<1x3x4xf32>, tensor<4x4xf32>) -> tensor<1x3x4xf32>
  %aq4 = forge.add %ap4, %as4 : tensor<1x3x4xf32>
  %az4 = forge.tanh %aq4 : tensor<1x3x4xf32>
  %bp4 = forge.matmul %by3, %rb : (tensor<1x3x4xf32>, tensor<4x4xf32>) -> tensor<1x3x4xf32>
  %bq4 = forge.add %bp4, %bs4 : tensor<1x3x4xf32>
  %bz4 = forge.tanh %bq4 : tensor<1x3x4xf32>
  return %az4, %bz4 : tensor<1x3x4xf32>, tensor<1x3x4xf32>
}

// An addition to a product with a bias is a kernel of its own, also for a single row: merging two layers of four steps
// saves some of these.
// CHECK-LABEL: func.func @biased_products(
// CHECK-COUNT-4: forge.matmul %{{.+}}, %{{.+}}, %{{.+}} : (tensor<2x1x2xf32>, tensor<2x2xf32>, tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
//   CHECK-NOT: forge.matmul
//       CHECK: return
func.func @biased_products(%x: tensor<4x1x2xf32>, %y: tensor<4x1x2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %pr = forge.parameter "pr" : tensor<2x2xf32>
  %pb = forge.parameter "pb" : tensor<2xf32>
  %ph0 = forge.parameter "ph" : tensor<1x2xf32>
  %qr = forge.parameter "qr" : tensor<2x2xf32>
  %qb = forge.parameter "qb" : tensor<2xf32>
  %qh0 = forge.parameter "qh" : tensor<1x2xf32>
  %pi0 = forge.index %x dim -3 [0:1] : (tensor<4x1x2xf32>) -> tensor<1x1x2xf32>
  %pj0 = forge.reshape %pi0 shape [1, 2] : (tensor<1x1x2xf32>) -> tensor<1x2xf32>
  %pm0 = forge.matmul %ph0, %pr, %pb : (tensor<1x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %ps0 = forge.add %pm0, %pj0 : tensor<1x2xf32>
  %ph1 = forge.tanh %ps0 : tensor<1x2xf32>
  %qi0 = forge.index %y dim -3 [0:1] : (tensor<4x1x2xf32>) -> tensor<1x1x2xf32>
  %qj0 = forge.reshape %qi0 shape [1, 2] : (tensor<1x1x2xf32>) -> tensor<1x2xf32>
  %qm0 = forge.matmul %qh0, %pr, %pb : (tensor<1x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %qs0 = forge.add %qm0, %qj0 : tensor<1x2xf32>
  %qh1 = forge.tanh %qs0 : tensor<1x2xf32>
  %pi1 = forge.index %x dim -3 [1:2] : (tensor<4x1x2xf32>) -> tensor<1x1x2xf32>
  %pj1 = forge.reshape %pi1 shape [1, 2] : (tensor<1x1x2xf32>) -> tensor<1x2xf32>
  %pm1 = forge.matmul %ph1, %pr, %pb : (tensor<1x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %ps1 = forge.add %pm1, %pj1 : tensor<1x2xf32>
  %ph2 = forge.tanh %ps1 : tensor<1x2xf32>
  %qi1 = forge.index %y dim -3 [1:2] : (tensor<4x1x2xf32>) -> tensor<1x1x2xf32>
  %qj1 = forge.reshape %qi1 shape [1, 2] : (tensor<1x1x2xf32>) -> tensor<1x2xf32>
  %qm1 = forge.matmul %qh1, %pr, %pb : (tensor<1x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %qs1 = forge.add %qm1, %qj1 : tensor<1x2xf32>
  %qh2 = forge.tanh %qs1 : tensor<1x2xf32>
  %pi2 = forge.index %x dim -3 [2:3] : (tensor<4x1x2xf32>) -> tensor<1x1x2xf32>
  %pj2 = forge.reshape %pi2 shape [1, 2] : (tensor<1x1x2xf32>) -> tensor<1x2xf32>
  %pm2 = forge.matmul %ph2, %pr, %pb : (tensor<1x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %ps2 = forge.add %pm2, %pj2 : tensor<1x2xf32>
  %ph3 = forge.tanh %ps2 : tensor<1x2xf32>
  %qi2 = forge.index %y dim -3 [2:3] : (tensor<4x1x2xf32>) -> tensor<1x1x2xf32>
  %qj2 = forge.reshape %qi2 shape [1, 2] : (tensor<1x1x2xf32>) -> tensor<1x2xf32>
  %qm2 = forge.matmul %qh2, %pr, %pb : (tensor<1x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %qs2 = forge.add %qm2, %qj2 : tensor<1x2xf32>
  %qh3 = forge.tanh %qs2 : tensor<1x2xf32>
  %pi3 = forge.index %x dim -3 [3:4] : (tensor<4x1x2xf32>) -> tensor<1x1x2xf32>
  %pj3 = forge.reshape %pi3 shape [1, 2] : (tensor<1x1x2xf32>) -> tensor<1x2xf32>
  %pm3 = forge.matmul %ph3, %pr, %pb : (tensor<1x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %ps3 = forge.add %pm3, %pj3 : tensor<1x2xf32>
  %ph4 = forge.tanh %ps3 : tensor<1x2xf32>
  %qi3 = forge.index %y dim -3 [3:4] : (tensor<4x1x2xf32>) -> tensor<1x1x2xf32>
  %qj3 = forge.reshape %qi3 shape [1, 2] : (tensor<1x1x2xf32>) -> tensor<1x2xf32>
  %qm3 = forge.matmul %qh3, %pr, %pb : (tensor<1x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %qs3 = forge.add %qm3, %qj3 : tensor<1x2xf32>
  %qh4 = forge.tanh %qs3 : tensor<1x2xf32>
  return %ph4, %qh4 : tensor<1x2xf32>, tensor<1x2xf32>
}
