// Every op in text and through bytecode.
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s -emit-bytecode | forge-opt | FileCheck %s

// CHECK-LABEL: func.func @pool_resize(
func.func @pool_resize(%arg0: tensor<1x2x8xf32>, %arg1: tensor<1x2x8x9xf32>, %arg2: tensor<1x8x9x2xf32>) {
  // CHECK: %{{.+}} = forge.max_pool1d %arg0 {ceil_mode = false, dilation = 1 : i64, kernel_size = 2 : i64, padding = 1 : i64, return_indices = false, stride = 2 : i64} : (tensor<1x2x8xf32>) -> tensor<1x2x5xf32>
  %0 = forge.max_pool1d %arg0 {ceil_mode = false, dilation = 1 : i64, kernel_size = 2 : i64, padding = 1 : i64, return_indices = false, stride = 2 : i64} : (tensor<1x2x8xf32>) -> tensor<1x2x5xf32>
  // CHECK-NEXT: %{{.+}} = forge.max_pool2d %arg1 {ceil_mode = true, channel_last = false, dilation = 1 : i64, kernel_size = array<i64: 3, 2>, padding = array<i64: 0, 0, 1, 1>, return_indices = false, stride = array<i64: 2, 2>} : (tensor<1x2x8x9xf32>) -> tensor<1x2x5x5xf32>
  %1 = forge.max_pool2d %arg1 {ceil_mode = true, channel_last = false, dilation = 1 : i64, kernel_size = array<i64: 3, 2>, padding = array<i64: 0, 0, 1, 1>, return_indices = false, stride = array<i64: 2, 2>} : (tensor<1x2x8x9xf32>) -> tensor<1x2x5x5xf32>
  // CHECK-NEXT: %{{.+}} = forge.avg_pool1d %arg0 {ceil_mode = false, count_include_pad = true, kernel_size = 8 : i64, padding = 0 : i64, stride = 1 : i64} : (tensor<1x2x8xf32>) -> tensor<1x2x1xf32>
  %2 = forge.avg_pool1d %arg0 {ceil_mode = false, count_include_pad = true, kernel_size = 8 : i64, padding = 0 : i64, stride = 1 : i64} : (tensor<1x2x8xf32>) -> tensor<1x2x1xf32>
  // CHECK-NEXT: %{{.+}} = forge.avg_pool2d %arg2 {ceil_mode = false, channel_last = true, count_include_pad = true, kernel_size = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 1>} : (tensor<1x8x9x2xf32>) -> tensor<1x5x10x2xf32>
  %3 = forge.avg_pool2d %arg2 {ceil_mode = false, channel_last = true, count_include_pad = true, kernel_size = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 1>} : (tensor<1x8x9x2xf32>) -> tensor<1x5x10x2xf32>
  // CHECK-NEXT: %{{.+}} = forge.resize1d %arg0 {align_corners = false, channel_last = false, mode = "linear", size = 16 : i64} : (tensor<1x2x8xf32>) -> tensor<1x2x16xf32>
  %4 = forge.resize1d %arg0 {align_corners = false, channel_last = false, mode = "linear", size = 16 : i64} : (tensor<1x2x8xf32>) -> tensor<1x2x16xf32>
  // CHECK-NEXT: %{{.+}} = forge.resize2d %arg1 {align_corners = false, channel_last = false, mode = "nearest", sizes = array<i64: 4, 5>} : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x5xf32>
  %5 = forge.resize2d %arg1 {align_corners = false, channel_last = false, mode = "nearest", sizes = array<i64: 4, 5>} : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x5xf32>
  // CHECK-NEXT: %{{.+}} = forge.resize2d %arg2 {align_corners = false, channel_last = true, mode = "bilinear", sizes = array<i64: 16, 9>} : (tensor<1x8x9x2xf32>) -> tensor<1x16x9x2xf32>
  %6 = forge.resize2d %arg2 {align_corners = false, channel_last = true, mode = "bilinear", sizes = array<i64: 16, 9>} : (tensor<1x8x9x2xf32>) -> tensor<1x16x9x2xf32>
  // CHECK-NEXT: %{{.+}} = forge.upsample2d %arg1 {channel_last = false, mode = "nearest", scale_factor = array<i64: 2, 3>} : (tensor<1x2x8x9xf32>) -> tensor<1x2x16x27xf32>
  %7 = forge.upsample2d %arg1 {channel_last = false, mode = "nearest", scale_factor = array<i64: 2, 3>} : (tensor<1x2x8x9xf32>) -> tensor<1x2x16x27xf32>
  // CHECK-NEXT: %{{.+}} = forge.downsample2d %arg1 {channel_last = false, mode = "bilinear", scale_factor = array<i64: 2, 3>} : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x3xf32>
  %8 = forge.downsample2d %arg1 {channel_last = false, mode = "bilinear", scale_factor = array<i64: 2, 3>} : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x3xf32>
  return
}
