// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.reduce_sum %{{.*}} dim -1 keep_dim : {{.*}}tensor<2x3x1xf32> loc
// CHECK: %[[V1:.*]] = forge.reduce_sum %[[V0]] dim -3 keep_dim : {{.*}}tensor<1x3x1xf32> loc
// CHECK: %[[C2:.*]] = forge.constant dense<8.50705917E+37> : tensor<f32>
// CHECK: %[[V3:.*]] = forge.multiply %[[V1]], %[[C2]] : {{.*}}tensor<1x3x1xf32> loc
// CHECK: %[[V4:.*]] = forge.log %[[V3]] : {{.*}}tensor<1x3x1xf32> loc
// CHECK: %[[C5:.*]] = forge.constant dense<87.3365478> : tensor<f32>
// CHECK: %[[V6:.*]] = forge.subtract %[[V4]], %[[C5]] : {{.*}}tensor<1x3x1xf32> loc
// CHECK: %[[V7:.*]] = forge.log %[[V1]] : {{.*}}tensor<1x3x1xf32> loc
// CHECK: %[[C8:.*]] = forge.constant dense<1.562500e-02> : tensor<f32>
// CHECK: %[[V9:.*]] = forge.less %[[V1]], %[[C8]] : {{.*}}tensor<1x3x1xf32> loc
// CHECK: %[[V10:.*]] = forge.cast %[[V9]] dtype i1 : {{.*}}tensor<1x3x1xi1> loc
// CHECK: %[[V11:.*]] = forge.where %[[V10]], %[[V6]], %[[V7]] : {{.*}}tensor<1x3x1xf32> loc
// CHECK: %[[C12:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V13:.*]] = forge.equal %[[V1]], %[[C12]] : {{.*}}tensor<1x3x1xf32> loc
// CHECK: %[[V14:.*]] = forge.cast %[[V13]] dtype i1 : {{.*}}tensor<1x3x1xi1> loc
// CHECK: %[[C15:.*]] = forge.constant dense<0xFF800000> : tensor<f32>
// CHECK: %[[V16:.*]] = forge.where %[[V14]], %[[C15]], %[[V11]] : {{.*}}tensor<1x3x1xf32> loc
// CHECK: return %[[V16]] : tensor<1x3x1xf32>
func.func @f0(%x0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[1,3,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.ReduceLogSum"(%x0) {torch.onnx.axes = [0 : si64, -1 : si64]} : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[1,3,1],f32>
  return %y : !torch.vtensor<[1,3,1],f32>
}

// CHECK-LABEL: func.func @f1(
// CHECK: %[[V0:.*]] = forge.reduce_sum %{{.*}} dim -2 keep_dim : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[C1:.*]] = forge.constant dense<8.50705917E+37> : tensor<f32>
// CHECK: %[[V2:.*]] = forge.multiply %[[V0]], %[[C1]] : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[V3:.*]] = forge.log %[[V2]] : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[C4:.*]] = forge.constant dense<87.3365478> : tensor<f32>
// CHECK: %[[V5:.*]] = forge.subtract %[[V3]], %[[C4]] : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[V6:.*]] = forge.log %[[V0]] : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[C7:.*]] = forge.constant dense<1.562500e-02> : tensor<f32>
// CHECK: %[[V8:.*]] = forge.less %[[V0]], %[[C7]] : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[V9:.*]] = forge.cast %[[V8]] dtype i1 : {{.*}}tensor<2x1x4xi1> loc
// CHECK: %[[V10:.*]] = forge.where %[[V9]], %[[V5]], %[[V6]] : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[C11:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V12:.*]] = forge.equal %[[V0]], %[[C11]] : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[V13:.*]] = forge.cast %[[V12]] dtype i1 : {{.*}}tensor<2x1x4xi1> loc
// CHECK: %[[C14:.*]] = forge.constant dense<0xFF800000> : tensor<f32>
// CHECK: %[[V15:.*]] = forge.where %[[V13]], %[[C14]], %[[V10]] : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[V16:.*]] = forge.reshape %[[V15]] shape [2, 4] : {{.*}}tensor<2x4xf32> loc
// CHECK: return %[[V16]] : tensor<2x4xf32>
func.func @f1(%x0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %y = torch.operator "onnx.ReduceLogSum"(%x0) {torch.onnx.axes = [1 : si64], torch.onnx.keepdims = 0 : si64} : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %y : !torch.vtensor<[2,4],f32>
}
