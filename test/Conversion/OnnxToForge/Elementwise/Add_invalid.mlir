// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

// A wrapped ui32 is right as a graph output only.
func.func @used(%x: !torch.vtensor<[3],ui32>) -> !torch.vtensor<[3],ui32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  // expected-error @+2 {{a result of type ui32 may not fit Int32 on the device}}
  // expected-note @+1 {{operands}}
  %y = torch.operator "onnx.Add"(%x, %x) : (!torch.vtensor<[3],ui32>, !torch.vtensor<[3],ui32>) -> !torch.vtensor<[3],ui32>
  %z = torch.operator "onnx.Add"(%y, %x) : (!torch.vtensor<[3],ui32>, !torch.vtensor<[3],ui32>) -> !torch.vtensor<[3],ui32>
  return %z : !torch.vtensor<[3],ui32>
}
