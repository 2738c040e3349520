// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// The channels are the trailing axis of the operand and of the result.
// CHECK-LABEL: func.func @bytes(
// CHECK: forge.transpose {{.*}} -> tensor<1x3x6x5xui8>
// CHECK: forge.max
// CHECK: return {{.*}} : tensor<1x5x4x3xui8>
func.func @bytes(%x: !torch.vtensor<[1,6,5,3],ui8>) -> !torch.vtensor<[1,5,4,3],ui8> attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %0 = torch.operator "onnx.NhwcMaxPool"(%x) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.kernel_shape = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,6,5,3],ui8>) -> !torch.vtensor<[1,5,4,3],ui8>
  return %0 : !torch.vtensor<[1,5,4,3],ui8>
}
