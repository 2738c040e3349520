// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @short(
// CHECK: forge.cast{{.*}} tensor<2x3xf32> loc
// CHECK: forge.cast{{.*}} tensor<f32> loc
// CHECK: forge.subtract{{.*}} tensor<2x3xf32> loc
// CHECK: forge.cast{{.*}} tensor<3x4xf32> loc
// CHECK: forge.matmul{{.*}}-> tensor<2x4xf32>
// CHECK: forge.cast{{.*}} tensor<2x4xi32> loc
func.func @short(%x: !torch.vtensor<[2,3],ui8>, %y: !torch.vtensor<[3,4],si8>, %zx: !torch.vtensor<[],ui8>) -> (!torch.vtensor<[2,4],si32>) attributes {torch.onnx_meta.opset_version = 10 : si64} {
  %out = torch.operator "onnx.MatMulInteger"(%x, %y, %zx) : (!torch.vtensor<[2,3],ui8>, !torch.vtensor<[3,4],si8>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[2,4],si32>
  return %out : !torch.vtensor<[2,4],si32>
}

// Sums of at most 258 products of bytes are exact in f32: longer ones are computed in parts, and added in Int32.
// CHECK-LABEL: func.func @long(
// CHECK: forge.cast{{.*}} tensor<2x400xf32> loc
// CHECK: forge.cast{{.*}} tensor<400x4xf32> loc
// CHECK: forge.strided_slice {{.*}} dim 0 [0:258] : {{.*}}tensor<258x4xf32> loc
// CHECK: forge.strided_slice {{.*}} dim 1 [0:258] : {{.*}}tensor<2x258xf32> loc
// CHECK: forge.matmul{{.*}}-> tensor<2x4xf32>
// CHECK: forge.cast{{.*}} tensor<2x4xi32> loc
// CHECK: forge.strided_slice {{.*}} dim 0 [258:400] : {{.*}}tensor<142x4xf32> loc
// CHECK: forge.strided_slice {{.*}} dim 1 [258:400] : {{.*}}tensor<2x142xf32> loc
// CHECK: forge.matmul{{.*}}-> tensor<2x4xf32>
// CHECK: forge.cast{{.*}} tensor<2x4xi32> loc
// CHECK: forge.add{{.*}} tensor<2x4xi32> loc
func.func @long(%x: !torch.vtensor<[2,400],ui8>, %y: !torch.vtensor<[400,4],ui8>) -> (!torch.vtensor<[2,4],si32>) attributes {torch.onnx_meta.opset_version = 10 : si64} {
  %out = torch.operator "onnx.MatMulInteger"(%x, %y) : (!torch.vtensor<[2,400],ui8>, !torch.vtensor<[400,4],ui8>) -> !torch.vtensor<[2,4],si32>
  return %out : !torch.vtensor<[2,4],si32>
}
