// RUN: forge-opt %s -split-input-file -verify-diagnostics

func.func @missing(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> attributes {forge.partition = "driver"} {
  // expected-error @+1 {{expected a function 'nothing'}}
  %0 = forge.run @nothing(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}

// -----

func.func @no_partition(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> {
  // expected-error @+1 {{expected 'no_partition' to be a device or CPU partition}}
  %0 = forge.run @no_partition(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}

// -----

func.func @partition(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> attributes {forge.partition = "cpu"} {
  return %x : !torch.vtensor<[4],f32>
}
func.func @operands() -> !torch.vtensor<[4],f32> attributes {forge.partition = "driver"} {
  // expected-error @+1 {{expected 1 operands, but got 0}}
  %0 = forge.run @partition() : () -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}

// -----

func.func @partition(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> attributes {forge.partition = "device"} {
  return %x : !torch.vtensor<[4],f32>
}
func.func @results(%x: !torch.vtensor<[4],f32>) attributes {forge.partition = "driver"} {
  // expected-error @+1 {{expected 1 results, but got 0}}
  forge.run @partition(%x) : (!torch.vtensor<[4],f32>) -> ()
  return
}
