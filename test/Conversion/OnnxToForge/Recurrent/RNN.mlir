// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// The steps are computed from the last to the first; steps beyond the sequence length leave the state unchanged.
// CHECK-LABEL: func.func @reverse(
// CHECK: %[[V0:.+]] = forge.constant dense<0.000000e+00> : tensor<1x1x2xf32>
// CHECK: %[[V1:.+]] = forge.reshape %arg4 shape [1, 1] : (tensor<1xi32>) -> tensor<1x1xi32>
// CHECK: %[[V2:.+]] = forge.reshape %arg2 shape [2, 2] : (tensor<1x2x2xf32>) -> tensor<2x2xf32>
// CHECK: %[[V3:.+]] = forge.transpose %[[V2]] dims -2, -1 : tensor<2x2xf32>
// CHECK: %[[V4:.+]] = forge.reshape %arg1 shape [2, 3] : (tensor<1x2x3xf32>) -> tensor<2x3xf32>
// CHECK: %[[V5:.+]] = forge.transpose %[[V4]] dims -2, -1 : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK: %[[V6:.+]] = forge.matmul %arg0, %[[V5]] : (tensor<2x1x3xf32>, tensor<3x2xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V7:.+]] = forge.reshape %arg3 shape [4] : (tensor<1x4xf32>) -> tensor<4xf32>
// CHECK: %[[V8:.+]] = forge.strided_slice %[[V7]] dim 0 [0:2] : (tensor<4xf32>) -> tensor<2xf32>
// CHECK: %[[V9:.+]] = forge.strided_slice %[[V7]] dim 0 [2:4] : (tensor<4xf32>) -> tensor<2xf32>
// CHECK: %[[V10:.+]] = forge.add %[[V8]], %[[V9]] : tensor<2xf32>
// CHECK: %[[V11:.+]] = forge.add %[[V6]], %[[V10]] : (tensor<2x1x2xf32>, tensor<2xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V12:.+]] = forge.strided_slice %[[V11]] dim 0 [1:2] : (tensor<2x1x2xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V13:.+]] = forge.matmul %[[V0]], %[[V3]] : (tensor<1x1x2xf32>, tensor<2x2xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V14:.+]] = forge.add %[[V12]], %[[V13]] : tensor<1x1x2xf32>
// CHECK: %[[V15:.+]] = forge.tanh %[[V14]] : tensor<1x1x2xf32>
// CHECK: %[[V16:.+]] = forge.constant dense<1> : tensor<1x1x1xi32>
// CHECK: %[[V17:.+]] = forge.greater %[[V1]], %[[V16]] : (tensor<1x1xi32>, tensor<1x1x1xi32>) -> tensor<1x1x1xi32>
// CHECK: %[[V18:.+]] = forge.cast %[[V17]] dtype i1 : (tensor<1x1x1xi32>) -> tensor<1x1x1xi1>
// CHECK: %[[V19:.+]] = forge.where %[[V18]], %[[V15]], %[[V0]] : (tensor<1x1x1xi1>, tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V20:.+]] = forge.strided_slice %[[V11]] dim 0 [0:1] : (tensor<2x1x2xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V21:.+]] = forge.matmul %[[V19]], %[[V3]] : (tensor<1x1x2xf32>, tensor<2x2xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V22:.+]] = forge.add %[[V20]], %[[V21]] : tensor<1x1x2xf32>
// CHECK: %[[V23:.+]] = forge.tanh %[[V22]] : tensor<1x1x2xf32>
// CHECK: %[[V24:.+]] = forge.constant dense<0> : tensor<1x1x1xi32>
// CHECK: %[[V25:.+]] = forge.greater %[[V1]], %[[V24]] : (tensor<1x1xi32>, tensor<1x1x1xi32>) -> tensor<1x1x1xi32>
// CHECK: %[[V26:.+]] = forge.cast %[[V25]] dtype i1 : (tensor<1x1x1xi32>) -> tensor<1x1x1xi1>
// CHECK: %[[V27:.+]] = forge.where %[[V26]], %[[V23]], %[[V19]] : (tensor<1x1x1xi1>, tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V28:.+]] = forge.concatenate %[[V27]], %[[V19]] axis -3 : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V29:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V30:.+]] = forge.constant dense<{{\[\[\[0\]\], \[\[1\]\]\]}}> : tensor<2x1x1xi32>
// CHECK: %[[V31:.+]] = forge.greater %[[V1]], %[[V30]] : (tensor<1x1xi32>, tensor<2x1x1xi32>) -> tensor<2x1x1xi32>
// CHECK: %[[V32:.+]] = forge.cast %[[V31]] dtype i1 : (tensor<2x1x1xi32>) -> tensor<2x1x1xi1>
// CHECK: %[[V33:.+]] = forge.where %[[V32]], %[[V28]], %[[V29]] : (tensor<2x1x1xi1>, tensor<2x1x2xf32>, tensor<f32>) -> tensor<2x1x2xf32>
// CHECK: %[[V34:.+]] = forge.reshape %[[V33]] shape [2, 1, 1, 2] : (tensor<2x1x2xf32>) -> tensor<2x1x1x2xf32>
// CHECK-NEXT: return %[[V34]] : tensor<2x1x1x2xf32>
func.func @reverse(%x: !torch.vtensor<[2,1,3],f32>, %w: !torch.vtensor<[1,2,3],f32>, %r: !torch.vtensor<[1,2,2],f32>, %c: !torch.vtensor<[1,4],f32>, %l: !torch.vtensor<[1],si32>) -> (!torch.vtensor<[2,1,1,2],f32>) attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %out = torch.operator "onnx.RNN"(%x, %w, %r, %c, %l) {torch.onnx.direction = "reverse", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[2,1,3],f32>, !torch.vtensor<[1,2,3],f32>, !torch.vtensor<[1,2,2],f32>, !torch.vtensor<[1,4],f32>, !torch.vtensor<[1],si32>) -> !torch.vtensor<[2,1,1,2],f32>
  return %out : !torch.vtensor<[2,1,1,2],f32>
}

// Both directions are computed together in a batch of two. The inputs of a step are a strided slice of one product, and
// the states of both directions are put into the order of time at the end.
// CHECK-LABEL: func.func @bidirectional(
// CHECK: %[[V0:.+]] = forge.constant dense<0.000000e+00> : tensor<2x1x2xf32>
// CHECK: %[[V1:.+]] = forge.reshape %arg4 shape [1, 1] : (tensor<1xi32>) -> tensor<1x1xi32>
// CHECK: %[[V2:.+]] = forge.transpose %arg2 dims -2, -1 : tensor<2x2x2xf32>
// CHECK: %[[V3:.+]] = forge.reshape %arg0 shape [1, 3, 4] : (tensor<3x1x4xf32>) -> tensor<1x3x4xf32>
// CHECK: %[[V4:.+]] = forge.transpose %arg1 dims -2, -1 : (tensor<2x2x4xf32>) -> tensor<2x4x2xf32>
// CHECK: %[[V5:.+]] = forge.matmul %[[V3]], %[[V4]] : (tensor<1x3x4xf32>, tensor<2x4x2xf32>) -> tensor<2x3x2xf32>
// CHECK: %[[V6:.+]] = forge.reshape %arg3 shape [2, 1, 4] : (tensor<2x4xf32>) -> tensor<2x1x4xf32>
// CHECK: %[[V7:.+]] = forge.strided_slice %[[V6]] dim 2 [0:2] : (tensor<2x1x4xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V8:.+]] = forge.strided_slice %[[V6]] dim 2 [2:4] : (tensor<2x1x4xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V9:.+]] = forge.add %[[V7]], %[[V8]] : tensor<2x1x2xf32>
// CHECK: %[[V10:.+]] = forge.add %[[V5]], %[[V9]] : (tensor<2x3x2xf32>, tensor<2x1x2xf32>) -> tensor<2x3x2xf32>
// CHECK: %[[V11:.+]] = forge.reshape %[[V10]] shape [6, 1, 2] : (tensor<2x3x2xf32>) -> tensor<6x1x2xf32>
// CHECK: %[[V12:.+]] = forge.strided_slice %[[V11]] dim 0 [0:6:5] : (tensor<6x1x2xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V13:.+]] = forge.matmul %[[V0]], %[[V2]] : (tensor<2x1x2xf32>, tensor<2x2x2xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V14:.+]] = forge.add %[[V12]], %[[V13]] : tensor<2x1x2xf32>
// CHECK: %[[V15:.+]] = forge.tanh %[[V14]] : tensor<2x1x2xf32>
// CHECK: %[[V16:.+]] = forge.constant dense<{{\[\[\[}}0]], {{\[\[}}2]]]> : tensor<2x1x1xi32>
// CHECK: %[[V17:.+]] = forge.greater %[[V1]], %[[V16]] : (tensor<1x1xi32>, tensor<2x1x1xi32>) -> tensor<2x1x1xi32>
// CHECK: %[[V18:.+]] = forge.cast %[[V17]] dtype i1 : (tensor<2x1x1xi32>) -> tensor<2x1x1xi1>
// CHECK: %[[V19:.+]] = forge.where %[[V18]], %[[V15]], %[[V0]] : (tensor<2x1x1xi1>, tensor<2x1x2xf32>, tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V20:.+]] = forge.strided_slice %[[V11]] dim 0 [1:5:3] : (tensor<6x1x2xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V21:.+]] = forge.matmul %[[V19]], %[[V2]] : (tensor<2x1x2xf32>, tensor<2x2x2xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V22:.+]] = forge.add %[[V20]], %[[V21]] : tensor<2x1x2xf32>
// CHECK: %[[V23:.+]] = forge.tanh %[[V22]] : tensor<2x1x2xf32>
// CHECK: %[[V24:.+]] = forge.constant dense<1> : tensor<2x1x1xi32>
// CHECK: %[[V25:.+]] = forge.greater %[[V1]], %[[V24]] : (tensor<1x1xi32>, tensor<2x1x1xi32>) -> tensor<2x1x1xi32>
// CHECK: %[[V26:.+]] = forge.cast %[[V25]] dtype i1 : (tensor<2x1x1xi32>) -> tensor<2x1x1xi1>
// CHECK: %[[V27:.+]] = forge.where %[[V26]], %[[V23]], %[[V19]] : (tensor<2x1x1xi1>, tensor<2x1x2xf32>, tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V28:.+]] = forge.strided_slice %[[V11]] dim 0 [2:4] : (tensor<6x1x2xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V29:.+]] = forge.matmul %[[V27]], %[[V2]] : (tensor<2x1x2xf32>, tensor<2x2x2xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V30:.+]] = forge.add %[[V28]], %[[V29]] : tensor<2x1x2xf32>
// CHECK: %[[V31:.+]] = forge.tanh %[[V30]] : tensor<2x1x2xf32>
// CHECK: %[[V32:.+]] = forge.constant dense<{{\[\[\[}}2]], {{\[\[}}0]]]> : tensor<2x1x1xi32>
// CHECK: %[[V33:.+]] = forge.greater %[[V1]], %[[V32]] : (tensor<1x1xi32>, tensor<2x1x1xi32>) -> tensor<2x1x1xi32>
// CHECK: %[[V34:.+]] = forge.cast %[[V33]] dtype i1 : (tensor<2x1x1xi32>) -> tensor<2x1x1xi1>
// CHECK: %[[V35:.+]] = forge.where %[[V34]], %[[V31]], %[[V27]] : (tensor<2x1x1xi1>, tensor<2x1x2xf32>, tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
// CHECK: %[[V36:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V37:.+]] = forge.constant dense<0> : tensor<1x1x1xi32>
// CHECK: %[[V38:.+]] = forge.greater %[[V1]], %[[V37]] : (tensor<1x1xi32>, tensor<1x1x1xi32>) -> tensor<1x1x1xi32>
// CHECK: %[[V39:.+]] = forge.cast %[[V38]] dtype i1 : (tensor<1x1x1xi32>) -> tensor<1x1x1xi1>
// CHECK: %[[V40:.+]] = forge.where %[[V39]], %[[V35]], %[[V36]] : (tensor<1x1x1xi1>, tensor<2x1x2xf32>, tensor<f32>) -> tensor<2x1x2xf32>
// CHECK: %[[V41:.+]] = forge.concatenate %[[V19]], %[[V27]], %[[V35]] axis -3 : (tensor<2x1x2xf32>, tensor<2x1x2xf32>, tensor<2x1x2xf32>) -> tensor<6x1x2xf32>
// CHECK: %[[V42:.+]] = forge.strided_slice %[[V41]] dim 0 [0:5:2] : (tensor<6x1x2xf32>) -> tensor<3x1x2xf32>
// CHECK: %[[V43:.+]] = forge.concatenate %[[V35]], %[[V27]], %[[V19]] axis -3 : (tensor<2x1x2xf32>, tensor<2x1x2xf32>, tensor<2x1x2xf32>) -> tensor<6x1x2xf32>
// CHECK: %[[V44:.+]] = forge.strided_slice %[[V43]] dim 0 [1:6:2] : (tensor<6x1x2xf32>) -> tensor<3x1x2xf32>
// CHECK: %[[V45:.+]] = forge.concatenate %[[V42]], %[[V44]] axis -1 : (tensor<3x1x2xf32>, tensor<3x1x2xf32>) -> tensor<3x1x4xf32>
// CHECK: %[[V46:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V47:.+]] = forge.constant dense<{{\[\[\[}}0]], {{\[\[}}1]], {{\[\[}}2]]]> : tensor<3x1x1xi32>
// CHECK: %[[V48:.+]] = forge.greater %[[V1]], %[[V47]] : (tensor<1x1xi32>, tensor<3x1x1xi32>) -> tensor<3x1x1xi32>
// CHECK: %[[V49:.+]] = forge.cast %[[V48]] dtype i1 : (tensor<3x1x1xi32>) -> tensor<3x1x1xi1>
// CHECK: %[[V50:.+]] = forge.where %[[V49]], %[[V45]], %[[V46]] : (tensor<3x1x1xi1>, tensor<3x1x4xf32>, tensor<f32>) -> tensor<3x1x4xf32>
// CHECK: %[[V51:.+]] = forge.reshape %[[V50]] shape [3, 1, 2, 2] : (tensor<3x1x4xf32>) -> tensor<3x1x2x2xf32>
// CHECK: %[[V52:.+]] = forge.transpose %[[V51]] dims -3, -2 : (tensor<3x1x2x2xf32>) -> tensor<3x2x1x2xf32>
// CHECK-NEXT: return %[[V52]], %[[V40]] : tensor<3x2x1x2xf32>, tensor<2x1x2xf32>
func.func @bidirectional(%x: !torch.vtensor<[3,1,4],f32>, %w: !torch.vtensor<[2,2,4],f32>, %r: !torch.vtensor<[2,2,2],f32>, %c: !torch.vtensor<[2,4],f32>, %l: !torch.vtensor<[1],si32>) -> (!torch.vtensor<[3,2,1,2],f32>, !torch.vtensor<[2,1,2],f32>) attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %y, %h = torch.operator "onnx.RNN"(%x, %w, %r, %c, %l) {torch.onnx.direction = "bidirectional", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[3,1,4],f32>, !torch.vtensor<[2,2,4],f32>, !torch.vtensor<[2,2,2],f32>, !torch.vtensor<[2,4],f32>, !torch.vtensor<[1],si32>) -> (!torch.vtensor<[3,2,1,2],f32>, !torch.vtensor<[2,1,2],f32>)
  return %y, %h : !torch.vtensor<[3,2,1,2],f32>, !torch.vtensor<[2,1,2],f32>
}

// Directions with different activations, by name or by parameter, are computed one after the other.
// CHECK-LABEL: func.func @different_activations(
// CHECK-COUNT-2: forge.tanh %{{.*}} : tensor<1x1x2xf32>
// CHECK-COUNT-2: forge.relu %{{.*}} : tensor<1x1x2xf32>
// CHECK-NOT: forge.relu
func.func @different_activations(%x: !torch.vtensor<[2,1,4],f32>, %w: !torch.vtensor<[2,2,4],f32>, %r: !torch.vtensor<[2,2,2],f32>) -> (!torch.vtensor<[2,2,1,2],f32>) attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %y = torch.operator "onnx.RNN"(%x, %w, %r) {torch.onnx.activations = ["Tanh", "Relu"], torch.onnx.direction = "bidirectional", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[2,1,4],f32>, !torch.vtensor<[2,2,4],f32>, !torch.vtensor<[2,2,2],f32>) -> !torch.vtensor<[2,2,1,2],f32>
  return %y : !torch.vtensor<[2,2,1,2],f32>
}

// CHECK-LABEL: func.func @different_alpha(
// CHECK-COUNT-2: forge.leaky_relu %{{.*}} alpha 1.000000e-01 : tensor<1x1x2xf32>
// CHECK-COUNT-2: forge.leaky_relu %{{.*}} alpha 2.000000e-01 : tensor<1x1x2xf32>
// CHECK-NOT: forge.leaky_relu
func.func @different_alpha(%x: !torch.vtensor<[2,1,4],f32>, %w: !torch.vtensor<[2,2,4],f32>, %r: !torch.vtensor<[2,2,2],f32>) -> (!torch.vtensor<[2,2,1,2],f32>) attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %y = torch.operator "onnx.RNN"(%x, %w, %r) {torch.onnx.activations = ["LeakyRelu", "LeakyRelu"], torch.onnx.activation_alpha = [1.000000e-01 : f32, 2.000000e-01 : f32], torch.onnx.direction = "bidirectional", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[2,1,4],f32>, !torch.vtensor<[2,2,4],f32>, !torch.vtensor<[2,2,2],f32>) -> !torch.vtensor<[2,2,1,2],f32>
  return %y : !torch.vtensor<[2,2,1,2],f32>
}
