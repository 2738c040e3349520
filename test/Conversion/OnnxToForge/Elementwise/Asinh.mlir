// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.abs %{{.*}} : tensor<2x3xf32>
// CHECK: %[[V1:.*]] = forge.multiply %[[V0]], %[[V0]] : tensor<2x3xf32>
// CHECK: %[[C2:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V3:.*]] = forge.add %[[V1]], %[[C2]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V4:.*]] = forge.sqrt %[[V3]] : tensor<2x3xf32>
// CHECK: %[[C5:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V6:.*]] = forge.add %[[C5]], %[[V4]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V7:.*]] = forge.multiply %[[V0]], %[[V0]] : tensor<2x3xf32>
// CHECK: %[[V8:.*]] = forge.divide %[[V7]], %[[V6]] : tensor<2x3xf32>
// CHECK: %[[V9:.*]] = forge.add %[[V0]], %[[V8]] : tensor<2x3xf32>
// CHECK: %[[C10:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V11:.*]] = forge.add %[[V9]], %[[C10]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V12:.*]] = forge.log %[[V11]] : tensor<2x3xf32>
// CHECK: %[[C13:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V14:.*]] = forge.subtract %[[V11]], %[[C13]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V15:.*]] = forge.subtract %[[V9]], %[[V14]] : tensor<2x3xf32>
// CHECK: %[[V16:.*]] = forge.divide %[[V15]], %[[V11]] : tensor<2x3xf32>
// CHECK: %[[C17:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V18:.*]] = forge.less %[[V9]], %[[C17]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V19:.*]] = forge.cast %[[V18]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[C20:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V21:.*]] = forge.where %[[V19]], %[[V16]], %[[C20]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V22:.*]] = forge.add %[[V12]], %[[V21]] : tensor<2x3xf32>
// CHECK: %[[V23:.*]] = forge.log %[[V0]] : tensor<2x3xf32>
// CHECK: %[[C24:.*]] = forge.constant dense<0.693147182> : tensor<f32>
// CHECK: %[[V25:.*]] = forge.add %[[V23]], %[[C24]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C26:.*]] = forge.constant dense<1.000000e+08> : tensor<f32>
// CHECK: %[[V27:.*]] = forge.greater %[[V0]], %[[C26]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V28:.*]] = forge.cast %[[V27]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V29:.*]] = forge.where %[[V28]], %[[V25]], %[[V22]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V30:.*]] = forge.subtract %{{.*}}, %[[V29]] : tensor<2x3xf32>
// CHECK: %[[C31:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V32:.*]] = forge.greater %{{.*}}, %[[C31]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V33:.*]] = forge.cast %[[V32]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V34:.*]] = forge.where %[[V33]], %[[V29]], %[[V30]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C35:.*]] = forge.constant dense<-1.000000e+00> : tensor<f32>
// CHECK: %[[V36:.*]] = forge.multiply %[[V29]], %[[C35]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C37:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V38:.*]] = forge.less %{{.*}}, %[[C37]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V39:.*]] = forge.cast %[[V38]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V40:.*]] = forge.where %[[V39]], %[[V36]], %[[V34]] : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V40]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %y = torch.operator "onnx.Asinh"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}
