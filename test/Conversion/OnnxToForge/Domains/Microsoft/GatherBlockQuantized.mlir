// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// Each byte holds two quantised values, in blocks of 16. The weight is dequantised as a whole, because that can be
// computed from weights alone, and then indexed.
// CHECK-LABEL: func.func @bytes(
// CHECK: %[[NUMBERS:.+]] = forge.reshape {{.*}} shape [5, 32]
// CHECK: %[[CENTRED:.+]] = forge.subtract %[[NUMBERS]], {{.*}} tensor<5x32xf32>
// CHECK: %[[TABLE:.+]] = forge.multiply %[[CENTRED]], {{.*}} tensor<5x32xf32>
// CHECK: %[[ROWS:.+]] = forge.wrap_index %arg1 size 5
// CHECK: forge.embedding %[[ROWS]], %[[TABLE]] {{.*}} -> tensor<2x3x32xf32>
func.func @bytes(%table: !torch.vtensor<[5,16],ui8>, %rows: !torch.vtensor<[2,3],si64>, %scales: !torch.vtensor<[5,2],f32>) -> !torch.vtensor<[2,3,32],f32> attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %0 = torch.operator "onnx.GatherBlockQuantized"(%table, %rows, %scales) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.block_size = 16 : si64} : (!torch.vtensor<[5,16],ui8>, !torch.vtensor<[2,3],si64>, !torch.vtensor<[5,2],f32>) -> !torch.vtensor<[2,3,32],f32>
  return %0 : !torch.vtensor<[2,3,32],f32>
}

// The default zero point of 4-bit types is 0, and no subtraction is needed.
// CHECK-LABEL: func.func @nibbles(
// CHECK-NOT: forge.subtract
// CHECK: return
func.func @nibbles(%table: !torch.vtensor<[5,32],ui4>, %rows: !torch.vtensor<[2],si64>, %scales: !torch.vtensor<[5,2],f32>) -> !torch.vtensor<[2,32],f32> attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %0 = torch.operator "onnx.GatherBlockQuantized"(%table, %rows, %scales) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.block_size = 16 : si64} : (!torch.vtensor<[5,32],ui4>, !torch.vtensor<[2],si64>, !torch.vtensor<[5,2],f32>) -> !torch.vtensor<[2,32],f32>
  return %0 : !torch.vtensor<[2,32],f32>
}
