// Patterns that undo each other are an error instead of an endless loop.
// RUN: forge-opt %s --forge-apply-patterns=files=%S/Inputs/patterns-endless.mlir -verify-diagnostics

module {
  func.func @main(%x: !torch.vtensor<[2,6],f32>) -> !torch.vtensor<[2,6],f32>
      attributes {torch.onnx_meta.opset_version = 18 : si64} {
    // expected-error @below {{[FM2011] rewrites do not come to an end; the last one was of this op}}
    %0 = torch.operator "onnx.Relu"(%x) : (!torch.vtensor<[2,6],f32>) -> !torch.vtensor<[2,6],f32>
    return %0 : !torch.vtensor<[2,6],f32>
  }
}
