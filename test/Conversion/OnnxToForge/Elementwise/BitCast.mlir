// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// The bits of a constant are reinterpreted: bytes above 127 become negative.
// CHECK-LABEL: func.func @signed_of(
// CHECK: forge.constant dense<[1, -1, -128]> : tensor<3xi8>
func.func @signed_of() -> !torch.vtensor<[3],si8> attributes {torch.onnx_meta.opset_version = 26 : si64} {
  %x = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 255, 128]> : tensor<3xui8>} : () -> !torch.vtensor<[3],ui8>
  %r = torch.operator "onnx.BitCast"(%x) {torch.onnx.to = 3 : si64} : (!torch.vtensor<[3],ui8>) -> !torch.vtensor<[3],si8>
  return %r : !torch.vtensor<[3],si8>
}

// A negative byte is reinterpreted by adding 256.
// CHECK-LABEL: func.func @unsigned_of(
// CHECK: %[[X:.+]] = forge.cast %arg0 dtype i32
// CHECK: %[[ZERO:.+]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[NEGATIVE:.+]] = forge.less %[[X]], %[[ZERO]]
// CHECK: %[[WHERE:.+]] = forge.cast %[[NEGATIVE]] dtype i1
// CHECK: %[[RANGE:.+]] = forge.constant dense<256> : tensor<i32>
// CHECK: %[[ABOVE:.+]] = forge.add %[[X]], %[[RANGE]]
// CHECK: %[[BITS:.+]] = forge.where %[[WHERE]], %[[ABOVE]], %[[X]]
// CHECK: forge.cast %[[BITS]] dtype ui8
func.func @unsigned_of(%x: !torch.vtensor<[3],si8>) -> !torch.vtensor<[3],ui8> attributes {torch.onnx_meta.opset_version = 26 : si64} {
  %r = torch.operator "onnx.BitCast"(%x) {torch.onnx.to = 2 : si64} : (!torch.vtensor<[3],si8>) -> !torch.vtensor<[3],ui8>
  return %r : !torch.vtensor<[3],ui8>
}
