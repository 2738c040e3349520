// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @type(%table: !torch.vtensor<[5,16],si8>, %rows: !torch.vtensor<[2],si64>, %scales: !torch.vtensor<[5,1],f32>) -> !torch.vtensor<[2,32],f32> attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{a table of this type is not supported; bytes and integers of 4 bits are}}
  // expected-note @+1 {{operands: }}
  %0 = torch.operator "onnx.GatherBlockQuantized"(%table, %rows, %scales) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[5,16],si8>, !torch.vtensor<[2],si64>, !torch.vtensor<[5,1],f32>) -> !torch.vtensor<[2,32],f32>
  return %0 : !torch.vtensor<[2,32],f32>
}

// -----

func.func @block(%table: !torch.vtensor<[5,16],ui8>, %rows: !torch.vtensor<[2],si64>, %scales: !torch.vtensor<[5,1],f32>) -> !torch.vtensor<[2,32],f32> attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{attribute 'block_size' must be a power of two of at least 16}}
  // expected-note @+1 {{operands: }}
  %0 = torch.operator "onnx.GatherBlockQuantized"(%table, %rows, %scales) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.block_size = 24 : si64} : (!torch.vtensor<[5,16],ui8>, !torch.vtensor<[2],si64>, !torch.vtensor<[5,1],f32>) -> !torch.vtensor<[2,32],f32>
  return %0 : !torch.vtensor<[2,32],f32>
}

// -----

func.func @bits(%table: !torch.vtensor<[5,16],ui8>, %rows: !torch.vtensor<[2],si64>, %scales: !torch.vtensor<[5,1],f32>) -> !torch.vtensor<[2,32],f32> attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{attribute 'bits' must be 2, 4 or 8}}
  // expected-note @+1 {{operands: }}
  %0 = torch.operator "onnx.GatherBlockQuantized"(%table, %rows, %scales) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.bits = 3 : si64} : (!torch.vtensor<[5,16],ui8>, !torch.vtensor<[2],si64>, !torch.vtensor<[5,1],f32>) -> !torch.vtensor<[2,32],f32>
  return %0 : !torch.vtensor<[2,32],f32>
}

// -----

func.func @axes(%table: !torch.vtensor<[5,16],ui8>, %rows: !torch.vtensor<[2],si64>, %scales: !torch.vtensor<[5,1],f32>) -> !torch.vtensor<[2,32],f32> attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{bytes are gathered along axis 0, and quantised along another one}}
  // expected-note @+1 {{operands: }}
  %0 = torch.operator "onnx.GatherBlockQuantized"(%table, %rows, %scales) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.gather_axis = 1 : si64} : (!torch.vtensor<[5,16],ui8>, !torch.vtensor<[2],si64>, !torch.vtensor<[5,1],f32>) -> !torch.vtensor<[2,32],f32>
  return %0 : !torch.vtensor<[2,32],f32>
}

// -----

func.func @scales(%table: !torch.vtensor<[5,16],ui8>, %rows: !torch.vtensor<[2],si64>, %scales: !torch.vtensor<[5,1],f32>) -> !torch.vtensor<[2,32],f32> attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{scale and zero point must have one value per block of 16}}
  // expected-note @+1 {{operands: }}
  %0 = torch.operator "onnx.GatherBlockQuantized"(%table, %rows, %scales) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.block_size = 16 : si64} : (!torch.vtensor<[5,16],ui8>, !torch.vtensor<[2],si64>, !torch.vtensor<[5,1],f32>) -> !torch.vtensor<[2,32],f32>
  return %0 : !torch.vtensor<[2,32],f32>
}

// -----

func.func @zeros(%table: !torch.vtensor<[5,16],ui8>, %rows: !torch.vtensor<[2],si64>, %scales: !torch.vtensor<[5,1],f32>, %zeros: !torch.vtensor<[5,1],si8>) -> !torch.vtensor<[2,32],f32> attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{the zero points must have the type of the table}}
  // expected-note @+1 {{operands: }}
  %0 = torch.operator "onnx.GatherBlockQuantized"(%table, %rows, %scales, %zeros) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[5,16],ui8>, !torch.vtensor<[2],si64>, !torch.vtensor<[5,1],f32>, !torch.vtensor<[5,1],si8>) -> !torch.vtensor<[2,32],f32>
  return %0 : !torch.vtensor<[2,32],f32>
}
