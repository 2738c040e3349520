// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @known(
// CHECK: forge.concatenate %arg0, %arg1
// CHECK: forge.strided_slice %{{.*}} dim 0 [0:5:4]
// CHECK: forge.strided_slice %{{.*}} dim 0 [2:6:3]
// CHECK: forge.concatenate
func.func @known(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, -1]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r = torch.operator "onnx.ScatterElements"(%arg0, %c0, %arg1) : (!torch.vtensor<[4],f32>, !torch.vtensor<[2],si64>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

// CHECK-LABEL: func.func @unknown(
// CHECK: forge.equal
// CHECK: forge.add %arg0
// CHECK: forge.where
// CHECK: forge.equal
// CHECK: forge.add
// CHECK: forge.where
func.func @unknown(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[2],si64>, %arg2: !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %r = torch.operator "onnx.ScatterElements"(%arg0, %arg1, %arg2) {torch.onnx.reduction = "add"} : (!torch.vtensor<[4],f32>, !torch.vtensor<[2],si64>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

// torch.onnx writes max and min at opset 16, which ONNX has since 18.
// CHECK-LABEL: func.func @max_of_opset_16
// CHECK: forge.max %arg0
// CHECK: forge.where
func.func @max_of_opset_16(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[1],si64>, %arg2: !torch.vtensor<[1],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 16 : si64} {
  %r = torch.operator "onnx.ScatterElements"(%arg0, %arg1, %arg2) {torch.onnx.reduction = "max"} : (!torch.vtensor<[4],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],f32>) -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

// Many updates are applied by one comparison with all indices along an additional axis, instead of one op per update.
// CHECK-LABEL: func.func @many_updates
// CHECK: forge.equal {{.*}} -> tensor<65x9xi64>
// CHECK: forge.reduce_max
// CHECK: forge.where
// CHECK: forge.reduce_sum
// CHECK: forge.add
// CHECK: forge.where
// CHECK-NEXT: return
func.func @many_updates(%x: !torch.vtensor<[9],f32>, %i: !torch.vtensor<[65],si64>, %u: !torch.vtensor<[65],f32>) -> !torch.vtensor<[9],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %r = torch.operator "onnx.ScatterElements"(%x, %i, %u) {torch.onnx.reduction = "add"} : (!torch.vtensor<[9],f32>, !torch.vtensor<[65],si64>, !torch.vtensor<[65],f32>) -> !torch.vtensor<[9],f32>
  return %r : !torch.vtensor<[9],f32>
}

// The minimum of many updates is the negated maximum of negated ones.
// CHECK-LABEL: func.func @minimum_of_many_updates
// CHECK: forge.reduce_max
// CHECK: forge.max
// CHECK-NEXT: forge.constant
// CHECK-NEXT: forge.multiply
// CHECK-NEXT: return
func.func @minimum_of_many_updates(%x: !torch.vtensor<[9],f32>, %i: !torch.vtensor<[65],si64>, %u: !torch.vtensor<[65],f32>) -> !torch.vtensor<[9],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %r = torch.operator "onnx.ScatterElements"(%x, %i, %u) {torch.onnx.reduction = "min"} : (!torch.vtensor<[9],f32>, !torch.vtensor<[65],si64>, !torch.vtensor<[65],f32>) -> !torch.vtensor<[9],f32>
  return %r : !torch.vtensor<[9],f32>
}
