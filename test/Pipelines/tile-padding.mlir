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
