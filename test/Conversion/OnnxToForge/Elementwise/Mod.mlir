// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.remainder %{{.*}}, %{{.*}} : {{.*}}tensor<2x3xi32> loc
// CHECK: return %[[V0]] : tensor<2x3xi32>
func.func @f0(%x0: !torch.vtensor<[2,3],si32>, %x1: !torch.vtensor<[3],si32>) -> !torch.vtensor<[2,3],si32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.Mod"(%x0, %x1) {} : (!torch.vtensor<[2,3],si32>, !torch.vtensor<[3],si32>) -> !torch.vtensor<[2,3],si32>
  return %y : !torch.vtensor<[2,3],si32>
}

// CHECK-LABEL: func.func @f1(
// CHECK: %[[V0:.*]] = forge.remainder %{{.*}}, %{{.*}} : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[C1:.*]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V2:.*]] = forge.less %{{.*}}, %[[C1]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V3:.*]] = forge.cast %[[V2]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[C4:.*]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V5:.*]] = forge.less %[[V0]], %[[C4]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V6:.*]] = forge.cast %[[V5]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V7:.*]] = forge.not_equal %[[V6]], %[[V3]] : tensor<2x3xi1>
// CHECK: %[[C8:.*]] = forge.constant dense<0> : tensor<i32>
// CHECK: %[[V9:.*]] = forge.not_equal %[[V0]], %[[C8]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V10:.*]] = forge.cast %[[V9]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V11:.*]] = forge.cast %[[V7]] dtype i32 : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V12:.*]] = forge.cast %[[V10]] dtype i32 : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V13:.*]] = forge.multiply %[[V12]], %[[V11]] : tensor<2x3xi32>
// CHECK: %[[V14:.*]] = forge.cast %[[V13]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V15:.*]] = forge.subtract %[[V0]], %{{.*}} : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V16:.*]] = forge.where %[[V14]], %[[V15]], %[[V0]] : {{.*}}tensor<2x3xi32> loc
// CHECK: return %[[V16]] : tensor<2x3xi32>
func.func @f1(%x0: !torch.vtensor<[2,3],si32>, %x1: !torch.vtensor<[3],si32>) -> !torch.vtensor<[2,3],si32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.Mod"(%x0, %x1) {torch.onnx.fmod = 1 : si64} : (!torch.vtensor<[2,3],si32>, !torch.vtensor<[3],si32>) -> !torch.vtensor<[2,3],si32>
  return %y : !torch.vtensor<[2,3],si32>
}

// CHECK-LABEL: func.func @f2(
// CHECK: %[[V0:.*]] = forge.abs %{{.*}} : tensor<3xf32>
// CHECK: %[[V1:.*]] = forge.abs %{{.*}} : tensor<2x3xf32>
// CHECK: %[[V2:.*]] = forge.remainder %[[V1]], %[[V0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V3:.*]] = forge.subtract %{{.*}}, %[[V2]] : tensor<2x3xf32>
// CHECK: %[[C4:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V5:.*]] = forge.greater %{{.*}}, %[[C4]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V6:.*]] = forge.cast %[[V5]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V7:.*]] = forge.where %[[V6]], %[[V2]], %[[V3]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C8:.*]] = forge.constant dense<-1.000000e+00> : tensor<f32>
// CHECK: %[[V9:.*]] = forge.multiply %[[V2]], %[[C8]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C10:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V11:.*]] = forge.less %{{.*}}, %[[C10]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V12:.*]] = forge.cast %[[V11]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V13:.*]] = forge.where %[[V12]], %[[V9]], %[[V7]] : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V13]] : tensor<2x3xf32>
func.func @f2(%x0: !torch.vtensor<[2,3],f32>, %x1: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.Mod"(%x0, %x1) {torch.onnx.fmod = 1 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

// A zero has the sign of the divisor.
// CHECK-LABEL: func.func @floor(
// CHECK: %[[R:.+]] = forge.remainder %arg0, %arg1
// CHECK: forge.less %arg1
// CHECK: %[[Z:.+]] = forge.where {{.+}} -> tensor<3xf32>
// CHECK: %[[C:.+]] = forge.equal %[[R]]
// CHECK: %[[IS:.+]] = forge.cast %[[C]] dtype i1
// CHECK: %[[Y:.+]] = forge.where %[[IS]], %[[Z]], %[[R]]
// CHECK: return %[[Y]]
func.func @floor(%x0: !torch.vtensor<[2,3],f32>, %x1: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 28 : si64} {
  %y = torch.operator "onnx.Mod"(%x0, %x1) {} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}
