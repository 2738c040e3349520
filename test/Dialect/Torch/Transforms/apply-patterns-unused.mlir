// A pattern without a match gives a warning: either the pattern or the model is not what was intended.
// RUN: forge-opt %s --forge-apply-patterns=files=%S/Inputs/patterns.mlir -verify-diagnostics

// expected-warning @below {{[FM2012] the pattern 'swish' in line 2 of}}
// expected-warning @below {{[FM2012] the pattern 'swapped_halves' in line 22 of}}
module {
  func.func @main(%x: !torch.vtensor<[2,6],f32>) -> !torch.vtensor<[2,6],f32>
      attributes {torch.onnx_meta.opset_version = 18 : si64} {
    %0 = torch.operator "onnx.Relu"(%x) : (!torch.vtensor<[2,6],f32>) -> !torch.vtensor<[2,6],f32>
    return %0 : !torch.vtensor<[2,6],f32>
  }
}
