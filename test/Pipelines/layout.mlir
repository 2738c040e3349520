// Rewrites that align slices with tiles are applied on request only.
// RUN: forge-opt %s --onnx-to-forge-pipeline | FileCheck %s --check-prefix=NONE
// RUN: forge-opt %s --onnx-to-forge-pipeline=layout=tiles | FileCheck %s --check-prefix=TILES
// RUN: forge-opt %s --onnx-to-forge-pipeline="layout=tiles layout-remarks=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: not forge-opt %s --onnx-to-forge-pipeline="layout=tiles device-format=f99" 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not forge-opt %s --onnx-to-forge-pipeline=layout=rows 2>&1 | FileCheck %s --check-prefix=LAYOUT

// NONE: module
// NONE-NEXT: func.func @f
// NONE-NEXT: forge.index %arg0 dim -1 [80:160]
// TILES: %[[W:.+]] = forge.index %arg0 dim -1 [64:160]
// TILES-NEXT: forge.index %[[W]] dim -1 [16:96]
// WHY: window at '/part': only the tiles that the slice overlaps are untilized, tile traffic 688 -> 96
// ERROR: error: [FM2006] expected a format out of
// LAYOUT: rows
func.func @f(%arg0: !torch.vtensor<[1,128,2560],f32> loc("x")) -> !torch.vtensor<[1,128,80],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %b = torch.operator "onnx.Constant"() {torch.onnx.value = dense<80> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64> loc("b")
  %e = torch.operator "onnx.Constant"() {torch.onnx.value = dense<160> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64> loc("e")
  %a = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64> loc("a")
  %0 = torch.operator "onnx.Slice"(%arg0, %b, %e, %a) : (!torch.vtensor<[1,128,2560],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1,128,80],f32> loc("/part")
  return %0 : !torch.vtensor<[1,128,80],f32>
}
