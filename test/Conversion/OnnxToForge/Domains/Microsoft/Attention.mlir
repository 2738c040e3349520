// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @plain(
// CHECK: forge.matmul{{.*}}-> tensor<1x3x12xf32>
// CHECK: forge.add{{.*}} tensor<1x3x12xf32> loc
// CHECK: forge.strided_slice{{.*}} tensor<1x3x4xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x3x2x2xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x2x3x2xf32> loc
// CHECK: forge.strided_slice{{.*}} tensor<1x3x4xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x3x2x2xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x2x3x2xf32> loc
// CHECK: forge.strided_slice{{.*}} tensor<1x3x4xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x3x2x2xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x2x3x2xf32> loc
// CHECK: forge.constant dense<0.707106769>{{.*}}  tensor<f32>
// CHECK: forge.multiply{{.*}} tensor<1x2x3x2xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x2x2x3xf32> loc
// CHECK: forge.matmul{{.*}}-> tensor<1x2x3x3xf32>
// CHECK: forge.softmax {{.*}} dim -1 stable : {{.*}}tensor<1x2x3x3xf32> loc
// CHECK: forge.matmul{{.*}}-> tensor<1x2x3x2xf32>
// CHECK: forge.transpose{{.*}} tensor<1x3x2x2xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x3x4xf32> loc
func.func @plain(%x0: !torch.vtensor<[1,3,4],f32>, %x1: !torch.vtensor<[4,12],f32>, %x2: !torch.vtensor<[12],f32>) -> (!torch.vtensor<[1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.Attention"(%x0, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64} : (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[4,12],f32>, !torch.vtensor<[12],f32>) -> !torch.vtensor<[1,3,4],f32>
  return %out : !torch.vtensor<[1,3,4],f32>
}

// The causal mask and the mask input are combined by a minimum, not by a sum.
// CHECK-LABEL: func.func @masked(
// CHECK: forge.matmul{{.*}}-> tensor<1x3x12xf32>
// CHECK: forge.add{{.*}} tensor<1x3x12xf32> loc
// CHECK: forge.strided_slice{{.*}} tensor<1x3x4xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x3x2x2xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x2x3x2xf32> loc
// CHECK: forge.strided_slice{{.*}} tensor<1x3x4xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x3x2x2xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x2x3x2xf32> loc
// CHECK: forge.strided_slice{{.*}} tensor<1x3x4xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x3x2x2xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x2x3x2xf32> loc
// CHECK: forge.constant dense<0.707106769>{{.*}}  tensor<f32>
// CHECK: forge.multiply{{.*}} tensor<1x2x3x2xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x2x2x3xf32> loc
// CHECK: forge.matmul{{.*}}-> tensor<1x2x3x3xf32>
// CHECK: forge.reshape{{.*}} tensor<1x1x1x3xi32> loc
// CHECK: forge.constant dense<0>{{.*}}  tensor<i32>
// CHECK: forge.greater{{.*}} tensor<1x1x1x3xi32> loc
// CHECK: forge.cast{{.*}} tensor<1x1x1x3xi1> loc
// CHECK: forge.constant dense<-1.000000e+04>{{.*}}  tensor<f32>
// CHECK: forge.constant dense<0.000000e+00>{{.*}}  tensor<f32>
// CHECK: forge.where{{.*}} tensor<1x1x1x3xf32> loc
// CHECK: forge.constant dense<{{.*}}>{{.*}}  tensor<3x3xf32>
// CHECK: forge.min{{.*}} tensor<1x1x3x3xf32> loc
// CHECK: forge.add{{.*}} tensor<1x2x3x3xf32> loc
// CHECK: forge.softmax {{.*}} dim -1 stable : {{.*}}tensor<1x2x3x3xf32> loc
// CHECK: forge.matmul{{.*}}-> tensor<1x2x3x2xf32>
// CHECK: forge.transpose{{.*}} tensor<1x3x2x2xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x3x4xf32> loc
func.func @masked(%x0: !torch.vtensor<[1,3,4],f32>, %x1: !torch.vtensor<[4,12],f32>, %x2: !torch.vtensor<[12],f32>, %x3: !torch.vtensor<[1,3],si32>) -> (!torch.vtensor<[1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.Attention"(%x0, %x1, %x2, %x3) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.unidirectional = 1 : si64} : (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[4,12],f32>, !torch.vtensor<[12],f32>, !torch.vtensor<[1,3],si32>) -> !torch.vtensor<[1,3,4],f32>
  return %out : !torch.vtensor<[1,3,4],f32>
}

// The mask is the number of valid keys; past and present are keys and values in one tensor.
// CHECK-LABEL: func.func @past(
// CHECK: forge.matmul{{.*}}-> tensor<1x3x12xf32>
// CHECK: forge.add{{.*}} tensor<1x3x12xf32> loc
// CHECK: forge.strided_slice{{.*}} tensor<1x3x4xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x3x2x2xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x2x3x2xf32> loc
// CHECK: forge.strided_slice{{.*}} tensor<1x3x4xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x3x2x2xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x2x3x2xf32> loc
// CHECK: forge.strided_slice{{.*}} tensor<1x3x4xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x3x2x2xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x2x3x2xf32> loc
// CHECK: forge.strided_slice{{.*}} tensor<1x1x2x2x2xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x2x2x2xf32> loc
// CHECK: forge.strided_slice{{.*}} tensor<1x1x2x2x2xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x2x2x2xf32> loc
// CHECK: forge.concatenate {{.*}} axis -2 : {{.*}}-> tensor<1x2x5x2xf32>
// CHECK: forge.concatenate {{.*}} axis -2 : {{.*}}-> tensor<1x2x5x2xf32>
// CHECK: forge.constant dense<0.707106769>{{.*}}  tensor<f32>
// CHECK: forge.multiply{{.*}} tensor<1x2x3x2xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x2x2x5xf32> loc
// CHECK: forge.matmul{{.*}}-> tensor<1x2x3x5xf32>
// CHECK: forge.reshape{{.*}} tensor<1x1x1x1xi32> loc
// CHECK: forge.cast{{.*}} tensor<1x1x1x1xi64> loc
// CHECK: forge.constant dense<{{\[\[}}{{\[\[}}0, 1, 2, 3, 4]]]]>{{.*}}  tensor<1x1x1x5xi64>
// CHECK: forge.less{{.*}} tensor<1x1x1x5xi64> loc
// CHECK: forge.cast{{.*}} tensor<1x1x1x5xi1> loc
// CHECK: forge.constant dense<-1.000000e+04>{{.*}}  tensor<f32>
// CHECK: forge.constant dense<0.000000e+00>{{.*}}  tensor<f32>
// CHECK: forge.where{{.*}} tensor<1x1x1x5xf32> loc
// CHECK: forge.add{{.*}} tensor<1x2x3x5xf32> loc
// CHECK: forge.softmax {{.*}} dim -1 stable : {{.*}}tensor<1x2x3x5xf32> loc
// CHECK: forge.matmul{{.*}}-> tensor<1x2x3x2xf32>
// CHECK: forge.transpose{{.*}} tensor<1x3x2x2xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x3x4xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x1x2x5x2xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x1x2x5x2xf32> loc
// CHECK: forge.concatenate {{.*}} axis -5 : {{.*}}-> tensor<2x1x2x5x2xf32>
func.func @past(%x0: !torch.vtensor<[1,3,4],f32>, %x1: !torch.vtensor<[4,12],f32>, %x2: !torch.vtensor<[12],f32>, %x3: !torch.vtensor<[1],si32>, %x4: !torch.vtensor<[2,1,2,2,2],f32>) -> (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[2,1,2,5,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out:2 = torch.operator "onnx.Attention"(%x0, %x1, %x2, %x3, %x4) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64} : (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[4,12],f32>, !torch.vtensor<[12],f32>, !torch.vtensor<[1],si32>, !torch.vtensor<[2,1,2,2,2],f32>) -> (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[2,1,2,5,2],f32>)
  return %out#0, %out#1 : !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[2,1,2,5,2],f32>
}
