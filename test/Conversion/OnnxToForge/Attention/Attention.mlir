// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @causal(
// CHECK-DAG: %[[V0:.+]] = forge.constant dense<5.000000e-01> : tensor<f32>
// CHECK-DAG: %[[V3:.+]] = forge.multiply %arg0, %[[V0]] : (tensor<1x2x3x4xf32>, tensor<f32>) -> tensor<1x2x3x4xf32>
// CHECK-DAG: %[[V2:.+]] = forge.transpose %arg1 dims -2, -1 : (tensor<1x2x3x4xf32>) -> tensor<1x2x4x3xf32>
// CHECK-DAG: %[[V4:.+]] = forge.matmul %[[V3]], %[[V2]] : (tensor<1x2x3x4xf32>, tensor<1x2x4x3xf32>) -> tensor<1x2x3x3xf32>
// CHECK-DAG: %[[V5:.+]] = forge.constant dense<{{\[\[}}0.000000e+00, 0xFF800000, 0xFF800000], [0.000000e+00, 0.000000e+00, 0xFF800000], [0.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<3x3xf32>
// CHECK-DAG: %[[V6:.+]] = forge.add %[[V4]], %[[V5]] : (tensor<1x2x3x3xf32>, tensor<3x3xf32>) -> tensor<1x2x3x3xf32>
// CHECK-DAG: %[[V7:.+]] = forge.softmax %[[V6]] dim -1 stable : tensor<1x2x3x3xf32>
// CHECK-DAG: %[[V8:.+]] = forge.matmul %[[V7]], %arg2 : (tensor<1x2x3x3xf32>, tensor<1x2x3x4xf32>) -> tensor<1x2x3x4xf32>
// CHECK: return %[[V8]] : tensor<1x2x3x4xf32>
func.func @causal(%q: !torch.vtensor<[1,2,3,4],f32>, %k: !torch.vtensor<[1,2,3,4],f32>, %v: !torch.vtensor<[1,2,3,4],f32>) -> (!torch.vtensor<[1,2,3,4],f32>) attributes {torch.onnx_meta.opset_version = 23 : si64} {
  %out = torch.operator "onnx.Attention"(%q, %k, %v) {torch.onnx.is_causal = 1 : si64} : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
  return %out : !torch.vtensor<[1,2,3,4],f32>
}

// A row of the result is zero if the mask hides all keys from its query.
// CHECK-LABEL: func.func @grouped(
// CHECK: forge.reshape{{.*}} tensor<1x3x4x4xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x4x3x4xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x5x2x4xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x2x5x4xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x5x2x4xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x2x5x4xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x2x1x5x4xf32> loc
// CHECK: forge.repeat{{.*}} tensor<1x2x2x5x4xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x4x5x4xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x2x1x5x4xf32> loc
// CHECK: forge.repeat{{.*}} tensor<1x2x2x5x4xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x4x5x4xf32> loc
// CHECK: forge.constant dense<5.000000e-01>{{.*}}  tensor<f32>
// CHECK: forge.multiply{{.*}} tensor<1x4x3x4xf32> loc
// CHECK: forge.transpose{{.*}} tensor<1x4x4x5xf32> loc
// CHECK: forge.matmul{{.*}}-> tensor<1x4x3x5xf32>
// CHECK: forge.constant dense<0xFF800000>{{.*}}  tensor<f32>
// CHECK: forge.constant dense<0.000000e+00>{{.*}}  tensor<f32>
// CHECK: forge.where{{.*}} tensor<3x5xf32> loc
// CHECK: forge.add{{.*}} tensor<1x4x3x5xf32> loc
// CHECK: forge.softmax {{.*}} dim -1 stable : {{.*}}tensor<1x4x3x5xf32> loc
// CHECK: forge.reduce_max {{.*}} dim -1 keep_dim : {{.*}}tensor<3x1xf32> loc
// CHECK: forge.constant dense<0xFF800000>{{.*}}  tensor<f32>
// CHECK: forge.equal{{.*}} tensor<3x1xf32> loc
// CHECK: forge.cast{{.*}} tensor<3x1xi1> loc
// CHECK: forge.constant dense<0.000000e+00>{{.*}}  tensor<f32>
// CHECK: forge.where{{.*}} tensor<1x4x3x5xf32> loc
// CHECK: forge.matmul{{.*}}-> tensor<1x4x3x4xf32>
// CHECK: forge.transpose{{.*}} tensor<1x3x4x4xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x3x16xf32> loc
func.func @grouped(%q: !torch.vtensor<[1,3,16],f32>, %k: !torch.vtensor<[1,5,8],f32>, %v: !torch.vtensor<[1,5,8],f32>, %m: !torch.vtensor<[3,5],i1>) -> (!torch.vtensor<[1,3,16],f32>) attributes {torch.onnx_meta.opset_version = 23 : si64} {
  %out = torch.operator "onnx.Attention"(%q, %k, %v, %m) {torch.onnx.q_num_heads = 4 : si64, torch.onnx.kv_num_heads = 2 : si64} : (!torch.vtensor<[1,3,16],f32>, !torch.vtensor<[1,5,8],f32>, !torch.vtensor<[1,5,8],f32>, !torch.vtensor<[3,5],i1>) -> !torch.vtensor<[1,3,16],f32>
  return %out : !torch.vtensor<[1,3,16],f32>
}

// A scalar mask may hide all keys, too.
// CHECK-LABEL: func.func @scalar_mask(
// CHECK: = forge.constant
// CHECK: = forge.multiply
// CHECK: = forge.transpose
// CHECK: = forge.matmul
// CHECK: = forge.constant
// CHECK: = forge.constant
// CHECK: %[[M:.+]] = forge.where %arg1
// CHECK: = forge.add
// CHECK: %[[W:.+]] = forge.softmax
// CHECK: = forge.constant
// CHECK: %[[H:.+]] = forge.equal %[[M]]
// CHECK: %[[B:.+]] = forge.cast %[[H]] dtype i1
// CHECK: = forge.constant
// CHECK: = forge.where %[[B]], %{{.+}}, %[[W]]
// CHECK: = forge.matmul
func.func @scalar_mask(%q: !torch.vtensor<[1,2,3,4],f32>, %m: !torch.vtensor<[],i1>) -> !torch.vtensor<[1,2,3,4],f32> attributes {torch.onnx_meta.opset_version = 23 : si64} {
  %y = torch.operator "onnx.Attention"(%q, %q, %q, %m) : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[],i1>) -> !torch.vtensor<[1,2,3,4],f32>
  return %y : !torch.vtensor<[1,2,3,4],f32>
}
