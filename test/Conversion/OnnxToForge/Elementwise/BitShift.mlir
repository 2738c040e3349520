// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.+]] = forge.cast %arg0 dtype i32 : (tensor<2x3xui8>) -> tensor<2x3xi32>
// CHECK: %[[V1:.+]] = forge.cast %arg1 dtype i32 : (tensor<3xui8>) -> tensor<3xi32>
// CHECK: %[[V2:.+]] = forge.constant dense<8> : tensor<i32>
// CHECK: %[[V3:.+]] = forge.less %[[V1]], %[[V2]] : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
// CHECK: %[[V4:.+]] = forge.cast %[[V3]] dtype i1 : (tensor<3xi32>) -> tensor<3xi1>
// CHECK: %[[V5:.+]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V6:.+]] = forge.greater_equal %[[V1]], %[[V5]] : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
// CHECK: %[[V7:.+]] = forge.cast %[[V6]] dtype i1 : (tensor<3xi32>) -> tensor<3xi1>
// CHECK: %[[V8:.+]] = forge.cast %[[V4]] dtype i32 : (tensor<3xi1>) -> tensor<3xi32>
// CHECK: %[[V9:.+]] = forge.cast %[[V7]] dtype i32 : (tensor<3xi1>) -> tensor<3xi32>
// CHECK: %[[V10:.+]] = forge.multiply %[[V9]], %[[V8]] : tensor<3xi32>
// CHECK: %[[V11:.+]] = forge.cast %[[V10]] dtype i1 : (tensor<3xi32>) -> tensor<3xi1>
// CHECK: %[[V12:.+]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V13:.+]] = forge.where %[[V11]], %[[V1]], %[[V12]] : (tensor<3xi1>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
// CHECK: %[[V14:.+]] = forge.constant dense<1> : tensor<i32>
// CHECK: %[[V15:.+]] = forge.constant dense<1> : tensor<i32>
// CHECK: %[[V16:.+]] = forge.constant dense<1> : tensor<i32>
// CHECK: %[[V17:.+]] = forge.bitwise_and %[[V13]], %[[V16]] : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
// CHECK: %[[V18:.+]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V19:.+]] = forge.not_equal %[[V17]], %[[V18]] : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
// CHECK: %[[V20:.+]] = forge.cast %[[V19]] dtype i1 : (tensor<3xi32>) -> tensor<3xi1>
// CHECK: %[[V21:.+]] = forge.constant dense<2> : tensor<i32>
// CHECK: %[[V22:.+]] = forge.where %[[V20]], %[[V21]], %[[V15]] : (tensor<3xi1>, tensor<i32>, tensor<i32>) -> tensor<3xi32>
// CHECK: %[[V23:.+]] = forge.multiply %[[V14]], %[[V22]] : (tensor<i32>, tensor<3xi32>) -> tensor<3xi32>
// CHECK: %[[V24:.+]] = forge.constant dense<1> : tensor<i32>
// CHECK: %[[V25:.+]] = forge.constant dense<2> : tensor<i32>
// CHECK: %[[V26:.+]] = forge.bitwise_and %[[V13]], %[[V25]] : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
// CHECK: %[[V27:.+]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V28:.+]] = forge.not_equal %[[V26]], %[[V27]] : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
// CHECK: %[[V29:.+]] = forge.cast %[[V28]] dtype i1 : (tensor<3xi32>) -> tensor<3xi1>
// CHECK: %[[V30:.+]] = forge.constant dense<4> : tensor<i32>
// CHECK: %[[V31:.+]] = forge.where %[[V29]], %[[V30]], %[[V24]] : (tensor<3xi1>, tensor<i32>, tensor<i32>) -> tensor<3xi32>
// CHECK: %[[V32:.+]] = forge.multiply %[[V23]], %[[V31]] : tensor<3xi32>
// CHECK: %[[V33:.+]] = forge.constant dense<1> : tensor<i32>
// CHECK: %[[V34:.+]] = forge.constant dense<4> : tensor<i32>
// CHECK: %[[V35:.+]] = forge.bitwise_and %[[V13]], %[[V34]] : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
// CHECK: %[[V36:.+]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V37:.+]] = forge.not_equal %[[V35]], %[[V36]] : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
// CHECK: %[[V38:.+]] = forge.cast %[[V37]] dtype i1 : (tensor<3xi32>) -> tensor<3xi1>
// CHECK: %[[V39:.+]] = forge.constant dense<16> : tensor<i32>
// CHECK: %[[V40:.+]] = forge.where %[[V38]], %[[V39]], %[[V33]] : (tensor<3xi1>, tensor<i32>, tensor<i32>) -> tensor<3xi32>
// CHECK: %[[V41:.+]] = forge.multiply %[[V32]], %[[V40]] : tensor<3xi32>
// CHECK: %[[V42:.+]] = forge.constant dense<1> : tensor<i32>
// CHECK: %[[V43:.+]] = forge.constant dense<8> : tensor<i32>
// CHECK: %[[V44:.+]] = forge.bitwise_and %[[V13]], %[[V43]] : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
// CHECK: %[[V45:.+]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V46:.+]] = forge.not_equal %[[V44]], %[[V45]] : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
// CHECK: %[[V47:.+]] = forge.cast %[[V46]] dtype i1 : (tensor<3xi32>) -> tensor<3xi1>
// CHECK: %[[V48:.+]] = forge.constant dense<256> : tensor<i32>
// CHECK: %[[V49:.+]] = forge.where %[[V47]], %[[V48]], %[[V42]] : (tensor<3xi1>, tensor<i32>, tensor<i32>) -> tensor<3xi32>
// CHECK: %[[V50:.+]] = forge.multiply %[[V41]], %[[V49]] : tensor<3xi32>
// CHECK: %[[V51:.+]] = forge.constant dense<1> : tensor<i32>
// CHECK: %[[V52:.+]] = forge.constant dense<16> : tensor<i32>
// CHECK: %[[V53:.+]] = forge.bitwise_and %[[V13]], %[[V52]] : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
// CHECK: %[[V54:.+]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V55:.+]] = forge.not_equal %[[V53]], %[[V54]] : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
// CHECK: %[[V56:.+]] = forge.cast %[[V55]] dtype i1 : (tensor<3xi32>) -> tensor<3xi1>
// CHECK: %[[V57:.+]] = forge.constant dense<65536> : tensor<i32>
// CHECK: %[[V58:.+]] = forge.where %[[V56]], %[[V57]], %[[V51]] : (tensor<3xi1>, tensor<i32>, tensor<i32>) -> tensor<3xi32>
// CHECK: %[[V59:.+]] = forge.multiply %[[V50]], %[[V58]] : tensor<3xi32>
// CHECK: %[[V60:.+]] = forge.multiply %[[V0]], %[[V59]] : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
// CHECK: %[[V61:.+]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V62:.+]] = forge.where %[[V11]], %[[V60]], %[[V61]] : (tensor<3xi1>, tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
// CHECK: %[[V63:.+]] = forge.constant dense<255> : tensor<i32>
// CHECK: %[[V64:.+]] = forge.bitwise_and %[[V62]], %[[V63]] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
// CHECK: %[[V65:.+]] = forge.cast %[[V64]] dtype ui8 : (tensor<2x3xi32>) -> tensor<2x3xui8>
// CHECK-NEXT: return %[[V65]] : tensor<2x3xui8>
func.func @f0(%x0: !torch.vtensor<[2,3],ui8>, %x1: !torch.vtensor<[3],ui8>) -> !torch.vtensor<[2,3],ui8> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %y = torch.operator "onnx.BitShift"(%x0, %x1) {torch.onnx.direction = "LEFT"} : (!torch.vtensor<[2,3],ui8>, !torch.vtensor<[3],ui8>) -> !torch.vtensor<[2,3],ui8>
  return %y : !torch.vtensor<[2,3],ui8>
}

// In 32 bits, the bits that are shifted out are cleared before the shift, so that no intermediate value leaves Int32.
// Constant operands show the results.
// CHECK-LABEL: func.func @constants(
// CHECK: forge.constant dense<[-2147483648, -2, -2147483648, 0, 2147483646, 7]> : tensor<6xi32>
func.func @constants() -> !torch.vtensor<[6],si32> attributes {torch.onnx_meta.opset_version = 28 : si64} {
  %x = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 2147483647, -1, 2, 1073741823, 7]> : tensor<6xsi32>} : () -> !torch.vtensor<[6],si32>
  %by = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[31, 1, 31, 31, 1, 0]> : tensor<6xsi32>} : () -> !torch.vtensor<[6],si32>
  %y = torch.operator "onnx.BitShift"(%x, %by) {torch.onnx.direction = "LEFT"} : (!torch.vtensor<[6],si32>, !torch.vtensor<[6],si32>) -> !torch.vtensor<[6],si32>
  return %y : !torch.vtensor<[6],si32>
}

// Constants of 64 bits are evaluated in 64 bits.
// CHECK-LABEL: func.func @constants_to_the_left(
// CHECK: %[[V0:.+]] = forge.constant dense<[1099511627776, -6917529027641081856]> : tensor<2xi64>
// CHECK-NEXT: return %[[V0]] : tensor<2xi64>
func.func @constants_to_the_left() -> !torch.vtensor<[2],si64> attributes {torch.onnx_meta.opset_version = 28 : si64} {
  %x = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, -3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %y = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[40, 61]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r = torch.operator "onnx.BitShift"(%x, %y) {torch.onnx.direction = "LEFT"} : (!torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64>
  return %r : !torch.vtensor<[2],si64>
}

// The same to the right.
// CHECK-LABEL: func.func @constants_to_the_right(
// CHECK: %[[V0:.+]] = forge.constant dense<[-33554432, -1]> : tensor<2xi64>
// CHECK-NEXT: return %[[V0]] : tensor<2xi64>
func.func @constants_to_the_right() -> !torch.vtensor<[2],si64> attributes {torch.onnx_meta.opset_version = 28 : si64} {
  %x = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[-35184372088832, -1]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %y = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[20, 63]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r = torch.operator "onnx.BitShift"(%x, %y) {torch.onnx.direction = "RIGHT"} : (!torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64>
  return %r : !torch.vtensor<[2],si64>
}
