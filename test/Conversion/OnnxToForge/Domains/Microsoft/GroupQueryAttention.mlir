// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @prompt(
// CHECK: forge.reshape{{.*}} tensor<1x3x2x4xf32> loc
// CHECK-NEXT: forge.transpose{{.*}} tensor<1x2x3x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x3x1x4xf32> loc
// CHECK-NEXT: forge.transpose{{.*}} tensor<1x1x3x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x3x1x4xf32> loc
// CHECK-NEXT: forge.transpose{{.*}} tensor<1x1x3x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1x1x3x4xf32> loc
// CHECK-NEXT: forge.repeat{{.*}} tensor<1x1x2x3x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x2x3x4xf32> loc
// CHECK-NEXT: forge.constant dense<0.707106769>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.transpose{{.*}} tensor<1x2x4x3xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x2x4x3xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x2x3x4xf32> loc
// CHECK-NEXT: forge.matmul{{.*}}-> tensor<1x2x3x3xf32>
// CHECK-NEXT: forge.constant dense<{{.*}}>{{.*}}  tensor<3x3xf32>
// CHECK-NEXT: forge.add{{.*}} tensor<1x2x3x3xf32> loc
// CHECK-NEXT: forge.softmax {{.*}} dim -1 stable : {{.*}}tensor<1x2x3x3xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1x1x3x4xf32> loc
// CHECK-NEXT: forge.repeat{{.*}} tensor<1x1x2x3x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x2x3x4xf32> loc
// CHECK-NEXT: forge.matmul{{.*}}-> tensor<1x2x3x4xf32>
// CHECK-NEXT: forge.transpose{{.*}} tensor<1x3x2x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x3x8xf32> loc
func.func @prompt(%x0: !torch.vtensor<[1,3,8],f32>, %x1: !torch.vtensor<[1,3,4],f32>, %x2: !torch.vtensor<[1,3,4],f32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  %x5 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<2> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %x6 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<3> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %out:3 = torch.operator "onnx.GroupQueryAttention"(%x0, %x1, %x2, %none, %none, %x5, %x6) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.kv_num_heads = 1 : si64} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,3,4],f32>, !torch.none, !torch.none, !torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>
}

// A step after three keys.
// CHECK-LABEL: func.func @rotary(
// CHECK: forge.reshape{{.*}} tensor<1x1x2x4xf32> loc
// CHECK-NEXT: forge.transpose{{.*}} tensor<1x2x1x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1x1x4xf32> loc
// CHECK-NEXT: forge.transpose{{.*}} tensor<1x1x1x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1x1x4xf32> loc
// CHECK-NEXT: forge.transpose{{.*}} tensor<1x1x1x4xf32> loc
// CHECK-NEXT: forge.strided_slice{{.*}} tensor<1x2xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1x2xf32> loc
// CHECK-NEXT: forge.strided_slice{{.*}} tensor<1x2xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1x2xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1x1x2xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1x1x2xf32> loc
// CHECK-NEXT: forge.strided_slice{{.*}} tensor<1x2x1x2xf32> loc
// CHECK-NEXT: forge.strided_slice{{.*}} tensor<1x2x1x2xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x2x1x2xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x2x1x2xf32> loc
// CHECK-NEXT: forge.subtract{{.*}} tensor<1x2x1x2xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x2x1x2xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x2x1x2xf32> loc
// CHECK-NEXT: forge.add{{.*}} tensor<1x2x1x2xf32> loc
// CHECK-NEXT: forge.concatenate {{.*}} axis -1 : {{.*}}-> tensor<1x2x1x4xf32>
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1x1x2xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1x1x2xf32> loc
// CHECK-NEXT: forge.strided_slice{{.*}} tensor<1x1x1x2xf32> loc
// CHECK-NEXT: forge.strided_slice{{.*}} tensor<1x1x1x2xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x1x1x2xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x1x1x2xf32> loc
// CHECK-NEXT: forge.subtract{{.*}} tensor<1x1x1x2xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x1x1x2xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x1x1x2xf32> loc
// CHECK-NEXT: forge.add{{.*}} tensor<1x1x1x2xf32> loc
// CHECK-NEXT: forge.concatenate {{.*}} axis -1 : {{.*}}-> tensor<1x1x1x4xf32>
// CHECK-NEXT: forge.concatenate {{.*}} axis -2 : {{.*}}-> tensor<1x1x4x4xf32>
// CHECK-NEXT: forge.concatenate {{.*}} axis -2 : {{.*}}-> tensor<1x1x4x4xf32>
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1x1x4x4xf32> loc
// CHECK-NEXT: forge.repeat{{.*}} tensor<1x1x2x4x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x2x4x4xf32> loc
// CHECK-NEXT: forge.constant dense<0.707106769>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.transpose{{.*}} tensor<1x2x4x4xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x2x4x4xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x2x1x4xf32> loc
// CHECK-NEXT: forge.matmul{{.*}}-> tensor<1x2x1x4xf32>
// CHECK-NEXT: forge.softmax {{.*}} dim -1 stable : {{.*}}tensor<1x2x1x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1x1x4x4xf32> loc
// CHECK-NEXT: forge.repeat{{.*}} tensor<1x1x2x4x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x2x4x4xf32> loc
// CHECK-NEXT: forge.matmul{{.*}}-> tensor<1x2x1x4xf32>
// CHECK-NEXT: forge.transpose{{.*}} tensor<1x1x2x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1x8xf32> loc
func.func @rotary(%x0: !torch.vtensor<[1,1,8],f32>, %x1: !torch.vtensor<[1,1,4],f32>, %x2: !torch.vtensor<[1,1,4],f32>, %x3: !torch.vtensor<[1,1,3,4],f32>, %x4: !torch.vtensor<[1,1,3,4],f32>, %x7: !torch.vtensor<[8,2],f32>, %x8: !torch.vtensor<[8,2],f32>) -> (!torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %x5 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<3> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %x6 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<4> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %out:3 = torch.operator "onnx.GroupQueryAttention"(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.kv_num_heads = 1 : si64, torch.onnx.do_rotary = 1 : si64} : (!torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>, !torch.vtensor<[8,2],f32>, !torch.vtensor<[8,2],f32>) -> (!torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>
}

// Where the new key goes is known at run time.
// CHECK-LABEL: func.func @unknown_length(
// CHECK: forge.reshape{{.*}} tensor<1x1x2x4xf32> loc
// CHECK-NEXT: forge.transpose{{.*}} tensor<1x2x1x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1x1x4xf32> loc
// CHECK-NEXT: forge.transpose{{.*}} tensor<1x1x1x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1x1x4xf32> loc
// CHECK-NEXT: forge.transpose{{.*}} tensor<1x1x1x4xf32> loc
// CHECK-NEXT: forge.cast{{.*}} tensor<1xi64> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1x1x1xi64> loc
// CHECK-NEXT: forge.constant dense<1>{{.*}}  tensor<i64>
// CHECK-NEXT: forge.add{{.*}} tensor<1x1x1x1xi64> loc
// CHECK-NEXT: forge.constant dense<1>{{.*}}  tensor<i64>
// CHECK-NEXT: forge.subtract{{.*}} tensor<1x1x1x1xi64> loc
// CHECK-NEXT: forge.constant dense<0.000000e+00>{{.*}}  tensor<1x1x1x4xf32>
// CHECK-NEXT: forge.concatenate {{.*}} axis -2 : {{.*}}-> tensor<1x1x4x4xf32>
// CHECK-NEXT: forge.constant dense<{{\[\[}}{{\[\[}}0], [1], [2], [3]]]]>{{.*}}  tensor<1x1x4x1xi64>
// CHECK-NEXT: forge.less{{.*}} tensor<1x1x4x1xi64> loc
// CHECK-NEXT: forge.cast{{.*}} tensor<1x1x4x1xi1> loc
// CHECK-NEXT: forge.constant dense<0.000000e+00>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.where{{.*}} tensor<1x1x4x4xf32> loc
// CHECK-NEXT: forge.constant dense<{{\[\[}}{{\[\[}}0], [1], [2], [3]]]]>{{.*}}  tensor<1x1x4x1xi64>
// CHECK-NEXT: forge.constant dense<0>{{.*}}  tensor<i64>
// CHECK-NEXT: forge.add{{.*}} tensor<1x1x1x1xi64> loc
// CHECK-NEXT: forge.equal{{.*}} tensor<1x1x4x1xi64> loc
// CHECK-NEXT: forge.cast{{.*}} tensor<1x1x4x1xi1> loc
// CHECK-NEXT: forge.where{{.*}} tensor<1x1x4x4xf32> loc
// CHECK-NEXT: forge.constant dense<0.000000e+00>{{.*}}  tensor<1x1x1x4xf32>
// CHECK-NEXT: forge.concatenate {{.*}} axis -2 : {{.*}}-> tensor<1x1x4x4xf32>
// CHECK-NEXT: forge.constant dense<{{\[\[}}{{\[\[}}0], [1], [2], [3]]]]>{{.*}}  tensor<1x1x4x1xi64>
// CHECK-NEXT: forge.less{{.*}} tensor<1x1x4x1xi64> loc
// CHECK-NEXT: forge.cast{{.*}} tensor<1x1x4x1xi1> loc
// CHECK-NEXT: forge.constant dense<0.000000e+00>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.where{{.*}} tensor<1x1x4x4xf32> loc
// CHECK-NEXT: forge.constant dense<{{\[\[}}{{\[\[}}0], [1], [2], [3]]]]>{{.*}}  tensor<1x1x4x1xi64>
// CHECK-NEXT: forge.constant dense<0>{{.*}}  tensor<i64>
// CHECK-NEXT: forge.add{{.*}} tensor<1x1x1x1xi64> loc
// CHECK-NEXT: forge.equal{{.*}} tensor<1x1x4x1xi64> loc
// CHECK-NEXT: forge.cast{{.*}} tensor<1x1x4x1xi1> loc
// CHECK-NEXT: forge.where{{.*}} tensor<1x1x4x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1x1x4x4xf32> loc
// CHECK-NEXT: forge.repeat{{.*}} tensor<1x1x2x4x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x2x4x4xf32> loc
// CHECK-NEXT: forge.constant dense<0.707106769>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.transpose{{.*}} tensor<1x2x4x4xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x2x4x4xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x2x1x4xf32> loc
// CHECK-NEXT: forge.matmul{{.*}}-> tensor<1x2x1x4xf32>
// CHECK-NEXT: forge.constant dense<0>{{.*}}  tensor<1x1x1x1xi64>
// CHECK-NEXT: forge.add{{.*}} tensor<1x1x1x1xi64> loc
// CHECK-NEXT: forge.constant dense<{{\[\[}}{{\[\[}}0, 1, 2, 3]]]]>{{.*}}  tensor<1x1x1x4xi64>
// CHECK-NEXT: forge.less{{.*}} tensor<1x1x1x4xi64> loc
// CHECK-NEXT: forge.cast{{.*}} tensor<1x1x1x4xi1> loc
// CHECK-NEXT: forge.constant dense<0xFF800000>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.constant dense<0.000000e+00>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.where{{.*}} tensor<1x1x1x4xf32> loc
// CHECK-NEXT: forge.less_equal{{.*}} tensor<1x1x1x4xi64> loc
// CHECK-NEXT: forge.cast{{.*}} tensor<1x1x1x4xi1> loc
// CHECK-NEXT: forge.constant dense<0xFF800000>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.constant dense<0.000000e+00>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.where{{.*}} tensor<1x1x1x4xf32> loc
// CHECK-NEXT: forge.add{{.*}} tensor<1x1x1x4xf32> loc
// CHECK-NEXT: forge.constant dense<-1>{{.*}}  tensor<i64>
// CHECK-NEXT: forge.add{{.*}} tensor<1x1x1x1xi64> loc
// CHECK-NEXT: forge.greater_equal{{.*}} tensor<1x1x1x4xi64> loc
// CHECK-NEXT: forge.cast{{.*}} tensor<1x1x1x4xi1> loc
// CHECK-NEXT: forge.constant dense<0xFF800000>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.constant dense<0.000000e+00>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.where{{.*}} tensor<1x1x1x4xf32> loc
// CHECK-NEXT: forge.add{{.*}} tensor<1x1x1x4xf32> loc
// CHECK-NEXT: forge.add{{.*}} tensor<1x2x1x4xf32> loc
// CHECK-NEXT: forge.softmax {{.*}} dim -1 stable : {{.*}}tensor<1x2x1x4xf32> loc
// CHECK-NEXT: forge.reduce_max {{.*}} dim -1 keep_dim : {{.*}}tensor<1x1x1x1xf32> loc
// CHECK-NEXT: forge.constant dense<0xFF800000>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.equal{{.*}} tensor<1x1x1x1xf32> loc
// CHECK-NEXT: forge.cast{{.*}} tensor<1x1x1x1xi1> loc
// CHECK-NEXT: forge.constant dense<0.000000e+00>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.where{{.*}} tensor<1x2x1x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1x1x4x4xf32> loc
// CHECK-NEXT: forge.repeat{{.*}} tensor<1x1x2x4x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x2x4x4xf32> loc
// CHECK-NEXT: forge.matmul{{.*}}-> tensor<1x2x1x4xf32>
// CHECK-NEXT: forge.transpose{{.*}} tensor<1x1x2x4xf32> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x1x8xf32> loc
func.func @unknown_length(%x0: !torch.vtensor<[1,1,8],f32>, %x1: !torch.vtensor<[1,1,4],f32>, %x2: !torch.vtensor<[1,1,4],f32>, %x3: !torch.vtensor<[1,1,3,4],f32>, %x4: !torch.vtensor<[1,1,3,4],f32>, %x5: !torch.vtensor<[1],si32>) -> (!torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %x6 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<4> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %out:3 = torch.operator "onnx.GroupQueryAttention"(%x0, %x1, %x2, %x3, %x4, %x5, %x6) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.kv_num_heads = 1 : si64, torch.onnx.local_window_size = 2 : si64} : (!torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>) -> (!torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,1,8],f32>, !torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,1,4,4],f32>
}
