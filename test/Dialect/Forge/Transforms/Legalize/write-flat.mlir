// A device function is marked, so that the emitter writes no methods for its layers. A CPU function is not.
// RUN: forge-opt %s --forge-write-flat | FileCheck %s

// CHECK: func.func @device({{.*}} attributes {forge.flat}
func.func @device(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = forge.relu %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK: func.func @cpu({{.*}} attributes {forge.partition = "cpu"}
func.func @cpu(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> attributes {forge.partition = "cpu"} {
  return %x : !torch.vtensor<[2],f32>
}
