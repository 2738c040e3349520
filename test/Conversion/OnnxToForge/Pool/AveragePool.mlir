// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @no_padding(
// CHECK: %[[V0:.+]] = forge.avg_pool2d %arg0 kernel_size [2, 2] stride [1, 1] padding [0, 0, 0, 0] count_include_pad : (tensor<1x2x8x9xf32>) -> tensor<1x2x7x8xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x2x7x8xf32>
func.func @no_padding(%arg0: !torch.vtensor<[1,2,8,9],f32>) -> !torch.vtensor<[1,2,7,8],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.AveragePool"(%arg0) {torch.onnx.kernel_shape = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,2,8,9],f32>) -> !torch.vtensor<[1,2,7,8],f32>
  return %r1 : !torch.vtensor<[1,2,7,8],f32>
}

// Without count_include_pad, padding is not counted: the averages are multiplied by a constant.
// CHECK-LABEL: func.func @pads(
// CHECK: %[[V0:.+]] = forge.pad %arg0 pad [1, 0, 1, 0] mode constant value 0.000000e+00 : (tensor<1x1x2x2xf32>) -> tensor<1x1x3x3xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.avg_pool2d %[[V0]] kernel_size [2, 2] stride [1, 1] padding [0, 0, 0, 0] count_include_pad : (tensor<1x1x3x3xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.constant dense<[{{\[}}[{{\[}}4.000000e+00, 2.000000e+00], [2.000000e+00, 1.000000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[V3:.+]] = forge.multiply %[[V1]], %[[V2]] : tensor<1x1x2x2xf32>
// CHECK-NEXT: return %[[V3]] : tensor<1x1x2x2xf32>
func.func @pads(%arg0: !torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,2,2],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.AveragePool"(%arg0) {torch.onnx.kernel_shape = [2 : si64, 2 : si64], torch.onnx.pads = [1 : si64, 1 : si64, 0 : si64, 0 : si64]} : (!torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,2,2],f32>
  return %r1 : !torch.vtensor<[1,1,2,2],f32>
}

// CHECK-LABEL: func.func @counted(
// CHECK: %[[V0:.+]] = forge.pad %arg0 pad [1, 0, 1, 0] mode constant value 0.000000e+00 : (tensor<1x1x2x2xf32>) -> tensor<1x1x3x3xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.avg_pool2d %[[V0]] kernel_size [2, 2] stride [1, 1] padding [0, 0, 0, 0] count_include_pad : (tensor<1x1x3x3xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: return %[[V1]] : tensor<1x1x2x2xf32>
func.func @counted(%arg0: !torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,2,2],f32> attributes {torch.onnx_meta.opset_version = 7 : si64} {
  %r1 = torch.operator "onnx.AveragePool"(%arg0) {torch.onnx.count_include_pad = 1 : si64, torch.onnx.kernel_shape = [2 : si64, 2 : si64], torch.onnx.pads = [1 : si64, 1 : si64, 0 : si64, 0 : si64]} : (!torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,2,2],f32>
  return %r1 : !torch.vtensor<[1,1,2,2],f32>
}

// Padding that is equal on all sides becomes padding of the pool.
// CHECK-LABEL: func.func @same_pads(
// CHECK-NOT: forge.pad
// CHECK: %[[V0:.+]] = forge.avg_pool2d %arg0 kernel_size [3, 3] stride [2, 2] padding [1, 1, 1, 1] count_include_pad : (tensor<1x2x6x6xf32>) -> tensor<1x2x3x3xf32>
// CHECK: forge.multiply %[[V0]], %{{.+}} : (tensor<1x2x3x3xf32>, tensor<1x1x3x3xf32>) -> tensor<1x2x3x3xf32>
func.func @same_pads(%arg0: !torch.vtensor<[1,2,6,6],f32>) -> !torch.vtensor<[1,2,3,3],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.AveragePool"(%arg0) {torch.onnx.kernel_shape = [3 : si64, 3 : si64], torch.onnx.strides = [2 : si64, 2 : si64], torch.onnx.pads = [1 : si64, 1 : si64, 1 : si64, 1 : si64]} : (!torch.vtensor<[1,2,6,6],f32>) -> !torch.vtensor<[1,2,3,3],f32>
  return %r1 : !torch.vtensor<[1,2,3,3],f32>
}

// ONNX pads at the start only; no window reads the trailing padding that Forge's pool adds.
// CHECK-LABEL: func.func @leading_pads(
// CHECK-NOT: forge.pad
// CHECK: forge.avg_pool2d %arg0 kernel_size [3, 3] stride [2, 2] padding [1, 1, 1, 1]
func.func @leading_pads(%arg0: !torch.vtensor<[1,2,6,6],f32>) -> !torch.vtensor<[1,2,3,3],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.AveragePool"(%arg0) {torch.onnx.kernel_shape = [3 : si64, 3 : si64], torch.onnx.strides = [2 : si64, 2 : si64], torch.onnx.pads = [1 : si64, 1 : si64, 0 : si64, 0 : si64]} : (!torch.vtensor<[1,2,6,6],f32>) -> !torch.vtensor<[1,2,3,3],f32>
  return %r1 : !torch.vtensor<[1,2,3,3],f32>
}

// With padding on all sides, Forge's pool would have one window more along both axes.
// CHECK-LABEL: func.func @one_window_more(
// CHECK: forge.pad %arg0 pad [1, 0, 1, 0]
// CHECK: forge.avg_pool2d {{.*}} padding [0, 0, 0, 0]
func.func @one_window_more(%arg0: !torch.vtensor<[1,2,5,5],f32>) -> !torch.vtensor<[1,2,2,2],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.AveragePool"(%arg0) {torch.onnx.kernel_shape = [3 : si64, 3 : si64], torch.onnx.strides = [2 : si64, 2 : si64], torch.onnx.pads = [1 : si64, 1 : si64, 0 : si64, 0 : si64]} : (!torch.vtensor<[1,2,5,5],f32>) -> !torch.vtensor<[1,2,2,2],f32>
  return %r1 : !torch.vtensor<[1,2,2,2],f32>
}

// Forge's pool would exchange the padding of height and width.
// CHECK-LABEL: func.func @other_axis(
// CHECK: forge.pad %arg0 pad [0, 0, 1, 1]
// CHECK: forge.avg_pool2d {{.*}} padding [0, 0, 0, 0]
func.func @other_axis(%arg0: !torch.vtensor<[1,2,6,6],f32>) -> !torch.vtensor<[1,2,6,6],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.AveragePool"(%arg0) {torch.onnx.kernel_shape = [3 : si64, 1 : si64], torch.onnx.pads = [1 : si64, 0 : si64, 1 : si64, 0 : si64]} : (!torch.vtensor<[1,2,6,6],f32>) -> !torch.vtensor<[1,2,6,6],f32>
  return %r1 : !torch.vtensor<[1,2,6,6],f32>
}

// For a window as large as the image, Forge would compute the mean of the image without the padding.
// CHECK-LABEL: func.func @as_large_as_the_image(
// CHECK: forge.pad %arg0 pad [1, 1, 1, 1]
// CHECK: forge.avg_pool2d {{.*}} padding [0, 0, 0, 0]
func.func @as_large_as_the_image(%arg0: !torch.vtensor<[1,2,3,3],f32>) -> !torch.vtensor<[1,2,1,1],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.AveragePool"(%arg0) {torch.onnx.count_include_pad = 1 : si64, torch.onnx.kernel_shape = [3 : si64, 3 : si64], torch.onnx.strides = [3 : si64, 3 : si64], torch.onnx.pads = [1 : si64, 1 : si64, 1 : si64, 1 : si64]} : (!torch.vtensor<[1,2,3,3],f32>) -> !torch.vtensor<[1,2,1,1],f32>
  return %r1 : !torch.vtensor<[1,2,1,1],f32>
}

// Forge's padding is at most half of a window.
// CHECK-LABEL: func.func @wide_pads(
// CHECK: forge.pad %arg0 pad [2, 2, 2, 2]
// CHECK: forge.avg_pool2d {{.*}} padding [0, 0, 0, 0]
func.func @wide_pads(%arg0: !torch.vtensor<[1,2,6,6],f32>) -> !torch.vtensor<[1,2,8,8],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.AveragePool"(%arg0) {torch.onnx.count_include_pad = 1 : si64, torch.onnx.kernel_shape = [3 : si64, 3 : si64], torch.onnx.pads = [2 : si64, 2 : si64, 2 : si64, 2 : si64]} : (!torch.vtensor<[1,2,6,6],f32>) -> !torch.vtensor<[1,2,8,8],f32>
  return %r1 : !torch.vtensor<[1,2,8,8],f32>
}

// The elements that ceil_mode adds are never counted.
// CHECK-LABEL: func.func @ceil(
// CHECK: %[[V0:.+]] = forge.pad %arg0 pad [0, 1, 0, 1] mode constant value 0.000000e+00 : (tensor<1x1x3x3xf32>) -> tensor<1x1x4x4xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.avg_pool2d %[[V0]] kernel_size [2, 2] stride [2, 2] padding [0, 0, 0, 0] count_include_pad : (tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.constant dense<[{{\[}}[{{\[}}1.000000e+00, 2.000000e+00], [2.000000e+00, 4.000000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK-NEXT: %[[V3:.+]] = forge.multiply %[[V1]], %[[V2]] : tensor<1x1x2x2xf32>
// CHECK-NEXT: return %[[V3]] : tensor<1x1x2x2xf32>
func.func @ceil(%arg0: !torch.vtensor<[1,1,3,3],f32>) -> !torch.vtensor<[1,1,2,2],f32> attributes {torch.onnx_meta.opset_version = 10 : si64} {
  %r1 = torch.operator "onnx.AveragePool"(%arg0) {torch.onnx.ceil_mode = 1 : si64, torch.onnx.count_include_pad = 1 : si64, torch.onnx.kernel_shape = [2 : si64, 2 : si64], torch.onnx.strides = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,1,3,3],f32>) -> !torch.vtensor<[1,1,2,2],f32>
  return %r1 : !torch.vtensor<[1,1,2,2],f32>
}

// CHECK-LABEL: func.func @one_axis(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 2, 1, 8] : (tensor<1x2x8xf32>) -> tensor<1x2x1x8xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.avg_pool2d %[[V0]] kernel_size [1, 2] stride [1, 2] padding [0, 0, 0, 0] count_include_pad : (tensor<1x2x1x8xf32>) -> tensor<1x2x1x4xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.reshape %[[V1]] shape [1, 2, 4] : (tensor<1x2x1x4xf32>) -> tensor<1x2x4xf32>
// CHECK-NEXT: return %[[V2]] : tensor<1x2x4xf32>
func.func @one_axis(%arg0: !torch.vtensor<[1,2,8],f32>) -> !torch.vtensor<[1,2,4],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %r1 = torch.operator "onnx.AveragePool"(%arg0) {torch.onnx.kernel_shape = [2 : si64], torch.onnx.strides = [2 : si64]} : (!torch.vtensor<[1,2,8],f32>) -> !torch.vtensor<[1,2,4],f32>
  return %r1 : !torch.vtensor<[1,2,4],f32>
}

// CHECK-LABEL: func.func @dilations(
// CHECK: %[[V0:.+]] = forge.avg_pool2d %arg0 kernel_size [2, 2] stride [1, 1] padding [0, 0, 0, 0] count_include_pad : (tensor<1x2x8x9xf32>) -> tensor<1x2x7x8xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x2x7x8xf32>
func.func @dilations(%arg0: !torch.vtensor<[1,2,8,9],f32>) -> !torch.vtensor<[1,2,7,8],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  %r1 = torch.operator "onnx.AveragePool"(%arg0) {torch.onnx.dilations = [1 : si64, 1 : si64], torch.onnx.kernel_shape = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,2,8,9],f32>) -> !torch.vtensor<[1,2,7,8],f32>
  return %r1 : !torch.vtensor<[1,2,7,8],f32>
}

// A window may exceed the input by less than a stride: it averages the 9 elements of 16 that exist.
// CHECK-LABEL: func.func @window_exceeds_input(
// CHECK: %[[V0:.+]] = forge.pad %arg0 {{.*}} : (tensor<1x1x3x3xf32>) -> tensor<1x1x4x4xf32>
// CHECK: %[[V1:.+]] = forge.avg_pool2d %[[V0]] kernel_size [4, 4]
// CHECK: %[[V2:.+]] = forge.constant dense<1.77777779> : tensor<1x1x1x1xf32>
// CHECK: forge.multiply %[[V1]], %[[V2]]
func.func @window_exceeds_input(%arg0: !torch.vtensor<[1,1,3,3],f32>) -> !torch.vtensor<[1,1,1,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %r1 = torch.operator "onnx.AveragePool"(%arg0) {torch.onnx.kernel_shape = [4 : si64, 4 : si64], torch.onnx.strides = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,1,3,3],f32>) -> !torch.vtensor<[1,1,1,1],f32>
  return %r1 : !torch.vtensor<[1,1,1,1],f32>
}
