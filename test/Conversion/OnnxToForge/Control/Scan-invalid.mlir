// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @axis(%s0: !torch.vtensor<[3],f32>, %x: !torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[2,3],f32>) attributes {torch.onnx_meta.opset_version = 16 : si64} {
  // expected-error @+2 {{scan input axis 2 is outside rank 2}}
  // expected-note @+1 {{operands: }}
  %out:2 = torch.operator "onnx.Scan"(%s0, %x) {torch.onnx.num_scan_inputs = 1 : si64, torch.onnx.scan_input_axes = [2 : si64]} : (!torch.vtensor<[3],f32>, !torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[2,3],f32>) {
  ^bb0(%s: !torch.vtensor<[3],f32>, %e: !torch.vtensor<[3],f32>):
    %n = torch.operator "onnx.Add"(%s, %e) : (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32>
    torch.operator_terminator %n, %n : !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>
  }
  return %out#0, %out#1 : !torch.vtensor<[3],f32>, !torch.vtensor<[2,3],f32>
}
