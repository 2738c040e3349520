// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.divide %{{.*}}, %{{.*}} : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V0]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>, %x1: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %y = torch.operator "onnx.Div"(%x0, %x1) {} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @f1(
// CHECK: %[[V0:.*]] = forge.cast %{{.*}} dtype f32 : {{.*}}tensor<3xf32> loc
// CHECK: %[[V1:.*]] = forge.cast %{{.*}} dtype f32 : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V2:.*]] = forge.divide %[[V1]], %[[V0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V3:.*]] = forge.cast %[[V2]] dtype i32 : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V4:.*]] = forge.multiply %[[V3]], %{{.*}} : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V5:.*]] = forge.subtract %{{.*}}, %[[V4]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V6:.*]] = forge.cast %[[V5]] dtype f32 : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V7:.*]] = forge.divide %[[V6]], %[[V0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V8:.*]] = forge.cast %[[V7]] dtype i32 : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V9:.*]] = forge.add %[[V3]], %[[V8]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V10:.*]] = forge.multiply %[[V8]], %{{.*}} : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V11:.*]] = forge.subtract %[[V5]], %[[V10]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[C12:.*]] = forge.constant dense<1> : tensor<i32>
// CHECK: %[[C13:.*]] = forge.constant dense<-1> : tensor<i32>
// CHECK: %[[C14:.*]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V15:.*]] = forge.less %{{.*}}, %[[C14]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V16:.*]] = forge.cast %[[V15]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V17:.*]] = forge.where %[[V16]], %[[C13]], %[[C12]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[C18:.*]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V19:.*]] = forge.less %{{.*}}, %[[C18]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[V20:.*]] = forge.cast %[[V19]] dtype i1 : {{.*}}tensor<3xi1> loc
// CHECK: %[[V21:.*]] = forge.where %[[V20]], %[[C13]], %[[C12]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[V22:.*]] = forge.multiply %[[V11]], %[[V17]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V23:.*]] = forge.multiply %{{.*}}, %[[V21]] : {{.*}}tensor<3xi32> loc
// CHECK: %[[V24:.*]] = forge.subtract %[[V22]], %[[V23]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[C25:.*]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V26:.*]] = forge.greater_equal %[[V24]], %[[C25]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V27:.*]] = forge.cast %[[V26]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V28:.*]] = forge.cast %[[V27]] dtype i32 : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[POSITIVE:.*]] = forge.greater_equal %[[V22]], %{{.*}} : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[IS:.*]] = forge.cast %[[POSITIVE]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[ONE:.*]] = forge.cast %[[IS]] dtype i32 : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[SMALL:.*]] = forge.multiply %[[V28]], %[[ONE]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[C29:.*]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V30:.*]] = forge.less %[[V22]], %[[C29]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V31:.*]] = forge.cast %[[V30]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V32:.*]] = forge.cast %[[V31]] dtype i32 : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V33:.*]] = forge.subtract %[[SMALL]], %[[V32]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V34:.*]] = forge.multiply %[[V17]], %[[V21]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V35:.*]] = forge.multiply %[[V34]], %[[V33]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V36:.*]] = forge.add %[[V9]], %[[V35]] : {{.*}}tensor<2x3xi32> loc
// CHECK: return %[[V36]] : tensor<2x3xi32>
func.func @f1(%x0: !torch.vtensor<[2,3],si32>, %x1: !torch.vtensor<[3],si32>) -> !torch.vtensor<[2,3],si32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %y = torch.operator "onnx.Div"(%x0, %x1) {} : (!torch.vtensor<[2,3],si32>, !torch.vtensor<[3],si32>) -> !torch.vtensor<[2,3],si32>
  return %y : !torch.vtensor<[2,3],si32>
}
