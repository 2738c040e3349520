// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @backwards(
// CHECK: forge.strided_slice {{.*}} dim 0 [1:2] : {{.*}}tensor<1x3xf32> loc
// CHECK: forge.reshape{{.*}} tensor<3xf32> loc
// CHECK: forge.add{{.*}} tensor<3xf32> loc
// CHECK: forge.strided_slice {{.*}} dim 0 [0:1] : {{.*}}tensor<1x3xf32> loc
// CHECK: forge.reshape{{.*}} tensor<3xf32> loc
// CHECK: forge.add{{.*}} tensor<3xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x3xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x3xf32> loc
// CHECK: forge.concatenate {{.*}} axis -2 : {{.*}}-> tensor<2x3xf32>
func.func @backwards(%s0: !torch.vtensor<[3],f32>, %x: !torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[2,3],f32>) attributes {torch.onnx_meta.opset_version = 16 : si64} {
  %out:2 = torch.operator "onnx.Scan"(%s0, %x) {torch.onnx.num_scan_inputs = 1 : si64, torch.onnx.scan_input_directions = [1 : si64]} : (!torch.vtensor<[3],f32>, !torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[2,3],f32>) {
  ^bb0(%s: !torch.vtensor<[3],f32>, %e: !torch.vtensor<[3],f32>):
    %n = torch.operator "onnx.Add"(%s, %e) : (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32>
    torch.operator_terminator %n, %n : !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>
  }
  return %out#0, %out#1 : !torch.vtensor<[3],f32>, !torch.vtensor<[2,3],f32>
}
