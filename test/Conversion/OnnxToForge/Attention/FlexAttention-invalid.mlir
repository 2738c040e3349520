// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @heads(%q: !torch.vtensor<[1,3,3,4],f32>, %k: !torch.vtensor<[1,2,3,4],f32>, %v: !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,3,3,4],f32>
    attributes {torch.onnx_meta.opset_version = 26 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview = 1 : si64}} {
  // expected-error @below {{the shapes of Q, K and V do not fit}}
  // expected-note @below {{operands}}
  %y = torch.operator "onnx.FlexAttention"(%q, %k, %v) : (!torch.vtensor<[1,3,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,3,3,4],f32>
  return %y : !torch.vtensor<[1,3,3,4],f32>
}

// -----

func.func @size(%q: !torch.vtensor<[1,2,3,4],f32>, %k: !torch.vtensor<[1,2,3,5],f32>, %v: !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
    attributes {torch.onnx_meta.opset_version = 26 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview = 1 : si64}} {
  // expected-error @below {{the shapes of Q, K and V do not fit}}
  // expected-note @below {{operands}}
  %y = torch.operator "onnx.FlexAttention"(%q, %k, %v) : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,5],f32>, !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
  return %y : !torch.vtensor<[1,2,3,4],f32>
}

// -----

func.func @rank(%q: !torch.vtensor<[1,2,3,4],f32>, %k: !torch.vtensor<[2,3,4],f32>, %v: !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
    attributes {torch.onnx_meta.opset_version = 26 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview = 1 : si64}} {
  // expected-error @below {{Q, K and V must have rank 4}}
  // expected-note @below {{operands}}
  %y = torch.operator "onnx.FlexAttention"(%q, %k, %v) : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
  return %y : !torch.vtensor<[1,2,3,4],f32>
}

// -----

func.func @types(%q: !torch.vtensor<[1,2,3,4],f32>, %k: !torch.vtensor<[1,2,3,4],f16>, %v: !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
    attributes {torch.onnx_meta.opset_version = 26 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview = 1 : si64}} {
  // expected-error @below {{Q, K and V must have one floating-point type}}
  // expected-note @below {{operands}}
  %y = torch.operator "onnx.FlexAttention"(%q, %k, %v) : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f16>, !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
  return %y : !torch.vtensor<[1,2,3,4],f32>
}

// -----

func.func @scale(%q: !torch.vtensor<[1,2,3,4],f32>, %k: !torch.vtensor<[1,2,3,4],f32>, %v: !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
    attributes {torch.onnx_meta.opset_version = 26 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview = 1 : si64}} {
  // expected-error @below {{attribute 'scale' is negative, and so has no root}}
  // expected-note @below {{operands}}
  %y = torch.operator "onnx.FlexAttention"(%q, %k, %v) {torch.onnx.scale = -1.0 : f32} : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
  return %y : !torch.vtensor<[1,2,3,4],f32>
}

// -----

func.func @precision(%q: !torch.vtensor<[1,2,3,4],f32>, %k: !torch.vtensor<[1,2,3,4],f32>, %v: !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
    attributes {torch.onnx_meta.opset_version = 26 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview = 1 : si64}} {
  // expected-error @below {{attribute 'softmax_precision' is no floating-point type}}
  // expected-note @below {{operands}}
  %y = torch.operator "onnx.FlexAttention"(%q, %k, %v) {torch.onnx.softmax_precision = 7 : si64} : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
  return %y : !torch.vtensor<[1,2,3,4],f32>
}

// -----

// A single subgraph may be either modifier: the IR of other importers does not say which.
func.func @unnamed_subgraph(%q: !torch.vtensor<[1,2,3,4],f32>, %k: !torch.vtensor<[1,2,3,4],f32>, %v: !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
    attributes {torch.onnx_meta.opset_version = 26 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview = 1 : si64}} {
  // expected-error @below {{the IR does not say which of 'prob_mod' and 'score_mod' its subgraphs are; set torch.onnx_meta.subgraphs, or import the model with forge-mlir}}
  // expected-note @below {{operands}}
  %y = torch.operator "onnx.FlexAttention"(%q, %k, %v) : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32> {
  ^bb0(%p: !torch.vtensor<[?,?,?,?],f32>):
    torch.operator_terminator %p : !torch.vtensor<[?,?,?,?],f32>
  }
  return %y : !torch.vtensor<[1,2,3,4],f32>
}

// -----

func.func @more(%q: !torch.vtensor<[1,2,3,4],f32>, %k: !torch.vtensor<[1,2,3,4],f32>, %v: !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
    attributes {torch.onnx_meta.opset_version = 26 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview = 1 : si64}} {
  // expected-error @below {{the IR does not say which of 'prob_mod' and 'score_mod' its subgraphs are}}
  // expected-note @below {{operands}}
  %y = torch.operator "onnx.FlexAttention"(%q, %k, %v) {torch.onnx_meta.subgraphs = ["prob_mod", "score_mod"]} : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32> {
  ^bb0(%p: !torch.vtensor<[?,?,?,?],f32>):
    torch.operator_terminator %p : !torch.vtensor<[?,?,?,?],f32>
  }
  return %y : !torch.vtensor<[1,2,3,4],f32>
}

// -----

func.func @unknown(%q: !torch.vtensor<[1,2,3,4],f32>, %k: !torch.vtensor<[1,2,3,4],f32>, %v: !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
    attributes {torch.onnx_meta.opset_version = 26 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview = 1 : si64}} {
  // expected-error @below {{subgraph 'mask_mod' is not known to this converter}}
  // expected-note @below {{operands}}
  %y = torch.operator "onnx.FlexAttention"(%q, %k, %v) {torch.onnx_meta.subgraphs = ["mask_mod"]} : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32> {
  ^bb0(%p: !torch.vtensor<[?,?,?,?],f32>):
    torch.operator_terminator %p : !torch.vtensor<[?,?,?,?],f32>
  }
  return %y : !torch.vtensor<[1,2,3,4],f32>
}

// -----

func.func @twice(%q: !torch.vtensor<[1,2,3,4],f32>, %k: !torch.vtensor<[1,2,3,4],f32>, %v: !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
    attributes {torch.onnx_meta.opset_version = 26 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview = 1 : si64}} {
  // expected-error @below {{subgraph 'prob_mod' is not known to this converter}}
  // expected-note @below {{operands}}
  %y = torch.operator "onnx.FlexAttention"(%q, %k, %v) {torch.onnx_meta.subgraphs = ["prob_mod", "prob_mod"]} : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32> {
  ^bb0(%p: !torch.vtensor<[?,?,?,?],f32>):
    torch.operator_terminator %p : !torch.vtensor<[?,?,?,?],f32>
  }, {
  ^bb0(%p: !torch.vtensor<[?,?,?,?],f32>):
    torch.operator_terminator %p : !torch.vtensor<[?,?,?,?],f32>
  }
  return %y : !torch.vtensor<[1,2,3,4],f32>
}

// -----

func.func @shape(%q: !torch.vtensor<[1,2,3,4],f32>, %k: !torch.vtensor<[1,2,3,4],f32>, %v: !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
    attributes {torch.onnx_meta.opset_version = 26 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview = 1 : si64}} {
  // expected-error @below {{subgraph 'score_mod' must give one tensor<1x2x3x3xf32>, but gives tensor<1x1x1x1xf32>}}
  // expected-note @below {{operands}}
  %y = torch.operator "onnx.FlexAttention"(%q, %k, %v) {torch.onnx_meta.subgraphs = ["score_mod"]} : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32> {
  ^bb0(%p: !torch.vtensor<[?,?,?,?],f32>):
    %0 = torch.operator "onnx.ReduceMean"(%p) : (!torch.vtensor<[?,?,?,?],f32>) -> !torch.vtensor<[?,?,?,?],f32>
    torch.operator_terminator %0 : !torch.vtensor<[?,?,?,?],f32>
  }
  return %y : !torch.vtensor<[1,2,3,4],f32>
}

// -----

func.func @values(%q: !torch.vtensor<[1,2,3,4],f32>, %k: !torch.vtensor<[1,2,3,4],f32>, %v: !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
    attributes {torch.onnx_meta.opset_version = 26 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview = 1 : si64}} {
  // expected-error @below {{subgraph 'prob_mod' must give one tensor<1x2x3x3xf32>, but gives tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>}}
  // expected-note @below {{operands}}
  %y = torch.operator "onnx.FlexAttention"(%q, %k, %v) {torch.onnx_meta.subgraphs = ["prob_mod"]} : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32> {
  ^bb0(%p: !torch.vtensor<[?,?,?,?],f32>):
    torch.operator_terminator %p, %p : !torch.vtensor<[?,?,?,?],f32>, !torch.vtensor<[?,?,?,?],f32>
  }
  return %y : !torch.vtensor<[1,2,3,4],f32>
}

// -----

func.func @arguments(%q: !torch.vtensor<[1,2,3,4],f32>, %k: !torch.vtensor<[1,2,3,4],f32>, %v: !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
    attributes {torch.onnx_meta.opset_version = 26 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview = 1 : si64}} {
  // expected-error @below {{a subgraph takes 2 inputs, but gets 1}}
  // expected-note @below {{operands}}
  %y = torch.operator "onnx.FlexAttention"(%q, %k, %v) {torch.onnx_meta.subgraphs = ["score_mod"]} : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32> {
  ^bb0(%p: !torch.vtensor<[?,?,?,?],f32>, %r: !torch.vtensor<[?,?,?,?],f32>):
    torch.operator_terminator %p : !torch.vtensor<[?,?,?,?],f32>
  }
  return %y : !torch.vtensor<[1,2,3,4],f32>
}

// -----

func.func @inside(%q: !torch.vtensor<[1,2,3,4],f32>, %k: !torch.vtensor<[1,2,3,4],f32>, %v: !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
    attributes {torch.onnx_meta.opset_version = 26 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview = 1 : si64}} {
  %y = torch.operator "onnx.FlexAttention"(%q, %k, %v) {torch.onnx_meta.subgraphs = ["score_mod"]} : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32> {
  ^bb0(%p: !torch.vtensor<[?,?,?,?],f32>):
    // expected-error @below {{node '' (Nothing, opset 26): there is no converter for this op}}
    // expected-note @below {{operands}}
    %0 = torch.operator "onnx.Nothing"(%p) : (!torch.vtensor<[?,?,?,?],f32>) -> !torch.vtensor<[?,?,?,?],f32>
    torch.operator_terminator %0 : !torch.vtensor<[?,?,?,?],f32>
  }
  return %y : !torch.vtensor<[1,2,3,4],f32>
}
