// The pipeline fills tile padding for the format of --device-format.
// RUN: forge-opt %s --onnx-to-forge-pipeline="fill-tile-padding=ttnn-conservative device-format=bf16" | FileCheck %s
// RUN: not forge-opt %s --onnx-to-forge-pipeline="fill-tile-padding=ttnn-conservative device-format=bfp8" 2>&1 | FileCheck %s --check-prefix=BLOCK

// CHECK: forge.pad %{{.*}} value 0xFF800000
// CHECK: forge.softmax
// BLOCK: error: {{.*}}[FM2007]
// BLOCK-SAME: no constant fill for block floats
func.func @softmax(%x: !torch.vtensor<[4,10],f32> loc("x")) -> !torch.vtensor<[4,10],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %0 = torch.operator "onnx.Softmax"(%x) {torch.onnx.axis = -1 : si64} : (!torch.vtensor<[4,10],f32>) -> !torch.vtensor<[4,10],f32> loc("/softmax")
  return %0 : !torch.vtensor<[4,10],f32>
}

// Forge replaces the pads by other calls. The identities after them keep the axes of the reductions' operands.
// CHECK-LABEL: func.func @topk(
//      CHECK: %[[P:.+]] = forge.pad
// CHECK-NEXT: %[[I:.+]] = forge.identity %[[P]]
// CHECK-NEXT: forge.reduce_sum %[[I]] dim -1 : (tensor<4x10x32xi32>) -> tensor<4x10xi32>
//      CHECK: %[[Q:.+]] = forge.pad
// CHECK-NEXT: %[[J:.+]] = forge.identity %[[Q]]
// CHECK-NEXT: forge.reduce_max %[[J]] dim -1 : (tensor<4x3x32xf32>) -> tensor<4x3xf32>
func.func @topk(%x: !torch.vtensor<[4,10],f32> loc("x")) -> !torch.vtensor<[4,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %k = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %0:2 = torch.operator "onnx.TopK"(%x, %k) {torch.onnx.axis = -1 : si64} : (!torch.vtensor<[4,10],f32>, !torch.vtensor<[1],si64>) -> (!torch.vtensor<[4,3],f32>, !torch.vtensor<[4,3],si64>) loc("/topk")
  return %0#0 : !torch.vtensor<[4,3],f32>
}
