// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s --check-prefix=EXACT
// RUN: forge-opt %s --convert-onnx-to-forge=allow-rounding=true | FileCheck %s --check-prefix=ROUNDED
// RUN: forge-opt %s "--onnx-to-forge-pipeline=allow-rounding=true" | FileCheck %s --check-prefix=ROUNDED

// In the function body of ONNX, each step rounds to float16; forge.softmax rounds once, from float32.
// EXACT-LABEL: func.func @softmax(
// EXACT: %[[MAX:.+]] = forge.reduce_max %arg0
// EXACT: %[[SHIFTED:.+]] = forge.subtract %arg0, %[[MAX]]
// EXACT: %[[EXP:.+]] = forge.exp %[[SHIFTED]]
// EXACT: %[[SUM:.+]] = forge.reduce_sum %[[EXP]]
// EXACT: forge.divide %[[EXP]], %[[SUM]] : (tensor<2x3xf16>, tensor<2x1xf16>) -> tensor<2x3xf16>
// ROUNDED-LABEL: func.func @softmax(
// ROUNDED: forge.softmax
func.func @softmax(%arg0: !torch.vtensor<[2,3],f16>) -> !torch.vtensor<[2,3],f16> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %0 = torch.operator "onnx.Softmax"(%arg0) : (!torch.vtensor<[2,3],f16>) -> !torch.vtensor<[2,3],f16>
  return %0 : !torch.vtensor<[2,3],f16>
}

// EXACT-LABEL: func.func @log_softmax(
// EXACT: %[[SHIFTED:.+]] = forge.subtract %arg0
// EXACT: %[[LOG:.+]] = forge.log
// EXACT: forge.subtract %[[SHIFTED]], %[[LOG]]
// ROUNDED-LABEL: func.func @log_softmax(
// ROUNDED: forge.cast %arg0 dtype f32
// ROUNDED-NOT: forge.cast
// ROUNDED: forge.log %
// ROUNDED: forge.cast {{.*}} dtype f16
func.func @log_softmax(%arg0: !torch.vtensor<[2,3],f16>) -> !torch.vtensor<[2,3],f16> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %0 = torch.operator "onnx.LogSoftmax"(%arg0) : (!torch.vtensor<[2,3],f16>) -> !torch.vtensor<[2,3],f16>
  return %0 : !torch.vtensor<[2,3],f16>
}

// In bfloat16 the function body rounds the partial sums as well, which no sequence of calls does: one call remains.
// EXACT-LABEL: func.func @bfloat16(
// EXACT-NEXT: forge.softmax %arg0 dim -1 {{.*}}tensor<2x3xbf16>
// EXACT-NEXT: return
func.func @bfloat16(%arg0: !torch.vtensor<[2,3],bf16>) -> !torch.vtensor<[2,3],bf16> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %0 = torch.operator "onnx.Softmax"(%arg0) : (!torch.vtensor<[2,3],bf16>) -> !torch.vtensor<[2,3],bf16>
  return %0 : !torch.vtensor<[2,3],bf16>
}
