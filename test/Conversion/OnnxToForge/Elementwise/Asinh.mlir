// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.abs %{{.*}} : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V1:.*]] = forge.multiply %[[V0]], %[[V0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C2:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V3:.*]] = forge.add %[[V1]], %[[C2]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V4:.*]] = forge.sqrt %[[V3]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C5:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V6:.*]] = forge.add %[[C5]], %[[V4]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V7:.*]] = forge.multiply %[[V0]], %[[V0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V8:.*]] = forge.divide %[[V7]], %[[V6]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V9:.*]] = forge.add %[[V0]], %[[V8]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C10:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V11:.*]] = forge.add %[[V9]], %[[C10]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C12:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V13:.*]] = forge.subtract %[[V11]], %[[C12]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V14:.*]] = forge.subtract %[[V9]], %[[V13]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V15:.*]] = forge.divide %[[V14]], %[[V11]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C16:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V17:.*]] = forge.less %[[V9]], %[[C16]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V18:.*]] = forge.cast %[[V17]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[C19:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V20:.*]] = forge.where %[[V18]], %[[V15]], %[[C19]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V21:.*]] = forge.log %[[V11]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V22:.*]] = forge.add %[[V21]], %[[V20]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V23:.*]] = forge.log %[[V0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C24:.*]] = forge.constant dense<0.693147182> : tensor<f32>
// CHECK: %[[V25:.*]] = forge.add %[[V23]], %[[C24]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C26:.*]] = forge.constant dense<1.000000e+08> : tensor<f32>
// CHECK: %[[V27:.*]] = forge.greater %[[V0]], %[[C26]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V28:.*]] = forge.cast %[[V27]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V29:.*]] = forge.where %[[V28]], %[[V25]], %[[V22]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C30:.*]] = forge.constant dense<-1.000000e+00> : tensor<f32>
// CHECK: %[[V31:.*]] = forge.multiply %[[V29]], %[[C30]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C32:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V33:.*]] = forge.less %{{.*}}, %[[C32]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V34:.*]] = forge.cast %[[V33]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V35:.*]] = forge.where %[[V34]], %[[V31]], %[[V29]] : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V35]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %y = torch.operator "onnx.Asinh"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}
