// RUN: forge-opt %s --forge-divisibility-rewrite=rules=hoist | FileCheck %s

// Heads 12 to 24 of 64 elements each are columns 768 to 1536, which are whole tiles; as a slice of heads, rows 12 to 24
// are not.
// CHECK-LABEL: func.func @heads(
// CHECK-NEXT: %[[S:.+]] = forge.strided_slice %arg0 dim 2 [768:1536] : (tensor<1x128x2304xf32>) -> tensor<1x128x768xf32>
// CHECK-NEXT: %[[R:.+]] = forge.reshape %[[S]] shape [1, 128, 12, 64]
// CHECK-NEXT: return %[[R]]
func.func @heads(%x: tensor<1x128x2304xf32>) -> tensor<1x128x12x64xf32> {
  %r = forge.reshape %x shape [1, 128, 36, 64] : (tensor<1x128x2304xf32>) -> tensor<1x128x36x64xf32>
  %k = forge.strided_slice %r dim 2 [12:24] : (tensor<1x128x36x64xf32>) -> tensor<1x128x12x64xf32>
  return %k : tensor<1x128x12x64xf32>
}

// Columns 0 to 12 of the reshaped tensor are not one slice of its source, because each row of 48 becomes two rows of
// 24.
// CHECK-LABEL: func.func @no_slice_of_the_source(
// CHECK-NEXT: forge.reshape
// CHECK-NEXT: forge.strided_slice
// CHECK-NEXT: return
func.func @no_slice_of_the_source(%x: tensor<1x48x48xf32>) -> tensor<1x96x12xf32> {
  %r = forge.reshape %x shape [1, 96, 24] : (tensor<1x48x48xf32>) -> tensor<1x96x24xf32>
  %k = forge.strided_slice %r dim 2 [0:12] : (tensor<1x96x24xf32>) -> tensor<1x96x12xf32>
  return %k : tensor<1x96x12xf32>
}

// A slice before a reshape stays there: reshaping a part is cheaper than reshaping everything. 736 is no multiple of
// 64.
// CHECK-LABEL: func.func @slice_before_reshape(
// CHECK-NEXT: forge.strided_slice
// CHECK-NEXT: forge.reshape
// CHECK-NEXT: return
func.func @slice_before_reshape(%x: tensor<1x128x2304xf32>) -> tensor<1x128x12x64xf32> {
  %g = forge.strided_slice %x dim 2 [736:1504] : (tensor<1x128x2304xf32>) -> tensor<1x128x768xf32>
  %r = forge.reshape %g shape [1, 128, 12, 64] : (tensor<1x128x768xf32>) -> tensor<1x128x12x64xf32>
  return %r : tensor<1x128x12x64xf32>
}

// Before the transpose, the sliced axis is not tiled.
// CHECK-LABEL: func.func @transposed(
// CHECK-NEXT: %[[S:.+]] = forge.strided_slice %arg0 dim 1 [0:3]
// CHECK-NEXT: forge.transpose %[[S]] dims 1, 2 : (tensor<1x3x64x64xf32>) -> tensor<1x64x3x64xf32>
// CHECK-NEXT: return
func.func @transposed(%x: tensor<1x6x64x64xf32>) -> tensor<1x64x3x64xf32> {
  %t = forge.transpose %x dims 1, 2 : (tensor<1x6x64x64xf32>) -> tensor<1x64x6x64xf32>
  %k = forge.strided_slice %t dim 2 [0:3] : (tensor<1x64x6x64xf32>) -> tensor<1x64x3x64xf32>
  return %k : tensor<1x64x3x64xf32>
}

// The transpose has another user and stays: nothing would be saved.
// CHECK-LABEL: func.func @other_user(
// CHECK-NEXT: forge.transpose
// CHECK-NEXT: forge.strided_slice
func.func @other_user(%x: tensor<1x6x64x64xf32>) -> (tensor<1x64x3x64xf32>, tensor<1x64x6x64xf32>) {
  %t = forge.transpose %x dims 1, 2 : (tensor<1x6x64x64xf32>) -> tensor<1x64x6x64xf32>
  %k = forge.strided_slice %t dim 2 [0:3] : (tensor<1x64x6x64xf32>) -> tensor<1x64x3x64xf32>
  return %k, %t : tensor<1x64x3x64xf32>, tensor<1x64x6x64xf32>
}

// Through a transpose and a reshape: the keys of a fused QKV, as timm writes them. The slice of the leading axis is
// aligned already, but the reshape and the transpose then work on a third of the elements.
// CHECK-LABEL: func.func @fused(
// CHECK-NEXT: %[[S:.+]] = forge.strided_slice %arg0 dim 1 [128:256]
// CHECK-NEXT: %[[R:.+]] = forge.reshape %[[S]] shape [64, 1, 2, 64]
// CHECK-NEXT: %[[T:.+]] = forge.transpose %[[R]] dims 0, 1 : (tensor<64x1x2x64xf32>) -> tensor<1x64x2x64xf32>
// CHECK-NEXT: return %[[T]]
func.func @fused(%x: tensor<64x384xf32>) -> tensor<1x64x2x64xf32> {
  %r = forge.reshape %x shape [64, 3, 2, 64] : (tensor<64x384xf32>) -> tensor<64x3x2x64xf32>
  %t = forge.transpose %r dims 0, 1 : (tensor<64x3x2x64xf32>) -> tensor<3x64x2x64xf32>
  %k = forge.strided_slice %t dim 0 [1:2] : (tensor<3x64x2x64xf32>) -> tensor<1x64x2x64xf32>
  return %k : tensor<1x64x2x64xf32>
}

// The inner digit of the split axis is every second element, not the second half.
// CHECK-LABEL: func.func @inner_digit(
// CHECK-NEXT: %[[S:.+]] = forge.strided_slice %arg0 dim 1 [1:128:2] : (tensor<64x128xf32>) -> tensor<64x64xf32>
// CHECK-NEXT: forge.reshape %[[S]] shape [64, 64, 1]
// CHECK-NEXT: return
func.func @inner_digit(%x: tensor<64x128xf32>) -> tensor<64x64x1xf32> {
  %r = forge.reshape %x shape [64, 64, 2] : (tensor<64x128xf32>) -> tensor<64x64x2xf32>
  %k = forge.strided_slice %r dim 2 [1:2] : (tensor<64x64x2xf32>) -> tensor<64x64x1xf32>
  return %k : tensor<64x64x1xf32>
}

// Two of three values of an inner digit are no slice of the source.
// CHECK-LABEL: func.func @two_inner_digits(
// CHECK-NEXT: forge.reshape
// CHECK-NEXT: forge.strided_slice
// CHECK-NEXT: return
func.func @two_inner_digits(%x: tensor<64x96xf32>) -> tensor<64x32x2xf32> {
  %r = forge.reshape %x shape [64, 32, 3] : (tensor<64x96xf32>) -> tensor<64x32x3xf32>
  %k = forge.strided_slice %r dim 2 [1:3] : (tensor<64x32x3xf32>) -> tensor<64x32x2xf32>
  return %k : tensor<64x32x2xf32>
}

// One value of the outer digit is a contiguous slice.
// CHECK-LABEL: func.func @outer_digit(
// CHECK-NEXT: %[[S:.+]] = forge.strided_slice %arg0 dim 0 [2048:2112] : (tensor<4096xf32>) -> tensor<64xf32>
// CHECK: forge.reshape %[[S]] shape [1, 64]
func.func @outer_digit(%x: tensor<4096xf32>) -> tensor<1x64xf32> {
  %r = forge.reshape %x shape [64, 64] : (tensor<4096xf32>) -> tensor<64x64xf32>
  %k = forge.strided_slice %r dim 0 [32:33] : (tensor<64x64xf32>) -> tensor<1x64xf32>
  return %k : tensor<1x64xf32>
}

// Every second value of the outer digit is every second row; every second value of an inner digit is no slice.
// CHECK-LABEL: func.func @steps(
// CHECK-DAG: %[[S:.+]] = forge.strided_slice %arg0 dim 0 [0:63:2] : (tensor<64x128xf32>) -> tensor<32x128xf32>
// CHECK-DAG: %[[R:.+]] = forge.reshape %[[S]] shape [32, 64, 2]
// CHECK-DAG: %[[T:.+]] = forge.reshape %arg0 shape [64, 64, 2]
// CHECK-DAG: %[[K:.+]] = forge.strided_slice %[[T]] dim 1 [0:63:2]
// CHECK: return %[[R]], %[[K]]
func.func @steps(%x: tensor<64x128xf32>) -> (tensor<32x64x2xf32>, tensor<64x32x2xf32>) {
  %r = forge.reshape %x shape [64, 64, 2] : (tensor<64x128xf32>) -> tensor<64x64x2xf32>
  %k = forge.strided_slice %r dim 0 [0:63:2] : (tensor<64x64x2xf32>) -> tensor<32x64x2xf32>
  %s = forge.reshape %x shape [64, 64, 2] : (tensor<64x128xf32>) -> tensor<64x64x2xf32>
  %l = forge.strided_slice %s dim 1 [0:63:2] : (tensor<64x64x2xf32>) -> tensor<64x32x2xf32>
  return %k, %l : tensor<32x64x2xf32>, tensor<64x32x2xf32>
}
