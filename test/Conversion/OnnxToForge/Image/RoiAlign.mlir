// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @average(
// CHECK: forge.reduce_avg
// CHECK: return %{{.+}} : tensor<3x2x2x2xf32>
func.func @average(%a0: !torch.vtensor<[1,2,8,8],f32>, %a1: !torch.vtensor<[3,4],f32>, %a2: !torch.vtensor<[3],si64>) -> (!torch.vtensor<[3,2,2,2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %0 = torch.operator "onnx.RoiAlign"(%a0, %a1, %a2) {torch.onnx.output_height = 2 : si64, torch.onnx.output_width = 2 : si64, torch.onnx.sampling_ratio = 2 : si64} : (!torch.vtensor<[1,2,8,8],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,2,2,2],f32>
  return %0 : !torch.vtensor<[3,2,2,2],f32>
}

// -----

// CHECK-LABEL: func.func @largest(
// CHECK: forge.max
// CHECK: forge.reduce_max
// CHECK: return %{{.+}} : tensor<3x2x2x2xf32>
func.func @largest(%a0: !torch.vtensor<[1,2,8,8],f32>, %a1: !torch.vtensor<[3,4],f32>, %a2: !torch.vtensor<[3],si64>) -> (!torch.vtensor<[3,2,2,2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %0 = torch.operator "onnx.RoiAlign"(%a0, %a1, %a2) {torch.onnx.output_height = 2 : si64, torch.onnx.output_width = 2 : si64, torch.onnx.sampling_ratio = 2 : si64, torch.onnx.mode = "max"} : (!torch.vtensor<[1,2,8,8],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,2,2,2],f32>
  return %0 : !torch.vtensor<[3,2,2,2],f32>
}

// -----

func.func @adaptive(%a0: !torch.vtensor<[1,2,8,8],f32>, %a1: !torch.vtensor<[3,4],f32>, %a2: !torch.vtensor<[3],si64>) -> (!torch.vtensor<[3,2,2,2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @below {{'sampling_ratio' 0 takes as many samples as each region is large; give their number}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.RoiAlign"(%a0, %a1, %a2) {torch.onnx.output_height = 2 : si64, torch.onnx.output_width = 2 : si64} : (!torch.vtensor<[1,2,8,8],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,2,2,2],f32>
  return %0 : !torch.vtensor<[3,2,2,2],f32>
}

// -----

func.func @samples(%a0: !torch.vtensor<[1,2,8,8],f32>, %a1: !torch.vtensor<[3,4],f32>, %a2: !torch.vtensor<[3],si64>) -> (!torch.vtensor<[3,2,2,2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @below {{'sampling_ratio' above 16 is not supported}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.RoiAlign"(%a0, %a1, %a2) {torch.onnx.output_height = 2 : si64, torch.onnx.output_width = 2 : si64, torch.onnx.sampling_ratio = 17 : si64} : (!torch.vtensor<[1,2,8,8],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,2,2,2],f32>
  return %0 : !torch.vtensor<[3,2,2,2],f32>
}

// -----

func.func @mode(%a0: !torch.vtensor<[1,2,8,8],f32>, %a1: !torch.vtensor<[3,4],f32>, %a2: !torch.vtensor<[3],si64>) -> (!torch.vtensor<[3,2,2,2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @below {{attribute 'mode' must be avg or max}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.RoiAlign"(%a0, %a1, %a2) {torch.onnx.output_height = 2 : si64, torch.onnx.output_width = 2 : si64, torch.onnx.sampling_ratio = 2 : si64, torch.onnx.mode = "sum"} : (!torch.vtensor<[1,2,8,8],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,2,2,2],f32>
  return %0 : !torch.vtensor<[3,2,2,2],f32>
}

// -----

func.func @transform(%a0: !torch.vtensor<[1,2,8,8],f32>, %a1: !torch.vtensor<[3,4],f32>, %a2: !torch.vtensor<[3],si64>) -> (!torch.vtensor<[3,2,2,2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @below {{must be half_pixel or output_half_pixel}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.RoiAlign"(%a0, %a1, %a2) {torch.onnx.output_height = 2 : si64, torch.onnx.output_width = 2 : si64, torch.onnx.sampling_ratio = 2 : si64, torch.onnx.coordinate_transformation_mode = "corners"} : (!torch.vtensor<[1,2,8,8],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,2,2,2],f32>
  return %0 : !torch.vtensor<[3,2,2,2],f32>
}

// -----

func.func @regions(%a0: !torch.vtensor<[1,2,8,8],f32>, %a1: !torch.vtensor<[3,4],f32>, %a2: !torch.vtensor<[2],si64>) -> (!torch.vtensor<[3,2,2,2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @below {{expected regions of shape (count, 4), and as many image numbers}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.RoiAlign"(%a0, %a1, %a2) {torch.onnx.output_height = 2 : si64, torch.onnx.output_width = 2 : si64, torch.onnx.sampling_ratio = 2 : si64} : (!torch.vtensor<[1,2,8,8],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[3,2,2,2],f32>
  return %0 : !torch.vtensor<[3,2,2,2],f32>
}

// -----

func.func @height(%a0: !torch.vtensor<[1,2,8,8],f32>, %a1: !torch.vtensor<[3,4],f32>, %a2: !torch.vtensor<[3],si64>) -> (!torch.vtensor<[3,2,0,1],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @below {{must be in [1, 1024]}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.RoiAlign"(%a0, %a1, %a2) {torch.onnx.output_height = 0 : si64, torch.onnx.sampling_ratio = 2 : si64} : (!torch.vtensor<[1,2,8,8],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,2,0,1],f32>
  return %0 : !torch.vtensor<[3,2,0,1],f32>
}

// -----

func.func @many(%a0: !torch.vtensor<[1,2,8,8],f32>, %a1: !torch.vtensor<[3,4],f32>, %a2: !torch.vtensor<[3],si64>) -> (!torch.vtensor<[3,2,1024,1024],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @below {{more than 16777216 samples of the operand are too many}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.RoiAlign"(%a0, %a1, %a2) {torch.onnx.output_height = 1024 : si64, torch.onnx.output_width = 1024 : si64, torch.onnx.sampling_ratio = 16 : si64} : (!torch.vtensor<[1,2,8,8],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,2,1024,1024],f32>
  return %0 : !torch.vtensor<[3,2,1024,1024],f32>
}

// -----

func.func @rank(%a0: !torch.vtensor<[2,8,8],f32>, %a1: !torch.vtensor<[3,4],f32>, %a2: !torch.vtensor<[3],si64>) -> (!torch.vtensor<[3,2,2,2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @below {{the operand must be floating point and have rank 4}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.RoiAlign"(%a0, %a1, %a2) {torch.onnx.output_height = 2 : si64, torch.onnx.output_width = 2 : si64, torch.onnx.sampling_ratio = 2 : si64} : (!torch.vtensor<[2,8,8],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,2,2,2],f32>
  return %0 : !torch.vtensor<[3,2,2,2],f32>
}
