// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// Without padding; Forge's order is left, right, top, bottom.
// CHECK-LABEL: func.func @no_padding(
// CHECK: %[[V0:.+]] = forge.max_pool2d %arg0 kernel_size [2, 2] stride [2, 2] padding [0, 0, 0, 0] : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x2x4x4xf32>
func.func @no_padding(%arg0: !torch.vtensor<[1,2,8,9],f32>) -> !torch.vtensor<[1,2,4,4],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.MaxPool"(%arg0) {torch.onnx.kernel_shape = [2 : si64, 2 : si64], torch.onnx.strides = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,2,8,9],f32>) -> !torch.vtensor<[1,2,4,4],f32>
  return %r1 : !torch.vtensor<[1,2,4,4],f32>
}

// CHECK-LABEL: func.func @symmetric(
// CHECK: %[[V0:.+]] = forge.max_pool2d %arg0 kernel_size [2, 3] stride [2, 2] padding [1, 1, 1, 1] : (tensor<1x2x8x9xf32>) -> tensor<1x2x5x5xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x2x5x5xf32>
func.func @symmetric(%arg0: !torch.vtensor<[1,2,8,9],f32>) -> !torch.vtensor<[1,2,5,5],f32> attributes {torch.onnx_meta.opset_version = 8 : si64} {
  %r1 = torch.operator "onnx.MaxPool"(%arg0) {torch.onnx.kernel_shape = [2 : si64, 3 : si64], torch.onnx.pads = [1 : si64, 1 : si64, 1 : si64, 1 : si64], torch.onnx.strides = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,2,8,9],f32>) -> !torch.vtensor<[1,2,5,5],f32>
  return %r1 : !torch.vtensor<[1,2,5,5],f32>
}

// Padding is never the maximum. If equal padding on both sides gives the same windows, no other pad is needed.
// CHECK-LABEL: func.func @same_upper(
// CHECK: %[[V0:.+]] = forge.max_pool2d %arg0 kernel_size [3, 3] stride [2, 2] padding [0, 0, 0, 0] ceil_mode : (tensor<1x2x8x10xf32>) -> tensor<1x2x4x5xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x2x4x5xf32>
func.func @same_upper(%arg0: !torch.vtensor<[1,2,8,10],f32>) -> !torch.vtensor<[1,2,4,5],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.MaxPool"(%arg0) {torch.onnx.auto_pad = "SAME_UPPER", torch.onnx.kernel_shape = [3 : si64, 3 : si64], torch.onnx.strides = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,2,8,10],f32>) -> !torch.vtensor<[1,2,4,5],f32>
  return %r1 : !torch.vtensor<[1,2,4,5],f32>
}

// CHECK-LABEL: func.func @same_lower(
// CHECK: %[[V0:.+]] = forge.max_pool2d %arg0 kernel_size [3, 3] stride [2, 2] padding [1, 1, 1, 1] : (tensor<1x2x8x10xf32>) -> tensor<1x2x4x5xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x2x4x5xf32>
func.func @same_lower(%arg0: !torch.vtensor<[1,2,8,10],f32>) -> !torch.vtensor<[1,2,4,5],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.MaxPool"(%arg0) {torch.onnx.auto_pad = "SAME_LOWER", torch.onnx.kernel_shape = [3 : si64, 3 : si64], torch.onnx.strides = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,2,8,10],f32>) -> !torch.vtensor<[1,2,4,5],f32>
  return %r1 : !torch.vtensor<[1,2,4,5],f32>
}

// Otherwise the operand is padded with -inf: Forge's pool would have one window less, or one more with padding on both
// sides.
// CHECK-LABEL: func.func @asymmetric(
// CHECK: %[[V0:.+]] = forge.pad %arg0 pad [0, 1, 0, 1] mode constant value 0xFF800000 : (tensor<1x2x8x9xf32>) -> tensor<1x2x9x10xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.max_pool2d %[[V0]] kernel_size [2, 2] stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x2x9x10xf32>) -> tensor<1x2x8x9xf32>
// CHECK-NEXT: return %[[V1]] : tensor<1x2x8x9xf32>
func.func @asymmetric(%arg0: !torch.vtensor<[1,2,8,9],f32>) -> !torch.vtensor<[1,2,8,9],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.MaxPool"(%arg0) {torch.onnx.auto_pad = "SAME_UPPER", torch.onnx.kernel_shape = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,2,8,9],f32>) -> !torch.vtensor<[1,2,8,9],f32>
  return %r1 : !torch.vtensor<[1,2,8,9],f32>
}

// Forge rounds the number of windows up along both axes or along none; here each axis needs another rounding.
// CHECK-LABEL: func.func @mixed(
// CHECK: forge.pad %arg0 pad [0, 1]
// CHECK-NEXT: forge.max_pool2d {{.*}} padding [0, 0, 0, 0] : (tensor<1x2x9x10xf32>) -> tensor<1x2x4x5xf32>
func.func @mixed(%arg0: !torch.vtensor<[1,2,9,9],f32>) -> !torch.vtensor<[1,2,4,5],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.MaxPool"(%arg0) {torch.onnx.pads = [0 : si64, 0 : si64, 0 : si64, 1 : si64], torch.onnx.kernel_shape = [2 : si64, 2 : si64], torch.onnx.strides = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,2,9,9],f32>) -> !torch.vtensor<[1,2,4,5],f32>
  return %r1 : !torch.vtensor<[1,2,4,5],f32>
}

// ceil_mode of ONNX and of Forge are equal.
// CHECK-LABEL: func.func @ceil(
// CHECK: %[[V0:.+]] = forge.max_pool2d %arg0 kernel_size [2, 2] stride [2, 2] padding [0, 0, 0, 0] ceil_mode : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x5xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x2x4x5xf32>
func.func @ceil(%arg0: !torch.vtensor<[1,2,8,9],f32>) -> !torch.vtensor<[1,2,4,5],f32> attributes {torch.onnx_meta.opset_version = 10 : si64} {
  %r1 = torch.operator "onnx.MaxPool"(%arg0) {torch.onnx.ceil_mode = 1 : si64, torch.onnx.kernel_shape = [2 : si64, 2 : si64], torch.onnx.strides = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,2,8,9],f32>) -> !torch.vtensor<[1,2,4,5],f32>
  return %r1 : !torch.vtensor<[1,2,4,5],f32>
}

// CHECK-LABEL: func.func @one_axis(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 2, 1, 8] : (tensor<1x2x8xf32>) -> tensor<1x2x1x8xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.max_pool2d %[[V0]] kernel_size [1, 2] stride [1, 2] padding [0, 0, 0, 0] : (tensor<1x2x1x8xf32>) -> tensor<1x2x1x4xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.reshape %[[V1]] shape [1, 2, 4] : (tensor<1x2x1x4xf32>) -> tensor<1x2x4xf32>
// CHECK-NEXT: return %[[V2]] : tensor<1x2x4xf32>
func.func @one_axis(%arg0: !torch.vtensor<[1,2,8],f32>) -> !torch.vtensor<[1,2,4],f32> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  %r1 = torch.operator "onnx.MaxPool"(%arg0) {torch.onnx.kernel_shape = [2 : si64], torch.onnx.storage_order = 1 : si64, torch.onnx.strides = [2 : si64]} : (!torch.vtensor<[1,2,8],f32>) -> !torch.vtensor<[1,2,4],f32>
  return %r1 : !torch.vtensor<[1,2,4],f32>
}

// CHECK-LABEL: func.func @unused_indices(
// CHECK: %[[V0:.+]] = forge.max_pool2d %arg0 kernel_size [2, 2] stride [2, 2] padding [0, 0, 0, 0] : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x2x4x4xf32>
func.func @unused_indices(%arg0: !torch.vtensor<[1,2,8,9],f32>) -> !torch.vtensor<[1,2,4,4],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %r1_0, %r1_1 = torch.operator "onnx.MaxPool"(%arg0) {torch.onnx.kernel_shape = [2 : si64, 2 : si64], torch.onnx.strides = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,2,8,9],f32>) -> (!torch.vtensor<[1,2,4,4],f32>, !torch.none)
  return %r1_0 : !torch.vtensor<[1,2,4,4],f32>
}

// With ceil_mode, a window that would start in the trailing padding does not count.
// CHECK-LABEL: func.func @ceil_drops(
// CHECK: %[[V0:.+]] = forge.max_pool2d %arg0 kernel_size [2, 2] stride [3, 3] padding [1, 1, 1, 1] : (tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x1x2x2xf32>
func.func @ceil_drops(%arg0: !torch.vtensor<[1,1,4,4],f32>) -> !torch.vtensor<[1,1,2,2],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %r1 = torch.operator "onnx.MaxPool"(%arg0) {torch.onnx.ceil_mode = 1 : si64, torch.onnx.kernel_shape = [2 : si64, 2 : si64], torch.onnx.pads = [1 : si64, 1 : si64, 1 : si64, 1 : si64], torch.onnx.strides = [3 : si64, 3 : si64]} : (!torch.vtensor<[1,1,4,4],f32>) -> !torch.vtensor<[1,1,2,2],f32>
  return %r1 : !torch.vtensor<[1,1,2,2],f32>
}
