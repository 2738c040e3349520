// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[C0:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V1:.*]] = forge.subtract %{{.*}}, %[[C0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C2:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V3:.*]] = forge.add %{{.*}}, %[[C2]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V4:.*]] = forge.sqrt %[[V3]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V5:.*]] = forge.sqrt %[[V1]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V6:.*]] = forge.multiply %[[V5]], %[[V4]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V7:.*]] = forge.add %[[V1]], %[[V6]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C8:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V9:.*]] = forge.add %[[V7]], %[[C8]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C10:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V11:.*]] = forge.subtract %[[V9]], %[[C10]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V12:.*]] = forge.subtract %[[V7]], %[[V11]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V13:.*]] = forge.divide %[[V12]], %[[V9]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C14:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V15:.*]] = forge.less %[[V7]], %[[C14]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V16:.*]] = forge.cast %[[V15]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[C17:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V18:.*]] = forge.where %[[V16]], %[[V13]], %[[C17]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V19:.*]] = forge.log %[[V9]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V20:.*]] = forge.add %[[V19]], %[[V18]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V21:.*]] = forge.log %{{.*}} : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C22:.*]] = forge.constant dense<0.693147182> : tensor<f32>
// CHECK: %[[V23:.*]] = forge.add %[[V21]], %[[C22]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C24:.*]] = forge.constant dense<1.000000e+08> : tensor<f32>
// CHECK: %[[V25:.*]] = forge.greater %{{.*}}, %[[C24]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V26:.*]] = forge.cast %[[V25]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V27:.*]] = forge.where %[[V26]], %[[V23]], %[[V20]] : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V27]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %y = torch.operator "onnx.Acosh"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}
