// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @tree(
// CHECK: forge.strided_slice %arg0 dim 1 [1:2]
// CHECK: forge.less_equal
// CHECK: forge.matmul
// CHECK: forge.equal
// CHECK: forge.matmul
// CHECK: forge.reduce_sum
func.func @tree(%a0: !torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3,1],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0 = torch.operator "onnx.TreeEnsembleRegressor"(%a0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [5.000000e-01 : f32, 0.000000e+00 : f32, 0.000000e+00 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.target_treeids = [0 : si64, 0 : si64], torch.onnx.target_nodeids = [1 : si64, 2 : si64], torch.onnx.target_ids = [0 : si64, 0 : si64], torch.onnx.target_weights = [2.500000e-01 : f32, 7.500000e-01 : f32], torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %0 : !torch.vtensor<[3,1],f32>
}

// -----

func.func @cycle(%a0: !torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3,1],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{split 0 is reached twice, so this is no tree}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.TreeEnsembleRegressor"(%a0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [5.000000e-01 : f32, 0.000000e+00 : f32, 0.000000e+00 : f32], torch.onnx.nodes_truenodeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.target_treeids = [0 : si64, 0 : si64], torch.onnx.target_nodeids = [1 : si64, 2 : si64], torch.onnx.target_ids = [0 : si64, 0 : si64], torch.onnx.target_weights = [2.500000e-01 : f32, 7.500000e-01 : f32], torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %0 : !torch.vtensor<[3,1],f32>
}

// -----

func.func @vector(%a0: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[3,1],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 3 : si64}} {
  // expected-error @below {{expected an operand of rank 2, but got rank 1}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.TreeEnsembleRegressor"(%a0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [5.000000e-01 : f32, 0.000000e+00 : f32, 0.000000e+00 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.target_treeids = [0 : si64, 0 : si64], torch.onnx.target_nodeids = [1 : si64, 2 : si64], torch.onnx.target_ids = [0 : si64, 0 : si64], torch.onnx.target_weights = [2.500000e-01 : f32, 7.500000e-01 : f32], torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[3,1],f32>
  return %0 : !torch.vtensor<[3,1],f32>
}

// -----

func.func @transform(%a0: !torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3,1],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 5 : si64}} {
  // expected-error @below {{onnxruntime leaves this 'post_transform' of one target out; NONE and PROBIT are supported}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.TreeEnsembleRegressor"(%a0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [5.000000e-01 : f32, 0.000000e+00 : f32, 0.000000e+00 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.target_treeids = [0 : si64, 0 : si64], torch.onnx.target_nodeids = [1 : si64, 2 : si64], torch.onnx.target_ids = [0 : si64, 0 : si64], torch.onnx.target_weights = [2.500000e-01 : f32, 7.500000e-01 : f32], torch.onnx.n_targets = 1 : si64, torch.onnx.post_transform = "SOFTMAX"} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %0 : !torch.vtensor<[3,1],f32>
}
