// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.abs %{{.*}} : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C1:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V2:.*]] = forge.subtract %[[C1]], %[[V0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C3:.*]] = forge.constant dense<2.000000e+00> : tensor<f32>
// CHECK: %[[V4:.*]] = forge.multiply %[[C3]], %[[V0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V5:.*]] = forge.divide %[[V4]], %[[V2]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C6:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V7:.*]] = forge.add %[[V5]], %[[C6]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C8:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V9:.*]] = forge.subtract %[[V7]], %[[C8]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V10:.*]] = forge.subtract %[[V5]], %[[V9]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V11:.*]] = forge.divide %[[V10]], %[[V7]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C12:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V13:.*]] = forge.less %[[V5]], %[[C12]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V14:.*]] = forge.cast %[[V13]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[C15:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V16:.*]] = forge.where %[[V14]], %[[V11]], %[[C15]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V17:.*]] = forge.log %[[V7]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V18:.*]] = forge.add %[[V17]], %[[V16]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C19:.*]] = forge.constant dense<5.000000e-01> : tensor<f32>
// CHECK: %[[V20:.*]] = forge.multiply %[[C19]], %[[V18]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C21:.*]] = forge.constant dense<-1.000000e+00> : tensor<f32>
// CHECK: %[[V22:.*]] = forge.multiply %[[V20]], %[[C21]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C23:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V24:.*]] = forge.less %{{.*}}, %[[C23]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V25:.*]] = forge.cast %[[V24]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V26:.*]] = forge.where %[[V25]], %[[V22]], %[[V20]] : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V26]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %y = torch.operator "onnx.Atanh"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}
