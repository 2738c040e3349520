// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x: !torch.vtensor<[2,1,3],f32>, %w: !torch.vtensor<[1,2,3],f32>, %r: !torch.vtensor<[1,2,2],f32>, %c: !torch.vtensor<[1,4],f32>, %l: !torch.vtensor<[1],si32>) -> (!torch.vtensor<[2,1,1,2],f32>) attributes {torch.onnx_meta.opset_version = 14 : si64} {
  // expected-error @+2 {{attribute 'direction' must be}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.RNN"(%x, %w, %r, %c, %l) {torch.onnx.direction = "sideways", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[2,1,3],f32>, !torch.vtensor<[1,2,3],f32>, !torch.vtensor<[1,2,2],f32>, !torch.vtensor<[1,4],f32>, !torch.vtensor<[1],si32>) -> !torch.vtensor<[2,1,1,2],f32>
  return %out : !torch.vtensor<[2,1,1,2],f32>
}

// -----

func.func @activation(%x: !torch.vtensor<[2,1,3],f32>, %w: !torch.vtensor<[1,2,3],f32>, %r: !torch.vtensor<[1,2,2],f32>) -> (!torch.vtensor<[2,1,1,2],f32>) attributes {torch.onnx_meta.opset_version = 14 : si64} {
  // expected-error @+2 {{activation 'affine' needs attribute 'activation_alpha'}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.RNN"(%x, %w, %r) {torch.onnx.activations = ["Affine"], torch.onnx.activation_beta = [1.0 : f32], torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[2,1,3],f32>, !torch.vtensor<[1,2,3],f32>, !torch.vtensor<[1,2,2],f32>) -> !torch.vtensor<[2,1,1,2],f32>
  return %out : !torch.vtensor<[2,1,1,2],f32>
}

// -----

func.func @hostile_activation(%arg0: !torch.vtensor<[2,3,4],f32>, %arg1: !torch.vtensor<[1,5,4],f32>, %arg2: !torch.vtensor<[1,5,5],f32>) -> !torch.vtensor<[2,1,3,5],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  // expected-error @+2 {{attribute 'activations' names an unknown one, 'a\nb'}}
  // expected-note @+1 {{operands}}
  %r = torch.operator "onnx.RNN"(%arg0, %arg1, %arg2) {torch.onnx.activations = ["a\0Ab"]} : (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[1,5,4],f32>, !torch.vtensor<[1,5,5],f32>) -> !torch.vtensor<[2,1,3,5],f32>
  return %r : !torch.vtensor<[2,1,3,5],f32>
}
