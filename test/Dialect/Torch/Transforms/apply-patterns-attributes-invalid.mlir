// An attribute of an op that a pattern removes is lost, unless this pattern matches it: other patterns do not count. So
// are subgraphs, which no pattern can match.
// RUN: forge-opt %s --split-input-file --forge-apply-patterns=files=%S/Inputs/patterns-attributes.mlir -verify-diagnostics

func.func @another_pattern(%x: !torch.vtensor<[2,6],f32>) -> !torch.vtensor<[2,6],f32>
    attributes {torch.onnx_meta.opset_version = 18 : si64, torch.onnx_meta.opset_versions = {}} {
  // expected-error @below {{[FM1101] attribute 'axis' is not matched by the pattern 'drops_axis'}}
  %0 = torch.operator "onnx.First"(%x) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[2,6],f32>) -> !torch.vtensor<[2,6],f32>
  return %0 : !torch.vtensor<[2,6],f32>
}

// -----

func.func @producer(%x: !torch.vtensor<[2,6],f32>) -> !torch.vtensor<[2,6],f32>
    attributes {torch.onnx_meta.opset_version = 18 : si64, torch.onnx_meta.opset_versions = {}} {
  // expected-error @below {{[FM1101] attribute 'axis' is not matched by the pattern 'skips_producer'}}
  %0 = torch.operator "onnx.Inner"(%x) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[2,6],f32>) -> !torch.vtensor<[2,6],f32>
  %1 = torch.operator "onnx.Outer"(%0) : (!torch.vtensor<[2,6],f32>) -> !torch.vtensor<[2,6],f32>
  return %1 : !torch.vtensor<[2,6],f32>
}

// -----

func.func @subgraph(%x: !torch.vtensor<[2,6],f32>) -> !torch.vtensor<[2,6],f32>
    attributes {torch.onnx_meta.opset_version = 18 : si64, torch.onnx_meta.opset_versions = {}} {
  // expected-error @below {{[FM1005] its subgraphs would be lost by the pattern 'drops_axis'}}
  %0 = torch.operator "onnx.First"(%x) : (!torch.vtensor<[2,6],f32>) -> !torch.vtensor<[2,6],f32> {
    torch.operator_terminator %x : !torch.vtensor<[2,6],f32>
  }
  return %0 : !torch.vtensor<[2,6],f32>
}

// -----

// The producer remains.
// expected-warning @below {{the pattern 'drops_axis'}}
// expected-warning @below {{the pattern 'matches_axis'}}
// expected-warning @below {{the pattern 'skips_producer'}}
module {
  func.func @remaining_producer(%x: !torch.vtensor<[2,6],f32>) -> !torch.vtensor<[2,6],f32>
      attributes {torch.onnx_meta.opset_version = 18 : si64, torch.onnx_meta.opset_versions = {}} {
    %0 = torch.operator "onnx.Inner"(%x) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[2,6],f32>) -> !torch.vtensor<[2,6],f32>
    %1 = torch.operator "onnx.Same"(%0) : (!torch.vtensor<[2,6],f32>) -> !torch.vtensor<[2,6],f32>
    return %1 : !torch.vtensor<[2,6],f32>
  }
}
