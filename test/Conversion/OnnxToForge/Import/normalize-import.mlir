// RUN: forge-opt %s -split-input-file --forge-normalize-import -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s

// Small resource blobs become dense elements, in every raw layout of ONNX; the others stay resources.
// CHECK-LABEL: func.func @blobs
// CHECK-SAME: forge.onnx_name = "input_0", forge.onnx_type = !torch.vtensor<[2],f32>
// CHECK-SAME: forge.onnx_name = "output_0", forge.onnx_type = !torch.vtensor<[2],f32>
func.func @blobs(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // CHECK: torch.onnx.value = dense<[1, -2]> : tensor<2xsi64>{{.*}} loc("axes"(
  %0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<axes> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // CHECK: torch.onnx.value = dense<[true, false, true]> : tensor<3xi1>
  %1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<mask> : tensor<3xi1>} : () -> !torch.vtensor<[3],i1>
  // CHECK: torch.onnx.value = dense<[-1, 1, 7]> : tensor<3xsi4>
  %2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<nibbles> : tensor<3xsi4>} : () -> !torch.vtensor<[3],si4>
  // CHECK: torch.onnx.value = dense<> : tensor<0xf32>
  %3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<empty> : tensor<0xf32>} : () -> !torch.vtensor<[0],f32>
  // CHECK: torch.onnx.value = dense_resource<elsewhere> : tensor<4xf32>
  %4 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<elsewhere> : tensor<4xf32>} : () -> !torch.vtensor<[4],f32>
  // CHECK: torch.onnx.value = dense<3> : tensor<si32>{{.*}} loc("Constant_5"(
  %5 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3> : tensor<si32>} : () -> !torch.vtensor<[],si32>
  // CHECK: "onnx.Relu"{{.*}} loc("Relu_0"(
  %6 = torch.operator "onnx.Relu"(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  // CHECK: "onnx.Relu"{{.*}} loc("known")
  %7 = torch.operator "onnx.Relu"(%6) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> loc("known")
  return %7 : !torch.vtensor<[2],f32>
}

{-#
  dialect_resources: {
    builtin: {
      axes: "0x080000000100000000000000FEFFFFFFFFFFFFFF",
      mask: "0x08000000010002",
      nibbles: "0x080000001F07",
      empty: "0x08000000"
    }
  }
#-}

// -----

// Calls of model functions are inlined, and the nodes keep the opset of their function. Unused private functions are
// removed.
// CHECK-LABEL: func.func @main
// CHECK: "onnx.Softmax"{{.*}} {torch.onnx.axis = 1 : si64, torch.onnx_meta.domain = "", torch.onnx_meta.opset = 9 : si64}
// CHECK: "onnx.Relu"{{.*}} {torch.onnx_meta.domain = ""}
// CHECK: return
func.func @main(%x: !torch.vtensor<[2,3],f32> loc("x")) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %0 = call @outer(%x) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %0 : !torch.vtensor<[2,3],f32>
}
// CHECK-NOT: func.func
func.func private @outer(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %0 = call @inner(%x) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  %1 = torch.operator "onnx.Relu"(%0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %1 : !torch.vtensor<[2,3],f32>
}
func.func private @inner(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %0 = torch.operator "onnx.Softmax"(%x) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %0 : !torch.vtensor<[2,3],f32>
}
func.func private @unused(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
  return %x : !torch.vtensor<[2,3],f32>
}
