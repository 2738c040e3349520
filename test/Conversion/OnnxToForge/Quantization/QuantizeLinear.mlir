// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @axis(
// CHECK: forge.reshape{{.*}} tensor<1x3xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x3xi8> loc
// CHECK: forge.divide{{.*}} tensor<2x3xf32> loc
// CHECK: forge.equal{{.*}} tensor<2x3xf32> loc
// CHECK: forge.cast{{.*}} tensor<2x3xi1> loc
// CHECK: forge.constant dense<0xFF800000>{{.*}} tensor<f32>
// CHECK: forge.where{{.*}} tensor<2x3xf32> loc
// CHECK: forge.clip {{.*}} min -2.621440e+05 max 2.621440e+05 : {{.*}}tensor<2x3xf32> loc
// CHECK: forge.constant dense<0x4B400000>{{.*}} tensor<f32>
// CHECK: forge.add{{.*}} tensor<2x3xf32> loc
// CHECK: forge.subtract{{.*}} tensor<2x3xf32> loc
// CHECK: forge.cast{{.*}} tensor<1x3xf32> loc
// CHECK: forge.add{{.*}} tensor<2x3xf32> loc
// CHECK: forge.clip {{.*}} min -1.280000e+02 max 1.270000e+02 : {{.*}}tensor<2x3xf32> loc
// CHECK: forge.cast{{.*}} tensor<2x3xi8> loc
func.func @axis(%x: !torch.vtensor<[2,3],f32>, %s: !torch.vtensor<[3],f32>, %z: !torch.vtensor<[3],si8>) -> (!torch.vtensor<[2,3],si8>) attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %out = torch.operator "onnx.QuantizeLinear"(%x, %s, %z) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],si8>) -> !torch.vtensor<[2,3],si8>
  return %out : !torch.vtensor<[2,3],si8>
}

// CHECK-LABEL: func.func @blocked(
// CHECK: forge.reshape{{.*}} tensor<2x1x3xf32> loc
// CHECK: forge.repeat{{.*}} tensor<2x2x3xf32> loc
// CHECK: forge.reshape{{.*}} tensor<4x3xf32> loc
// CHECK: forge.divide{{.*}} tensor<4x3xf32> loc
// CHECK: forge.equal{{.*}} tensor<4x3xf32> loc
// CHECK: forge.cast{{.*}} tensor<4x3xi1> loc
// CHECK: forge.constant dense<0xFF800000>{{.*}} tensor<f32>
// CHECK: forge.where{{.*}} tensor<4x3xf32> loc
// CHECK: forge.clip {{.*}} min 0.000000e+00 max 1.500000e+01 : {{.*}}tensor<4x3xf32> loc
// CHECK: forge.constant dense<0x4B400000>{{.*}} tensor<f32>
// CHECK: forge.add{{.*}} tensor<4x3xf32> loc
// CHECK: forge.constant dense<0x4B400000>{{.*}} tensor<f32>
// CHECK: forge.subtract{{.*}} tensor<4x3xf32> loc
// CHECK: forge.cast{{.*}} tensor<4x3xui4> loc
func.func @blocked(%x: !torch.vtensor<[4,3],f32>, %s: !torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[4,3],ui4>) attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %out = torch.operator "onnx.QuantizeLinear"(%x, %s) {torch.onnx.axis = 0 : si64, torch.onnx.block_size = 2 : si64, torch.onnx.output_dtype = 21 : si64} : (!torch.vtensor<[4,3],f32>, !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[4,3],ui4>
  return %out : !torch.vtensor<[4,3],ui4>
}
