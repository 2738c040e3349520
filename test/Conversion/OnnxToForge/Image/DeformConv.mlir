// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics | FileCheck %s

// A 2x1 kernel: four neighbouring pixels are gathered per sampling point, and one matrix product follows.
// CHECK-LABEL: func.func @moved
// CHECK-COUNT-4: forge.embedding
// CHECK-NOT: forge.embedding
// CHECK: forge.matmul
// CHECK-SAME: -> tensor<1x1x4x6xf32>
func.func @moved(%x: !torch.vtensor<[1,3,3,3],f32>, %w: !torch.vtensor<[4,3,2,1],f32>, %offset: !torch.vtensor<[1,4,2,3],f32>) -> !torch.vtensor<[1,4,2,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %0 = torch.operator "onnx.DeformConv"(%x, %w, %offset) : (!torch.vtensor<[1,3,3,3],f32>, !torch.vtensor<[4,3,2,1],f32>, !torch.vtensor<[1,4,2,3],f32>) -> !torch.vtensor<[1,4,2,3],f32>
  return %0 : !torch.vtensor<[1,4,2,3],f32>
}

// -----

func.func @offsets(%x: !torch.vtensor<[1,3,3,3],f32>, %w: !torch.vtensor<[4,3,2,1],f32>, %offset: !torch.vtensor<[1,2,2,3],f32>) -> !torch.vtensor<[1,4,2,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @below {{the offsets or the mask do not fit the kernel and the result}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.DeformConv"(%x, %w, %offset) : (!torch.vtensor<[1,3,3,3],f32>, !torch.vtensor<[4,3,2,1],f32>, !torch.vtensor<[1,2,2,3],f32>) -> !torch.vtensor<[1,4,2,3],f32>
  return %0 : !torch.vtensor<[1,4,2,3],f32>
}

// -----

func.func @channels(%x: !torch.vtensor<[1,3,3,3],f32>, %w: !torch.vtensor<[4,2,2,1],f32>, %offset: !torch.vtensor<[1,4,2,3],f32>) -> !torch.vtensor<[1,4,2,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @below {{the channels of the operand, the weights and the groups do not fit}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.DeformConv"(%x, %w, %offset) : (!torch.vtensor<[1,3,3,3],f32>, !torch.vtensor<[4,2,2,1],f32>, !torch.vtensor<[1,4,2,3],f32>) -> !torch.vtensor<[1,4,2,3],f32>
  return %0 : !torch.vtensor<[1,4,2,3],f32>
}

// -----

func.func @window(%x: !torch.vtensor<[1,3,3,3],f32>, %w: !torch.vtensor<[4,3,5,1],f32>, %offset: !torch.vtensor<[1,10,1,3],f32>) -> !torch.vtensor<[1,4,1,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @below {{the kernel does not fit into the padded input, or that is too large}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.DeformConv"(%x, %w, %offset) : (!torch.vtensor<[1,3,3,3],f32>, !torch.vtensor<[4,3,5,1],f32>, !torch.vtensor<[1,10,1,3],f32>) -> !torch.vtensor<[1,4,1,3],f32>
  return %0 : !torch.vtensor<[1,4,1,3],f32>
}

// -----

func.func @rank(%x: !torch.vtensor<[1,3],f32>, %w: !torch.vtensor<[4,3],f32>, %offset: !torch.vtensor<[1,4],f32>) -> !torch.vtensor<[1,4],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @below {{the operand and the weights must be floating point, of one rank of 3 to 5}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.DeformConv"(%x, %w, %offset) : (!torch.vtensor<[1,3],f32>, !torch.vtensor<[4,3],f32>, !torch.vtensor<[1,4],f32>) -> !torch.vtensor<[1,4],f32>
  return %0 : !torch.vtensor<[1,4],f32>
}

// -----

func.func @bias(%x: !torch.vtensor<[1,3,3,3],f32>, %w: !torch.vtensor<[4,3,2,1],f32>, %offset: !torch.vtensor<[1,4,2,3],f32>, %bias: !torch.vtensor<[3],f32>) -> !torch.vtensor<[1,4,2,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @below {{there must be one bias per output channel}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.DeformConv"(%x, %w, %offset, %bias) : (!torch.vtensor<[1,3,3,3],f32>, !torch.vtensor<[4,3,2,1],f32>, !torch.vtensor<[1,4,2,3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[1,4,2,3],f32>
  return %0 : !torch.vtensor<[1,4,2,3],f32>
}

// -----

func.func @large(%x: !torch.vtensor<[1,16,1024,1024],f32>, %w: !torch.vtensor<[4,16,5,5],f32>, %offset: !torch.vtensor<[1,50,1020,1020],f32>) -> !torch.vtensor<[1,4,1020,1020],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @+2 {{more than 268435456 samples of the operand are too many}}
  // expected-note @+1 {{operands}}
  %0 = torch.operator "onnx.DeformConv"(%x, %w, %offset) : (!torch.vtensor<[1,16,1024,1024],f32>, !torch.vtensor<[4,16,5,5],f32>, !torch.vtensor<[1,50,1020,1020],f32>) -> !torch.vtensor<[1,4,1020,1020],f32>
  return %0 : !torch.vtensor<[1,4,1020,1020],f32>
}

// -----

func.func @uncountable(%x: !torch.vtensor<[1,17,1024,1024],f32>, %w: !torch.vtensor<[4,17,1,1],f32>, %offset: !torch.vtensor<[1,2,1024,1024],f32>) -> !torch.vtensor<[1,4,1024,1024],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @+2 {{the operand has more elements than a float can count}}
  // expected-note @+1 {{operands}}
  %0 = torch.operator "onnx.DeformConv"(%x, %w, %offset) : (!torch.vtensor<[1,17,1024,1024],f32>, !torch.vtensor<[4,17,1,1],f32>, !torch.vtensor<[1,2,1024,1024],f32>) -> !torch.vtensor<[1,4,1024,1024],f32>
  return %0 : !torch.vtensor<[1,4,1024,1024],f32>
}
