// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.cast %{{.*}} dtype i32 : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V1:.*]] = forge.cast %{{.*}} dtype i32 : {{.*}}tensor<3xi32> loc
// CHECK: %[[C2:.*]] = forge.constant dense<8> : tensor<i32>
// CHECK: %[[V3:.*]] = forge.less %[[V1]], %[[C2]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[V4:.*]] = forge.cast %[[V3]] dtype i1 : {{.*}}tensor<3xi1> loc
// CHECK: %[[C5:.*]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V6:.*]] = forge.greater_equal %[[V1]], %[[C5]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[V7:.*]] = forge.cast %[[V6]] dtype i1 : {{.*}}tensor<3xi1> loc
// CHECK: %[[V8:.*]] = forge.cast %[[V4]] dtype i32 : {{.*}}tensor<3xi32> loc
// CHECK: %[[V9:.*]] = forge.cast %[[V7]] dtype i32 : {{.*}}tensor<3xi32> loc
// CHECK: %[[V10:.*]] = forge.multiply %[[V9]], %[[V8]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[V11:.*]] = forge.cast %[[V10]] dtype i1 : {{.*}}tensor<3xi1> loc
// CHECK: %[[C12:.*]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V13:.*]] = forge.where %[[V11]], %[[V1]], %[[C12]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[C14:.*]] = forge.constant dense<1> : tensor<i32>
// CHECK: %[[C15:.*]] = forge.constant dense<1> : tensor<i32>
// CHECK: %[[C16:.*]] = forge.constant dense<1> : tensor<i32>
// CHECK: %[[V17:.*]] = forge.bitwise_and %[[V13]], %[[C16]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[C18:.*]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V19:.*]] = forge.not_equal %[[V17]], %[[C18]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[V20:.*]] = forge.cast %[[V19]] dtype i1 : {{.*}}tensor<3xi1> loc
// CHECK: %[[C21:.*]] = forge.constant dense<2> : tensor<i32>
// CHECK: %[[V22:.*]] = forge.where %[[V20]], %[[C21]], %[[C15]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[V23:.*]] = forge.multiply %[[C14]], %[[V22]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[C24:.*]] = forge.constant dense<1> : tensor<i32>
// CHECK: %[[C25:.*]] = forge.constant dense<2> : tensor<i32>
// CHECK: %[[V26:.*]] = forge.bitwise_and %[[V13]], %[[C25]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[C27:.*]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V28:.*]] = forge.not_equal %[[V26]], %[[C27]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[V29:.*]] = forge.cast %[[V28]] dtype i1 : {{.*}}tensor<3xi1> loc
// CHECK: %[[C30:.*]] = forge.constant dense<4> : tensor<i32>
// CHECK: %[[V31:.*]] = forge.where %[[V29]], %[[C30]], %[[C24]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[V32:.*]] = forge.multiply %[[V23]], %[[V31]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[C33:.*]] = forge.constant dense<1> : tensor<i32>
// CHECK: %[[C34:.*]] = forge.constant dense<4> : tensor<i32>
// CHECK: %[[V35:.*]] = forge.bitwise_and %[[V13]], %[[C34]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[C36:.*]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V37:.*]] = forge.not_equal %[[V35]], %[[C36]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[V38:.*]] = forge.cast %[[V37]] dtype i1 : {{.*}}tensor<3xi1> loc
// CHECK: %[[C39:.*]] = forge.constant dense<16> : tensor<i32>
// CHECK: %[[V40:.*]] = forge.where %[[V38]], %[[C39]], %[[C33]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[V41:.*]] = forge.multiply %[[V32]], %[[V40]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[C42:.*]] = forge.constant dense<1> : tensor<i32>
// CHECK: %[[C43:.*]] = forge.constant dense<8> : tensor<i32>
// CHECK: %[[V44:.*]] = forge.bitwise_and %[[V13]], %[[C43]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[C45:.*]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V46:.*]] = forge.not_equal %[[V44]], %[[C45]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[V47:.*]] = forge.cast %[[V46]] dtype i1 : {{.*}}tensor<3xi1> loc
// CHECK: %[[C48:.*]] = forge.constant dense<256> : tensor<i32>
// CHECK: %[[V49:.*]] = forge.where %[[V47]], %[[C48]], %[[C42]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[V50:.*]] = forge.multiply %[[V41]], %[[V49]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[C51:.*]] = forge.constant dense<1> : tensor<i32>
// CHECK: %[[C52:.*]] = forge.constant dense<16> : tensor<i32>
// CHECK: %[[V53:.*]] = forge.bitwise_and %[[V13]], %[[C52]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[C54:.*]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V55:.*]] = forge.not_equal %[[V53]], %[[C54]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[V56:.*]] = forge.cast %[[V55]] dtype i1 : {{.*}}tensor<3xi1> loc
// CHECK: %[[C57:.*]] = forge.constant dense<65536> : tensor<i32>
// CHECK: %[[V58:.*]] = forge.where %[[V56]], %[[C57]], %[[C51]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[V59:.*]] = forge.multiply %[[V50]], %[[V58]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[V60:.*]] = forge.multiply %[[V0]], %[[V59]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[C61:.*]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V62:.*]] = forge.where %[[V11]], %[[V60]], %[[C61]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[C63:.*]] = forge.constant dense<255> : tensor<i32>
// CHECK: %[[V64:.*]] = forge.bitwise_and %[[V62]], %[[C63]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V65:.*]] = forge.cast %[[V64]] dtype ui8 : {{.*}}tensor<2x3xui8> loc
// CHECK: return %[[V65]] : tensor<2x3xui8>
func.func @f0(%x0: !torch.vtensor<[2,3],ui8>, %x1: !torch.vtensor<[3],ui8>) -> !torch.vtensor<[2,3],ui8> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %y = torch.operator "onnx.BitShift"(%x0, %x1) {torch.onnx.direction = "LEFT"} : (!torch.vtensor<[2,3],ui8>, !torch.vtensor<[3],ui8>) -> !torch.vtensor<[2,3],ui8>
  return %y : !torch.vtensor<[2,3],ui8>
}
