// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @operand(%arg0: !torch.vtensor<[3,2],f16>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsembleRegressor, opset 1): expected an operand of float32, float64, int32 or int64}}
  // expected-note @+1 {{operands: ('tensor<3x2xf16>')}}
  %r = torch.operator "onnx.TreeEnsembleRegressor"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.target_treeids = [0 : si64, 0 : si64], torch.onnx.target_nodeids = [1 : si64, 2 : si64], torch.onnx.target_ids = [0 : si64, 0 : si64], torch.onnx.target_weights = [0.25 : f32, 0.75 : f32], torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f16>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @rank(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsembleRegressor, opset 1): expected an operand of rank 2, but got rank 1}}
  // expected-note @+1 {{operands: ('tensor<2xf32>')}}
  %r = torch.operator "onnx.TreeEnsembleRegressor"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.target_treeids = [0 : si64, 0 : si64], torch.onnx.target_nodeids = [1 : si64, 2 : si64], torch.onnx.target_ids = [0 : si64, 0 : si64], torch.onnx.target_weights = [0.25 : f32, 0.75 : f32], torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @targets(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{[FM1105] node '' (ai.onnx.ml.TreeEnsembleRegressor, opset 1): attribute 'n_targets' must be between 1 and 2^20, but is 0}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsembleRegressor"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.target_treeids = [0 : si64, 0 : si64], torch.onnx.target_nodeids = [1 : si64, 2 : si64], torch.onnx.target_ids = [0 : si64, 0 : si64], torch.onnx.target_weights = [0.25 : f32, 0.75 : f32], torch.onnx.n_targets = 0 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @transform(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsembleRegressor, opset 1): attribute 'post_transform' must be one of NONE, SOFTMAX, LOGISTIC, SOFTMAX_ZERO, PROBIT}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsembleRegressor"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.target_treeids = [0 : si64, 0 : si64], torch.onnx.target_nodeids = [1 : si64, 2 : si64], torch.onnx.target_ids = [0 : si64, 0 : si64], torch.onnx.target_weights = [0.25 : f32, 0.75 : f32], torch.onnx.n_targets = 1 : si64, torch.onnx.post_transform = "SQUARE"} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @transform_of_one(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsembleRegressor, opset 1): onnxruntime leaves this 'post_transform' of one target out; NONE and PROBIT are supported}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsembleRegressor"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.target_treeids = [0 : si64, 0 : si64], torch.onnx.target_nodeids = [1 : si64, 2 : si64], torch.onnx.target_ids = [0 : si64, 0 : si64], torch.onnx.target_weights = [0.25 : f32, 0.75 : f32], torch.onnx.n_targets = 1 : si64, torch.onnx.post_transform = "SOFTMAX"} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @aggregate(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsembleRegressor, opset 1): attribute 'aggregate_function' must be one of AVERAGE, SUM, MIN, MAX}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsembleRegressor"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.target_treeids = [0 : si64, 0 : si64], torch.onnx.target_nodeids = [1 : si64, 2 : si64], torch.onnx.target_ids = [0 : si64, 0 : si64], torch.onnx.target_weights = [0.25 : f32, 0.75 : f32], torch.onnx.n_targets = 1 : si64, torch.onnx.aggregate_function = "MEDIAN"} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @mode(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsembleRegressor, opset 1): attribute 'nodes_modes' names 'BRANCH_MEMBER'; LEAF and BRANCH_ with LEQ, LT, GTE, GT, EQ or NEQ are supported}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsembleRegressor"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_MEMBER", "LEAF", "LEAF"], torch.onnx.nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.target_treeids = [0 : si64, 0 : si64], torch.onnx.target_nodeids = [1 : si64, 2 : si64], torch.onnx.target_ids = [0 : si64, 0 : si64], torch.onnx.target_weights = [0.25 : f32, 0.75 : f32], torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @lengths(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsembleRegressor, opset 1): expected 3 entries in attribute 'nodes_featureids', but got 2}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsembleRegressor"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.target_treeids = [0 : si64, 0 : si64], torch.onnx.target_nodeids = [1 : si64, 2 : si64], torch.onnx.target_ids = [0 : si64, 0 : si64], torch.onnx.target_weights = [0.25 : f32, 0.75 : f32], torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @node_twice(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsembleRegressor, opset 1): tree 0 has node 1 twice}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsembleRegressor"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 1 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.target_treeids = [0 : si64, 0 : si64], torch.onnx.target_nodeids = [1 : si64, 2 : si64], torch.onnx.target_ids = [0 : si64, 0 : si64], torch.onnx.target_weights = [0.25 : f32, 0.75 : f32], torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @no_such_node(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsembleRegressor, opset 1): attribute 'nodes_truenodeids' names node 3, which tree 0 does not have}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsembleRegressor"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], torch.onnx.nodes_truenodeids = [3 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.target_treeids = [0 : si64, 0 : si64], torch.onnx.target_nodeids = [1 : si64, 2 : si64], torch.onnx.target_ids = [0 : si64, 0 : si64], torch.onnx.target_weights = [0.25 : f32, 0.75 : f32], torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @cycle(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsembleRegressor, opset 1): split 0 is reached twice, so this is no tree}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsembleRegressor"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], torch.onnx.nodes_truenodeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.target_treeids = [0 : si64, 0 : si64], torch.onnx.target_nodeids = [1 : si64, 2 : si64], torch.onnx.target_ids = [0 : si64, 0 : si64], torch.onnx.target_weights = [0.25 : f32, 0.75 : f32], torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @feature(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsembleRegressor, opset 1): a split tests feature 2 of an operand with 2}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsembleRegressor"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.target_treeids = [0 : si64, 0 : si64], torch.onnx.target_nodeids = [1 : si64, 2 : si64], torch.onnx.target_ids = [0 : si64, 0 : si64], torch.onnx.target_weights = [0.25 : f32, 0.75 : f32], torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @weight_of_split(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsembleRegressor, opset 1): node 0 of tree 0 has a weight, and is no leaf}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsembleRegressor"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.target_treeids = [0 : si64, 0 : si64], torch.onnx.target_nodeids = [0 : si64, 2 : si64], torch.onnx.target_ids = [0 : si64, 0 : si64], torch.onnx.target_weights = [0.25 : f32, 0.75 : f32], torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @no_weight(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsembleRegressor, opset 1): a leaf has no weight}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsembleRegressor"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.target_treeids = [0 : si64], torch.onnx.target_nodeids = [1 : si64], torch.onnx.target_ids = [0 : si64], torch.onnx.target_weights = [0.25 : f32], torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @vote_twice(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsembleRegressor, opset 1): a leaf votes for target 0 twice}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsembleRegressor"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.target_treeids = [0 : si64, 0 : si64], torch.onnx.target_nodeids = [1 : si64, 1 : si64], torch.onnx.target_ids = [0 : si64, 0 : si64], torch.onnx.target_weights = [0.25 : f32, 0.75 : f32], torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @no_such_target(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsembleRegressor, opset 1): a leaf votes for target 1 of 1}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsembleRegressor"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.target_treeids = [0 : si64, 0 : si64], torch.onnx.target_nodeids = [1 : si64, 2 : si64], torch.onnx.target_ids = [0 : si64, 1 : si64], torch.onnx.target_weights = [0.25 : f32, 0.75 : f32], torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @infinite(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{[FM1105] node '' (ai.onnx.ml.TreeEnsembleRegressor, opset 1): the weight of a leaf is not finite in float32}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsembleRegressor"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.target_treeids = [0 : si64, 0 : si64], torch.onnx.target_nodeids = [1 : si64, 2 : si64], torch.onnx.target_ids = [0 : si64, 0 : si64], torch.onnx.target_weights = [0.25 : f32, 0x7F800000 : f32], torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @nan(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{[FM1105] node '' (ai.onnx.ml.TreeEnsembleRegressor, opset 1): a split compares with nan, which is no float32 number}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsembleRegressor"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [0x7FC00000 : f32, 0.0 : f32, 0.0 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.target_treeids = [0 : si64, 0 : si64], torch.onnx.target_nodeids = [1 : si64, 2 : si64], torch.onnx.target_ids = [0 : si64, 0 : si64], torch.onnx.target_weights = [0.25 : f32, 0.75 : f32], torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @base_values(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsembleRegressor, opset 1): expected 1 entries in attribute 'base_values', but got 2}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsembleRegressor"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.target_treeids = [0 : si64, 0 : si64], torch.onnx.target_nodeids = [1 : si64, 2 : si64], torch.onnx.target_ids = [0 : si64, 0 : si64], torch.onnx.target_weights = [0.25 : f32, 0.75 : f32], torch.onnx.n_targets = 1 : si64, torch.onnx.base_values = [1.0 : f32, 2.0 : f32]} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}
