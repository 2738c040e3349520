// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.abs %{{.*}} : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C1:.*]] = forge.constant dense<-1.000000e+00> : tensor<f32>
// CHECK: %[[V2:.*]] = forge.multiply %[[V0]], %[[C1]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V3:.*]] = forge.exp %[[V2]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C4:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V5:.*]] = forge.add %[[V3]], %[[C4]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C6:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V7:.*]] = forge.subtract %[[V5]], %[[C6]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V8:.*]] = forge.subtract %[[V3]], %[[V7]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V9:.*]] = forge.divide %[[V8]], %[[V5]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C10:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V11:.*]] = forge.less %[[V3]], %[[C10]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V12:.*]] = forge.cast %[[V11]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[C13:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V14:.*]] = forge.where %[[V12]], %[[V9]], %[[C13]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V15:.*]] = forge.log %[[V5]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V16:.*]] = forge.add %[[V15]], %[[V14]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C17:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V18:.*]] = forge.max %{{.*}}, %[[C17]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V19:.*]] = forge.add %[[V18]], %[[V16]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V20:.*]] = forge.tanh %[[V19]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V21:.*]] = forge.multiply %{{.*}}, %[[V20]] : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V21]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %y = torch.operator "onnx.Mish"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}
