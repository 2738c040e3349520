// RUN: forge-opt %s --forge-classify-slices | FileCheck %s
// RUN: forge-opt %s --forge-classify-slices=format=bfp8 | FileCheck %s --check-prefix=BFP8
// RUN: not forge-opt %s --forge-classify-slices=format=i32 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: error: [FM2006] expected a format out of f32 f16 bf16 bfp8 bfp4 bfp2, but got 'i32'

// Slices of 768 elements are whole tiles.
// CHECK-LABEL: func.func @fused_qkv(
// CHECK-COUNT-3: forge.slice_class = "TILE_VIEW"
func.func @fused_qkv(%x: tensor<1x128x2304xbf16>) -> (tensor<1x128x768xbf16>, tensor<1x128x768xbf16>, tensor<1x128x768xbf16>) {
  %q = forge.strided_slice %x dim -1 [0:768] : (tensor<1x128x2304xbf16>) -> tensor<1x128x768xbf16>
  %k = forge.strided_slice %x dim -1 [768:1536] : (tensor<1x128x2304xbf16>) -> tensor<1x128x768xbf16>
  %v = forge.strided_slice %x dim -1 [1536:2304] : (tensor<1x128x2304xbf16>) -> tensor<1x128x768xbf16>
  return %q, %k, %v : tensor<1x128x768xbf16>, tensor<1x128x768xbf16>, tensor<1x128x768xbf16>
}

// The first slice of 80 ends inside a tile; the second begins inside one, at a multiple of 16 bytes; the third ends
// where the tensor ends. An op at call level is classified as well.
// CHECK-LABEL: func.func @slices_of_80(
// CHECK: forge.slice_class = "TILE_VIEW_DIRTY"
// CHECK: forge.slice_class = "RETILE_NOC"
// CHECK: forge.index {{.*}}forge.slice_class = "TILE_VIEW"
func.func @slices_of_80(%x: tensor<1x64x240xbf16>) -> (tensor<1x64x80xbf16>, tensor<1x64x80xbf16>, tensor<1x64x80xbf16>) {
  %a = forge.strided_slice %x dim 2 [0:80] : (tensor<1x64x240xbf16>) -> tensor<1x64x80xbf16>
  %b = forge.strided_slice %x dim 2 [80:160] : (tensor<1x64x240xbf16>) -> tensor<1x64x80xbf16>
  %c = forge.index %x dim -1 [160:240] : (tensor<1x64x240xbf16>) -> tensor<1x64x80xbf16>
  return %a, %b, %c : tensor<1x64x80xbf16>, tensor<1x64x80xbf16>, tensor<1x64x80xbf16>
}

// A slice of an axis that is not tiled.
// CHECK-LABEL: func.func @axis_0(
// CHECK-COUNT-2: forge.slice_class = "TILE_VIEW"
func.func @axis_0(%x: tensor<10x4x4xf32>) -> (tensor<3x4x4xf32>, tensor<5x4x4xf32>) {
  %b = forge.strided_slice %x dim 0 [2:5] : (tensor<10x4x4xf32>) -> tensor<3x4x4xf32>
  %c = forge.strided_slice %x dim 0 [5:10] : (tensor<10x4x4xf32>) -> tensor<5x4x4xf32>
  return %b, %c : tensor<3x4x4xf32>, tensor<5x4x4xf32>
}

// Slices of the last axis: 2 elements are no multiple of 16 bytes in any format; a slice with a step; the whole axis;
// an empty slice.
// CHECK-LABEL: func.func @last_axis(
// CHECK: forge.slice_class = "RETILE"
// CHECK: forge.slice_class = "RETILE_STRIDED"
// CHECK: forge.slice_class = "IDENTITY"
// CHECK: forge.slice_class = "EMPTY"
// BFP8-LABEL: func.func @last_axis(
// BFP8: forge.slice_class = "RETILE"
func.func @last_axis(%x: tensor<4x10xf32>) -> (tensor<4x3xf32>, tensor<4x5xf32>, tensor<4x10xf32>, tensor<4x0xf32>) {
  %a = forge.strided_slice %x dim -1 [2:5] : (tensor<4x10xf32>) -> tensor<4x3xf32>
  %b = forge.strided_slice %x dim -1 [0:10:2] : (tensor<4x10xf32>) -> tensor<4x5xf32>
  %c = forge.strided_slice %x dim -1 [0:99] : tensor<4x10xf32>
  %d = forge.strided_slice %x dim -1 [5:5] : (tensor<4x10xf32>) -> tensor<4x0xf32>
  return %a, %b, %c, %d : tensor<4x3xf32>, tensor<4x5xf32>, tensor<4x10xf32>, tensor<4x0xf32>
}

// The format decides about the alignment to 16 bytes: 8 elements are 32 bytes in f32, and 8 bytes in bfp8.
// CHECK-LABEL: func.func @alignment(
// CHECK: forge.slice_class = "RETILE_NOC"
// BFP8-LABEL: func.func @alignment(
// BFP8: forge.slice_class = "RETILE"
func.func @alignment(%x: tensor<4x64xf32>) -> tensor<4x8xf32> {
  %a = forge.strided_slice %x dim -1 [8:16] : (tensor<4x64xf32>) -> tensor<4x8xf32>
  return %a : tensor<4x8xf32>
}

// Slices of two axes, reversed slices and layouts that are too large have no class.
// CHECK-LABEL: func.func @none(
// CHECK-NOT: forge.slice_class
// CHECK: return
func.func @none(%x: tensor<4x64xf32>, %y: tensor<2305843009213693952x2xf32>) -> (tensor<2x8xf32>, tensor<4x64xf32>, tensor<2305843009213693952x1xf32>) {
  %a = forge.strided_slice %x dim 0 [0:2] dim 1 [8:16] : (tensor<4x64xf32>) -> tensor<2x8xf32>
  %b = forge.strided_slice %x dim 1 [-1:-99:-1] : tensor<4x64xf32>
  %c = forge.strided_slice %y dim 1 [1:2] : (tensor<2305843009213693952x2xf32>) -> tensor<2305843009213693952x1xf32>
  return %a, %b, %c : tensor<2x8xf32>, tensor<4x64xf32>, tensor<2305843009213693952x1xf32>
}

// A function that runs on the CPU is not classified.
// CHECK-LABEL: func.func @host(
// CHECK-NOT: forge.slice_class
func.func @host(%x: tensor<4x64xf32>) -> tensor<4x8xf32> attributes {forge.partition = "cpu"} {
  %a = forge.strided_slice %x dim -1 [8:16] : (tensor<4x64xf32>) -> tensor<4x8xf32>
  return %a : tensor<4x8xf32>
}
