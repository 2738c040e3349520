// RUN: forge-opt %s "--pass-pipeline=builtin.module(func.func(forge-assign-devices),forge-partition{max-partitions=2})" -verify-diagnostics

// expected-error @+1 {{the model needs 3 partitions, but at most 2 are allowed (max-partitions); more ops on the CPU (cpu-ops) make fewer}}
func.func @main(%x: !torch.vtensor<[4,8],f32>, %w: !torch.vtensor<[8,8],f32>) -> !torch.vtensor<[4,8],f32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %0 = torch.operator "onnx.MatMul"(%x, %w) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[8,8],f32>) -> !torch.vtensor<[4,8],f32>
  %1 = torch.operator "onnx.Foo"(%0) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %2 = torch.operator "onnx.MatMul"(%1, %w) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[8,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %2 : !torch.vtensor<[4,8],f32>
}
