// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @equal(
// CHECK: forge.equal
// CHECK: forge.matmul
// CHECK: forge.equal
// CHECK: forge.matmul
// CHECK: forge.reduce_sum
func.func @equal(%a0: !torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3,1],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 5 : si64}} {
  %0 = torch.operator "onnx.TreeEnsemble"(%a0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.tree_roots = [0 : si64], torch.onnx.nodes_featureids = [0 : si64], torch.onnx.nodes_modes = dense<4> : tensor<1xui8>, torch.onnx.nodes_splits = dense<5.000000e-01> : tensor<1xf32>, torch.onnx.nodes_truenodeids = [0 : si64], torch.onnx.nodes_trueleafs = [1 : si64], torch.onnx.nodes_falsenodeids = [1 : si64], torch.onnx.nodes_falseleafs = [1 : si64], torch.onnx.leaf_targetids = [0 : si64, 0 : si64], torch.onnx.leaf_weights = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %0 : !torch.vtensor<[3,1],f32>
}

// -----

// CHECK-LABEL: func.func @members(
// CHECK: forge.equal
// CHECK: forge.equal
// CHECK: forge.max
// CHECK: forge.matmul
func.func @members(%a0: !torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3,1],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 5 : si64}} {
  %0 = torch.operator "onnx.TreeEnsemble"(%a0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.tree_roots = [0 : si64], torch.onnx.nodes_featureids = [0 : si64], torch.onnx.nodes_modes = dense<6> : tensor<1xui8>, torch.onnx.nodes_splits = dense<5.000000e-01> : tensor<1xf32>, torch.onnx.nodes_truenodeids = [0 : si64], torch.onnx.nodes_trueleafs = [1 : si64], torch.onnx.nodes_falsenodeids = [1 : si64], torch.onnx.nodes_falseleafs = [1 : si64], torch.onnx.leaf_targetids = [0 : si64, 0 : si64], torch.onnx.leaf_weights = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, torch.onnx.n_targets = 1 : si64, torch.onnx.membership_values = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %0 : !torch.vtensor<[3,1],f32>
}

// -----

func.func @between(%a0: !torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3,1],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 5 : si64}} {
  // expected-error @below {{a split compares with 0.100000, which is no float32 number}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.TreeEnsemble"(%a0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.tree_roots = [0 : si64], torch.onnx.nodes_featureids = [0 : si64], torch.onnx.nodes_modes = dense<4> : tensor<1xui8>, torch.onnx.nodes_splits = dense<1.000000e-01> : tensor<1xf64>, torch.onnx.nodes_truenodeids = [0 : si64], torch.onnx.nodes_trueleafs = [1 : si64], torch.onnx.nodes_falsenodeids = [1 : si64], torch.onnx.nodes_falseleafs = [1 : si64], torch.onnx.leaf_targetids = [0 : si64, 0 : si64], torch.onnx.leaf_weights = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %0 : !torch.vtensor<[3,1],f32>
}

// -----

func.func @target(%a0: !torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3,1],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 5 : si64}} {
  // expected-error @below {{a leaf votes for target 1 of 1}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.TreeEnsemble"(%a0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.tree_roots = [0 : si64], torch.onnx.nodes_featureids = [0 : si64], torch.onnx.nodes_modes = dense<4> : tensor<1xui8>, torch.onnx.nodes_splits = dense<5.000000e-01> : tensor<1xf32>, torch.onnx.nodes_truenodeids = [0 : si64], torch.onnx.nodes_trueleafs = [1 : si64], torch.onnx.nodes_falsenodeids = [1 : si64], torch.onnx.nodes_falseleafs = [1 : si64], torch.onnx.leaf_targetids = [0 : si64, 1 : si64], torch.onnx.leaf_weights = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, torch.onnx.n_targets = 1 : si64} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,1],f32>
  return %0 : !torch.vtensor<[3,1],f32>
}
