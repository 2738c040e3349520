// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[C0:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V1:.*]] = forge.remainder %{{.*}}, %[[C0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V2:.*]] = forge.subtract %{{.*}}, %[[V1]] : tensor<2x3xf32>
// CHECK: %[[C3:.*]] = forge.constant dense<2.000000e+00> : tensor<f32>
// CHECK: %[[V4:.*]] = forge.remainder %[[V2]], %[[C3]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C5:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V6:.*]] = forge.equal %[[V4]], %[[C5]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V7:.*]] = forge.cast %[[V6]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[C8:.*]] = forge.constant dense<5.000000e-01> : tensor<f32>
// CHECK: %[[V9:.*]] = forge.equal %[[V1]], %[[C8]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V10:.*]] = forge.cast %[[V9]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V11:.*]] = forge.cast %[[V7]] dtype i32 : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V12:.*]] = forge.cast %[[V10]] dtype i32 : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V13:.*]] = forge.multiply %[[V12]], %[[V11]] : tensor<2x3xi32>
// CHECK: %[[V14:.*]] = forge.cast %[[V13]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[C15:.*]] = forge.constant dense<5.000000e-01> : tensor<f32>
// CHECK: %[[V16:.*]] = forge.greater %[[V1]], %[[C15]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V17:.*]] = forge.cast %[[V16]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V18:.*]] = forge.cast %[[V14]] dtype i32 : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V19:.*]] = forge.cast %[[V17]] dtype i32 : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V20:.*]] = forge.max %[[V19]], %[[V18]] : tensor<2x3xi32>
// CHECK: %[[V21:.*]] = forge.cast %[[V20]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[C22:.*]] = forge.constant dense<-1.000000e+00> : tensor<f32>
// CHECK: %[[V23:.*]] = forge.subtract %[[C22]], %[[V2]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C24:.*]] = forge.constant dense<-1.000000e+00> : tensor<f32>
// CHECK: %[[V25:.*]] = forge.multiply %[[V23]], %[[C24]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V26:.*]] = forge.where %[[V21]], %[[V25]], %[[V2]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C27:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V28:.*]] = forge.greater %[[V1]], %[[C27]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V29:.*]] = forge.cast %[[V28]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V30:.*]] = forge.where %[[V29]], %[[V26]], %{{.*}} : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V30]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %y = torch.operator "onnx.Round"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}
