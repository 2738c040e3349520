// RUN: forge-opt %s "--pass-pipeline=builtin.module(func.func(forge-assign-devices{cpu-ops=Bar device-ops=Foo,nowhere}))" -verify-diagnostics

// expected-error @+2 {{cpu-ops: there is no node or op 'Bar'}}
// expected-error @+1 {{device-ops: there is no node or op 'nowhere'}}
func.func @main(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  // expected-error @+1 {{node '' must run on the device (device-ops), but: there is no converter for this op}}
  %0 = torch.operator "onnx.Foo"(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}
