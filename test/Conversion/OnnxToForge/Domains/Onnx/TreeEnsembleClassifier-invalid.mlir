// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @strings(%arg0: !torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>) attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsembleClassifier, opset 1): attribute 'classlabels_strings': the device has no strings; export int64 labels, or use --fallback=cpu}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r:2 = torch.operator "onnx.TreeEnsembleClassifier"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.class_treeids = [0 : si64, 0 : si64], torch.onnx.class_nodeids = [1 : si64, 2 : si64], torch.onnx.class_ids = [0 : si64, 1 : si64], torch.onnx.class_weights = [0.25 : f32, 0.75 : f32], torch.onnx.classlabels_strings = ["a", "b"]} : (!torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>)
  return %r#0, %r#1 : !torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>
}

// -----

func.func @one_label(%arg0: !torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>) attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsembleClassifier, opset 1): attribute 'classlabels_int64s' must have two labels or more}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r:2 = torch.operator "onnx.TreeEnsembleClassifier"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.class_treeids = [0 : si64, 0 : si64], torch.onnx.class_nodeids = [1 : si64, 2 : si64], torch.onnx.class_ids = [0 : si64, 1 : si64], torch.onnx.class_weights = [0.25 : f32, 0.75 : f32], torch.onnx.classlabels_int64s = [0 : si64]} : (!torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>)
  return %r#0, %r#1 : !torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>
}

// -----

func.func @no_tree(%arg0: !torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>) attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsembleClassifier, opset 1): there is no tree}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r:2 = torch.operator "onnx.TreeEnsembleClassifier"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [], torch.onnx.nodes_nodeids = [], torch.onnx.nodes_featureids = [], torch.onnx.nodes_modes = [], torch.onnx.nodes_values = [], torch.onnx.nodes_truenodeids = [], torch.onnx.nodes_falsenodeids = [], torch.onnx.class_treeids = [], torch.onnx.class_nodeids = [], torch.onnx.class_ids = [], torch.onnx.class_weights = [], torch.onnx.classlabels_int64s = [0 : si64, 1 : si64]} : (!torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>)
  return %r#0, %r#1 : !torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>
}

// -----

func.func @base_values(%arg0: !torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>) attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.TreeEnsembleClassifier, opset 1): base values of two classes, one of which gets no vote, are not supported}}
  // expected-note @+1 {{operands: ('tensor<3x2xf32>')}}
  %r:2 = torch.operator "onnx.TreeEnsembleClassifier"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [0.5 : f32, 0.0 : f32, 0.0 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.class_treeids = [0 : si64, 0 : si64], torch.onnx.class_nodeids = [1 : si64, 2 : si64], torch.onnx.class_ids = [1 : si64, 1 : si64], torch.onnx.class_weights = [0.25 : f32, 0.75 : f32], torch.onnx.classlabels_int64s = [0 : si64, 1 : si64], torch.onnx.base_values = [1.0 : f32, 2.0 : f32]} : (!torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>)
  return %r#0, %r#1 : !torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>
}
