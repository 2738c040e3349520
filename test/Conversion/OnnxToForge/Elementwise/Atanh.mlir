// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.abs %{{.*}} : tensor<2x3xf32>
// CHECK: %[[C1:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V2:.*]] = forge.subtract %[[C1]], %[[V0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C3:.*]] = forge.constant dense<2.000000e+00> : tensor<f32>
// CHECK: %[[V4:.*]] = forge.multiply %[[C3]], %[[V0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V5:.*]] = forge.divide %[[V4]], %[[V2]] : tensor<2x3xf32>
// CHECK: %[[C6:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V7:.*]] = forge.add %[[V5]], %[[C6]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V8:.*]] = forge.log %[[V7]] : tensor<2x3xf32>
// CHECK: %[[C9:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V10:.*]] = forge.subtract %[[V7]], %[[C9]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V11:.*]] = forge.subtract %[[V5]], %[[V10]] : tensor<2x3xf32>
// CHECK: %[[V12:.*]] = forge.divide %[[V11]], %[[V7]] : tensor<2x3xf32>
// CHECK: %[[C13:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V14:.*]] = forge.less %[[V5]], %[[C13]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V15:.*]] = forge.cast %[[V14]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[C16:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V17:.*]] = forge.where %[[V15]], %[[V12]], %[[C16]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V18:.*]] = forge.add %[[V8]], %[[V17]] : tensor<2x3xf32>
// CHECK: %[[C19:.*]] = forge.constant dense<5.000000e-01> : tensor<f32>
// CHECK: %[[V20:.*]] = forge.multiply %[[C19]], %[[V18]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V21:.*]] = forge.subtract %{{.*}}, %[[V20]] : tensor<2x3xf32>
// CHECK: %[[C22:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V23:.*]] = forge.greater %{{.*}}, %[[C22]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V24:.*]] = forge.cast %[[V23]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V25:.*]] = forge.where %[[V24]], %[[V20]], %[[V21]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C26:.*]] = forge.constant dense<-1.000000e+00> : tensor<f32>
// CHECK: %[[V27:.*]] = forge.multiply %[[V20]], %[[C26]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C28:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V29:.*]] = forge.less %{{.*}}, %[[C28]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V30:.*]] = forge.cast %[[V29]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V31:.*]] = forge.where %[[V30]], %[[V27]], %[[V25]] : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V31]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %y = torch.operator "onnx.Atanh"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}
