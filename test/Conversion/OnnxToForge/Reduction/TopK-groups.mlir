// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// 300 of each of 4 groups, and of these and the 412 elements after the groups.
// CHECK-LABEL: func.func @by_groups(
// CHECK: forge.reshape %{{.+}} shape [1, 4, 1997] : (tensor<1x7988xf32>) -> tensor<1x4x1997xf32>
// CHECK: tensor<1x4x1997x1997xf32>
// CHECK: forge.concatenate %{{.+}}, %{{.+}} axis -1 : (tensor<1x1200xf32>, tensor<1x412xf32>) -> tensor<1x1612xf32>
// CHECK: tensor<1x1612x1612xf32>
// CHECK: return %{{.+}}, %{{.+}} : tensor<1x300xf32>, tensor<1x300xi64>
func.func @by_groups(%x: !torch.vtensor<[1,8400],f32>) -> (!torch.vtensor<[1,300],f32>, !torch.vtensor<[1,300],si64>) attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %v, %i = torch.operator "onnx.TopK"(%x) {torch.onnx.k = 300 : si64} : (!torch.vtensor<[1,8400],f32>) -> (!torch.vtensor<[1,300],f32>, !torch.vtensor<[1,300],si64>)
  return %v, %i : !torch.vtensor<[1,300],f32>, !torch.vtensor<[1,300],si64>
}
