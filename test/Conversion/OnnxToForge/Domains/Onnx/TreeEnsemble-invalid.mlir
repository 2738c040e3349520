// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @mode(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 5 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsemble, opset 5): attribute 'nodes_modes' has 7; the last mode is 6}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsemble"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.tree_roots = [0 : si64], torch.onnx.nodes_featureids = [0 : si64], torch.onnx.nodes_modes = dense<7> : tensor<1xui8>, torch.onnx.nodes_splits = dense<5.000000e-01> : tensor<1xf32>, torch.onnx.nodes_truenodeids = [0 : si64], torch.onnx.nodes_trueleafs = [1 : si64], torch.onnx.nodes_falsenodeids = [1 : si64], torch.onnx.nodes_falseleafs = [1 : si64], torch.onnx.leaf_targetids = [0 : si64, 0 : si64], torch.onnx.leaf_weights = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @mode_kind(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 5 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsemble, opset 5): attribute 'nodes_modes' is no tensor of integers}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsemble"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.tree_roots = [0 : si64], torch.onnx.nodes_featureids = [0 : si64], torch.onnx.nodes_modes = dense<4.0> : tensor<1xf32>, torch.onnx.nodes_splits = dense<5.000000e-01> : tensor<1xf32>, torch.onnx.nodes_truenodeids = [0 : si64], torch.onnx.nodes_trueleafs = [1 : si64], torch.onnx.nodes_falsenodeids = [1 : si64], torch.onnx.nodes_falseleafs = [1 : si64], torch.onnx.leaf_targetids = [0 : si64, 0 : si64], torch.onnx.leaf_weights = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @no_set(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 5 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsemble, opset 5): attribute 'membership_values' has no set for a BRANCH_MEMBER}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsemble"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.tree_roots = [0 : si64], torch.onnx.nodes_featureids = [0 : si64], torch.onnx.nodes_modes = dense<6> : tensor<1xui8>, torch.onnx.nodes_splits = dense<5.000000e-01> : tensor<1xf32>, torch.onnx.nodes_truenodeids = [0 : si64], torch.onnx.nodes_trueleafs = [1 : si64], torch.onnx.nodes_falsenodeids = [1 : si64], torch.onnx.nodes_falseleafs = [1 : si64], torch.onnx.leaf_targetids = [0 : si64, 0 : si64], torch.onnx.leaf_weights = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @too_many_sets(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 5 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsemble, opset 5): attribute 'membership_values' has more sets than there are BRANCH_MEMBERs}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsemble"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.tree_roots = [0 : si64], torch.onnx.nodes_featureids = [0 : si64], torch.onnx.nodes_modes = dense<4> : tensor<1xui8>, torch.onnx.nodes_splits = dense<5.000000e-01> : tensor<1xf32>, torch.onnx.nodes_truenodeids = [0 : si64], torch.onnx.nodes_trueleafs = [1 : si64], torch.onnx.nodes_falsenodeids = [1 : si64], torch.onnx.nodes_falseleafs = [1 : si64], torch.onnx.leaf_targetids = [0 : si64, 0 : si64], torch.onnx.leaf_weights = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, torch.onnx.n_targets = 1 : si64, torch.onnx.membership_values = dense<1.0> : tensor<1xf32>} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @no_such_leaf(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 5 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsemble, opset 5): attribute 'nodes_truenodeids' names leaf 2 of 2}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsemble"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.tree_roots = [0 : si64], torch.onnx.nodes_featureids = [0 : si64], torch.onnx.nodes_modes = dense<4> : tensor<1xui8>, torch.onnx.nodes_splits = dense<5.000000e-01> : tensor<1xf32>, torch.onnx.nodes_truenodeids = [2 : si64], torch.onnx.nodes_trueleafs = [1 : si64], torch.onnx.nodes_falsenodeids = [1 : si64], torch.onnx.nodes_falseleafs = [1 : si64], torch.onnx.leaf_targetids = [0 : si64, 0 : si64], torch.onnx.leaf_weights = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @root(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 5 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsemble, opset 5): attribute 'tree_roots' names split 1 of 1}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsemble"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.tree_roots = [1 : si64], torch.onnx.nodes_featureids = [0 : si64], torch.onnx.nodes_modes = dense<4> : tensor<1xui8>, torch.onnx.nodes_splits = dense<5.000000e-01> : tensor<1xf32>, torch.onnx.nodes_truenodeids = [0 : si64], torch.onnx.nodes_trueleafs = [1 : si64], torch.onnx.nodes_falsenodeids = [1 : si64], torch.onnx.nodes_falseleafs = [1 : si64], torch.onnx.leaf_targetids = [0 : si64, 0 : si64], torch.onnx.leaf_weights = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @transform(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 5 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsemble, opset 5): attribute 'post_transform' must be below 5, but is 5}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsemble"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.tree_roots = [0 : si64], torch.onnx.nodes_featureids = [0 : si64], torch.onnx.nodes_modes = dense<4> : tensor<1xui8>, torch.onnx.nodes_splits = dense<5.000000e-01> : tensor<1xf32>, torch.onnx.nodes_truenodeids = [0 : si64], torch.onnx.nodes_trueleafs = [1 : si64], torch.onnx.nodes_falsenodeids = [1 : si64], torch.onnx.nodes_falseleafs = [1 : si64], torch.onnx.leaf_targetids = [0 : si64, 0 : si64], torch.onnx.leaf_weights = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, torch.onnx.n_targets = 1 : si64, torch.onnx.post_transform = 5 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}

// -----

func.func @lengths(%arg0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 5 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsemble, opset 5): expected 1 entries in attribute 'leaf_weights', but got 2}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r = torch.operator "onnx.TreeEnsemble"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.tree_roots = [0 : si64], torch.onnx.nodes_featureids = [0 : si64], torch.onnx.nodes_modes = dense<4> : tensor<1xui8>, torch.onnx.nodes_splits = dense<5.000000e-01> : tensor<1xf32>, torch.onnx.nodes_truenodeids = [0 : si64], torch.onnx.nodes_trueleafs = [1 : si64], torch.onnx.nodes_falsenodeids = [1 : si64], torch.onnx.nodes_falseleafs = [1 : si64], torch.onnx.leaf_targetids = [0 : si64], torch.onnx.leaf_weights = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %r : !torch.vtensor<[3,1],f32>
}
