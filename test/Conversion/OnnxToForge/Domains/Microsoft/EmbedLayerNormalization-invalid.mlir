// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x0: !torch.vtensor<[1,3],si32>, %x1: !torch.vtensor<[1,2],si32>, %x2: !torch.vtensor<[5,4],f32>, %x3: !torch.vtensor<[6,4],f32>, %x4: !torch.vtensor<[2,4],f32>, %x5: !torch.vtensor<[4],f32>, %x6: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1],si32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{expected ids, segments, mask and positions of one shape (batch, sequence)}}
  // expected-note @+1 {{operands: }}
  %out:2 = torch.operator "onnx.EmbedLayerNormalization"(%x0, %x1, %x2, %x3, %x4, %x5, %x6) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[1,3],si32>, !torch.vtensor<[1,2],si32>, !torch.vtensor<[5,4],f32>, !torch.vtensor<[6,4],f32>, !torch.vtensor<[2,4],f32>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1],si32>)
  return %out#0, %out#1 : !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1],si32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3],si32>, %x1: !torch.vtensor<[1,3],si32>, %x2: !torch.vtensor<[5,4],f32>, %x3: !torch.vtensor<[6,4],f32>, %x5: !torch.vtensor<[4],f32>, %x6: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1],si32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  // expected-error @+2 {{segments and their embedding come together}}
  // expected-note @+1 {{operands: }}
  %out:2 = torch.operator "onnx.EmbedLayerNormalization"(%x0, %x1, %x2, %x3, %none, %x5, %x6) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[1,3],si32>, !torch.vtensor<[1,3],si32>, !torch.vtensor<[5,4],f32>, !torch.vtensor<[6,4],f32>, !torch.none, !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1],si32>)
  return %out#0, %out#1 : !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1],si32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3],si32>, %x2: !torch.vtensor<[5,4],f32>, %x3: !torch.vtensor<[2,4],f32>, %x5: !torch.vtensor<[4],f32>, %x6: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1],si32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  // expected-error @+2 {{a table of 2 positions is too short for a sequence of 3}}
  // expected-note @+1 {{operands: }}
  %out:2 = torch.operator "onnx.EmbedLayerNormalization"(%x0, %none, %x2, %x3, %none, %x5, %x6) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[1,3],si32>, !torch.none, !torch.vtensor<[5,4],f32>, !torch.vtensor<[2,4],f32>, !torch.none, !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1],si32>)
  return %out#0, %out#1 : !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1],si32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3],si32>, %x2: !torch.vtensor<[5,3],f32>, %x3: !torch.vtensor<[6,4],f32>, %x5: !torch.vtensor<[4],f32>, %x6: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1],si32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  // expected-error @+2 {{expected tables with rows of the size of gamma}}
  // expected-note @+1 {{operands: }}
  %out:2 = torch.operator "onnx.EmbedLayerNormalization"(%x0, %none, %x2, %x3, %none, %x5, %x6) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[1,3],si32>, !torch.none, !torch.vtensor<[5,3],f32>, !torch.vtensor<[6,4],f32>, !torch.none, !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1],si32>)
  return %out#0, %out#1 : !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1],si32>
}
