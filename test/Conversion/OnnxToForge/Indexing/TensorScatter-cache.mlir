// RUN: forge-opt %s -split-input-file -convert-onnx-to-forge | FileCheck %s

// One token is written into a cache that has no other user.
// CHECK-LABEL: func.func @token(
// CHECK: %[[I:.+]] = forge.cast %arg2 dtype i32 : (tensor<2xi64>) -> tensor<2xi32>
// CHECK: forge.update_cache %arg0, %arg1, %[[I]] : (tensor<2x4x8x3xf32>, tensor<2x4x1x3xf32>, tensor<2xi32>) -> tensor<2x4x8x3xf32>
func.func @token(%x: !torch.vtensor<[2,4,8,3],f32>, %u: !torch.vtensor<[2,4,1,3],f32>, %i: !torch.vtensor<[2],si64>) -> (!torch.vtensor<[2,4,8,3],f32>) attributes {torch.onnx_meta.opset_version = 24 : si64} {
  %out = torch.operator "onnx.TensorScatter"(%x, %u, %i) : (!torch.vtensor<[2,4,8,3],f32>, !torch.vtensor<[2,4,1,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,4,8,3],f32>
  return %out : !torch.vtensor<[2,4,8,3],f32>
}

// -----

// A prompt is written from position 0.
// CHECK-LABEL: func.func @prompt(
// CHECK: forge.fill_cache %arg0, %arg1 : (tensor<2x4x8x3xf32>, tensor<2x4x5x3xf32>) -> tensor<2x4x8x3xf32>
func.func @prompt(%x: !torch.vtensor<[2,4,8,3],f32>, %u: !torch.vtensor<[2,4,5,3],f32>) -> (!torch.vtensor<[2,4,8,3],f32>) attributes {torch.onnx_meta.opset_version = 24 : si64} {
  %out = torch.operator "onnx.TensorScatter"(%x, %u) : (!torch.vtensor<[2,4,8,3],f32>, !torch.vtensor<[2,4,5,3],f32>) -> !torch.vtensor<[2,4,8,3],f32>
  return %out : !torch.vtensor<[2,4,8,3],f32>
}

// -----

// Another user of the cache would see the write in place.
// CHECK-LABEL: func.func @two_users(
// CHECK-NOT: forge.update_cache
// CHECK: return
func.func @two_users(%x: !torch.vtensor<[2,4,8,3],f32>, %u: !torch.vtensor<[2,4,1,3],f32>, %i: !torch.vtensor<[2],si64>) -> (!torch.vtensor<[2,4,8,3],f32>, !torch.vtensor<[2,4,8,3],f32>) attributes {torch.onnx_meta.opset_version = 24 : si64} {
  %out = torch.operator "onnx.TensorScatter"(%x, %u, %i) : (!torch.vtensor<[2,4,8,3],f32>, !torch.vtensor<[2,4,1,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,4,8,3],f32>
  return %out, %x : !torch.vtensor<[2,4,8,3],f32>, !torch.vtensor<[2,4,8,3],f32>
}

// -----

// The other user reads the cache through an Identity.
// CHECK-LABEL: func.func @two_users_by_identity(
// CHECK-NOT: forge.update_cache
// CHECK: return
func.func @two_users_by_identity(%x: !torch.vtensor<[2,4,8,3],f32>, %u: !torch.vtensor<[2,4,1,3],f32>, %i: !torch.vtensor<[2],si64>) -> (!torch.vtensor<[2,4,8,3],f32>, !torch.vtensor<[2,4,8,3],f32>) attributes {torch.onnx_meta.opset_version = 24 : si64} {
  %same = torch.operator "onnx.Identity"(%x) : (!torch.vtensor<[2,4,8,3],f32>) -> !torch.vtensor<[2,4,8,3],f32>
  %out = torch.operator "onnx.TensorScatter"(%same, %u, %i) : (!torch.vtensor<[2,4,8,3],f32>, !torch.vtensor<[2,4,1,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,4,8,3],f32>
  %negative = torch.operator "onnx.Neg"(%x) : (!torch.vtensor<[2,4,8,3],f32>) -> !torch.vtensor<[2,4,8,3],f32>
  return %out, %negative : !torch.vtensor<[2,4,8,3],f32>, !torch.vtensor<[2,4,8,3],f32>
}

// -----

// Each iteration of a loop writes into the cache as it was before the loop.
// CHECK-LABEL: func.func @loop(
// CHECK-NOT: forge.update_cache
// CHECK: return
func.func @loop(%x: !torch.vtensor<[1,4,8,3],f32>, %u: !torch.vtensor<[1,4,1,3],f32>, %i: !torch.vtensor<[1],si64>) -> !torch.vtensor<[2,1,4,8,3],f32> attributes {torch.onnx_meta.opset_version = 24 : si64} {
  %trips = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %true = torch.operator "onnx.Constant"() {torch.onnx.value = dense<true> : tensor<i1>} : () -> !torch.vtensor<[],i1>
  %y = torch.operator "onnx.Loop"(%trips, %true) : (!torch.vtensor<[],si64>, !torch.vtensor<[],i1>) -> !torch.vtensor<[2,1,4,8,3],f32> {
  ^bb0(%step: !torch.vtensor<[],si64>, %condition: !torch.vtensor<[],i1>):
    %axes = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
    %row = torch.operator "onnx.Unsqueeze"(%step, %axes) : (!torch.vtensor<[],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1],si64>
    %at = torch.operator "onnx.Add"(%row, %i) : (!torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1],si64>
    %out = torch.operator "onnx.TensorScatter"(%x, %u, %at) : (!torch.vtensor<[1,4,8,3],f32>, !torch.vtensor<[1,4,1,3],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1,4,8,3],f32>
    torch.operator_terminator %condition, %out : !torch.vtensor<[],i1>, !torch.vtensor<[1,4,8,3],f32>
  }
  return %y : !torch.vtensor<[2,1,4,8,3],f32>
}

// -----

// The driver passes the input of a partition to a later partition, too, which reads the old value.
// CHECK-LABEL: func.func @partitions_device0(
// CHECK-NOT: forge.update_cache
// CHECK: return
func.func @partitions(%x: !torch.vtensor<[2,4,8,3],f32>, %u: !torch.vtensor<[2,4,1,3],f32>, %i: !torch.vtensor<[2],si64>) -> (!torch.vtensor<[2,4,8,3],f32>, !torch.vtensor<[2,4,8,3],f32>) attributes {forge.partition = "driver"} {
  %out = forge.run @partitions_device0(%x, %u, %i) : (!torch.vtensor<[2,4,8,3],f32>, !torch.vtensor<[2,4,1,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,4,8,3],f32>
  %old = forge.run @partitions_cpu1(%x) : (!torch.vtensor<[2,4,8,3],f32>) -> !torch.vtensor<[2,4,8,3],f32>
  return %out, %old : !torch.vtensor<[2,4,8,3],f32>, !torch.vtensor<[2,4,8,3],f32>
}
func.func @partitions_device0(%x: !torch.vtensor<[2,4,8,3],f32>, %u: !torch.vtensor<[2,4,1,3],f32>, %i: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,4,8,3],f32> attributes {forge.partition = "device", torch.onnx_meta.opset_version = 24 : si64} {
  %out = torch.operator "onnx.TensorScatter"(%x, %u, %i) : (!torch.vtensor<[2,4,8,3],f32>, !torch.vtensor<[2,4,1,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,4,8,3],f32>
  return %out : !torch.vtensor<[2,4,8,3],f32>
}
func.func @partitions_cpu1(%x: !torch.vtensor<[2,4,8,3],f32>) -> !torch.vtensor<[2,4,8,3],f32> attributes {forge.partition = "cpu", torch.onnx_meta.opset_version = 24 : si64} {
  %y = torch.operator "onnx.Round"(%x) : (!torch.vtensor<[2,4,8,3],f32>) -> !torch.vtensor<[2,4,8,3],f32>
  return %y : !torch.vtensor<[2,4,8,3],f32>
}
