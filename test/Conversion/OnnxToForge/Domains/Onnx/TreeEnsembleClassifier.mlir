// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @two_classes(
// CHECK: forge.less_equal
// CHECK: forge.matmul
// CHECK: forge.equal
// CHECK: forge.matmul
// CHECK: forge.greater
// CHECK: forge.concatenate
func.func @two_classes(%a0: !torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0:2 = torch.operator "onnx.TreeEnsembleClassifier"(%a0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [5.000000e-01 : f32, 0.000000e+00 : f32, 0.000000e+00 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.class_treeids = [0 : si64, 0 : si64], torch.onnx.class_nodeids = [1 : si64, 2 : si64], torch.onnx.class_ids = [0 : si64, 0 : si64], torch.onnx.class_weights = [2.500000e-01 : f32, 7.500000e-01 : f32], torch.onnx.classlabels_int64s = [0 : si64, 1 : si64]} : (!torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>)
  return %0#0, %0#1 : !torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>
}

// -----

// CHECK-LABEL: func.func @three_classes(
// CHECK: forge.where
// CHECK: forge.argmax
// CHECK: forge.adv_index
func.func @three_classes(%a0: !torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3],si64>, !torch.vtensor<[3,3],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 3 : si64}} {
  %0:2 = torch.operator "onnx.TreeEnsembleClassifier"(%a0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [5.000000e-01 : f32, 0.000000e+00 : f32, 0.000000e+00 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.class_treeids = [0 : si64, 0 : si64], torch.onnx.class_nodeids = [1 : si64, 2 : si64], torch.onnx.class_ids = [0 : si64, 2 : si64], torch.onnx.class_weights = [2.500000e-01 : f32, 7.500000e-01 : f32], torch.onnx.classlabels_int64s = [4 : si64, 5 : si64, 6 : si64]} : (!torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3],si64>, !torch.vtensor<[3,3],f32>)
  return %0#0, %0#1 : !torch.vtensor<[3],si64>, !torch.vtensor<[3,3],f32>
}

// -----

func.func @both(%a0: !torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 3 : si64}} {
  // expected-error @below {{two classes that both get votes: onnxruntime's label is not the top class; --extract-outputs compiles the scores alone, --fallback=cpu runs it there}}
  // expected-note @below {{operands}}
  %0:2 = torch.operator "onnx.TreeEnsembleClassifier"(%a0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [5.000000e-01 : f32, 0.000000e+00 : f32, 0.000000e+00 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.class_treeids = [0 : si64, 0 : si64], torch.onnx.class_nodeids = [1 : si64, 2 : si64], torch.onnx.class_ids = [0 : si64, 1 : si64], torch.onnx.class_weights = [2.500000e-01 : f32, 7.500000e-01 : f32], torch.onnx.classlabels_int64s = [0 : si64, 1 : si64]} : (!torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>)
  return %0#0, %0#1 : !torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>
}

// -----

// CHECK-LABEL: func.func @scores_of_both(
// CHECK: forge.matmul
// CHECK: forge.equal
// CHECK: forge.matmul
// CHECK-NOT: forge.greater
func.func @scores_of_both(%a0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,2],f32>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 3 : si64}} {
  %0:2 = torch.operator "onnx.TreeEnsembleClassifier"(%a0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [5.000000e-01 : f32, 0.000000e+00 : f32, 0.000000e+00 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.class_treeids = [0 : si64, 0 : si64, 0 : si64, 0 : si64], torch.onnx.class_nodeids = [1 : si64, 1 : si64, 2 : si64, 2 : si64], torch.onnx.class_ids = [0 : si64, 1 : si64, 0 : si64, 1 : si64], torch.onnx.class_weights = [2.500000e-01 : f32, 7.500000e-01 : f32, 7.500000e-01 : f32, 2.500000e-01 : f32], torch.onnx.classlabels_int64s = [0 : si64, 1 : si64]} : (!torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>)
  return %0#1 : !torch.vtensor<[3,2],f32>
}

// -----

func.func @missing(%a0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,2],f32>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 3 : si64}} {
  // expected-error @below {{two classes that both get votes, and rows without one for the second: onnxruntime's scores are then others; --fallback=cpu runs it there}}
  // expected-note @below {{operands}}
  %0:2 = torch.operator "onnx.TreeEnsembleClassifier"(%a0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [5.000000e-01 : f32, 0.000000e+00 : f32, 0.000000e+00 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.class_treeids = [0 : si64, 0 : si64], torch.onnx.class_nodeids = [1 : si64, 2 : si64], torch.onnx.class_ids = [0 : si64, 1 : si64], torch.onnx.class_weights = [2.500000e-01 : f32, 7.500000e-01 : f32], torch.onnx.classlabels_int64s = [0 : si64, 1 : si64]} : (!torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>)
  return %0#1 : !torch.vtensor<[3,2],f32>
}

// -----

func.func @base(%a0: !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,2],f32>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 3 : si64}} {
  // expected-error @below {{base values of two classes that both get votes are not supported; --fallback=cpu runs it there}}
  // expected-note @below {{operands}}
  %0:2 = torch.operator "onnx.TreeEnsembleClassifier"(%a0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [5.000000e-01 : f32, 0.000000e+00 : f32, 0.000000e+00 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.class_treeids = [0 : si64, 0 : si64, 0 : si64, 0 : si64], torch.onnx.class_nodeids = [1 : si64, 1 : si64, 2 : si64, 2 : si64], torch.onnx.class_ids = [0 : si64, 1 : si64, 0 : si64, 1 : si64], torch.onnx.class_weights = [2.500000e-01 : f32, 7.500000e-01 : f32, 7.500000e-01 : f32, 2.500000e-01 : f32], torch.onnx.base_values = [1.000000e+00 : f32, 2.000000e+00 : f32], torch.onnx.classlabels_int64s = [0 : si64, 1 : si64]} : (!torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>)
  return %0#1 : !torch.vtensor<[3,2],f32>
}

// -----

func.func @strings(%a0: !torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 3 : si64}} {
  // expected-error @below {{attribute 'classlabels_strings': the device has no strings; export int64 labels, or use --fallback=cpu}}
  // expected-note @below {{operands}}
  %0:2 = torch.operator "onnx.TreeEnsembleClassifier"(%a0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.nodes_treeids = [0 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_nodeids = [0 : si64, 1 : si64, 2 : si64], torch.onnx.nodes_featureids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], torch.onnx.nodes_values = [5.000000e-01 : f32, 0.000000e+00 : f32, 0.000000e+00 : f32], torch.onnx.nodes_truenodeids = [1 : si64, 0 : si64, 0 : si64], torch.onnx.nodes_falsenodeids = [2 : si64, 0 : si64, 0 : si64], torch.onnx.class_treeids = [0 : si64, 0 : si64], torch.onnx.class_nodeids = [1 : si64, 2 : si64], torch.onnx.class_ids = [0 : si64, 0 : si64], torch.onnx.class_weights = [2.500000e-01 : f32, 7.500000e-01 : f32], torch.onnx.classlabels_strings = ["a", "b"]} : (!torch.vtensor<[3,2],f32>) -> (!torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>)
  return %0#0, %0#1 : !torch.vtensor<[3],si64>, !torch.vtensor<[3,2],f32>
}
