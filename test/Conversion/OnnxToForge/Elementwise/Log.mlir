// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[C0:.*]] = forge.constant dense<8.50705917E+37> : tensor<f32>
// CHECK: %[[V1:.*]] = forge.multiply %{{.*}}, %[[C0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V2:.*]] = forge.log %[[V1]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C3:.*]] = forge.constant dense<87.3365478> : tensor<f32>
// CHECK: %[[V4:.*]] = forge.subtract %[[V2]], %[[C3]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V5:.*]] = forge.log %{{.*}} : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C6:.*]] = forge.constant dense<1.562500e-02> : tensor<f32>
// CHECK: %[[V7:.*]] = forge.less %{{.*}}, %[[C6]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V8:.*]] = forge.cast %[[V7]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V9:.*]] = forge.where %[[V8]], %[[V4]], %[[V5]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C10:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V11:.*]] = forge.equal %{{.*}}, %[[C10]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V12:.*]] = forge.cast %[[V11]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[C13:.*]] = forge.constant dense<0xFF800000> : tensor<f32>
// CHECK: %[[V14:.*]] = forge.where %[[V12]], %[[C13]], %[[V9]] : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V14]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.Log"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}
