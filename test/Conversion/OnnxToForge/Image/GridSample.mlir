// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// Nearest pixel: coordinates are unnormalised and rounded, and points outside the image give 0.
// CHECK-LABEL: func.func @nearest(
// Along each axis, [-1, 1] is scaled to the pixels [0, 1], and halves are rounded to even.
// CHECK: %[[Y:.+]] = forge.strided_slice %{{.+}} dim 2 [1:2]
// CHECK: forge.add %[[Y]], %{{.+}}
// CHECK: %[[ROW:.+]] = forge.clip %[[AT:.+]] min 0.000000e+00 max 1.000000e+00
// CHECK: %[[IN_ROWS:.+]] = forge.equal %[[AT]], %[[ROW]]
// CHECK: %[[X:.+]] = forge.strided_slice %{{.+}} dim 2 [0:1]
// CHECK: forge.add %[[X]], %{{.+}}
// CHECK: %[[COLUMN:.+]] = forge.clip %{{.+}} min 0.000000e+00 max 1.000000e+00
// CHECK: %[[WIDTH:.+]] = forge.constant dense<2.000000e+00> : tensor<f32>
// CHECK: forge.multiply %[[ROW]], %[[WIDTH]]
// CHECK: forge.add %{{.+}}, %[[COLUMN]]
// CHECK: forge.embedding %{{.+}}, %{{.+}} : (tensor<1xi32>, tensor<4x1xf32>) -> tensor<1x1xf32>
// CHECK: %[[OUTSIDE:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: forge.where %{{.+}}, %{{.+}}, %[[OUTSIDE]]
func.func @nearest(%x: !torch.vtensor<[1,1,2,2],f32>, %g: !torch.vtensor<[1,1,1,2],f32>) -> !torch.vtensor<[1,1,1,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %r = torch.operator "onnx.GridSample"(%x, %g) {torch.onnx.mode = "nearest", torch.onnx.padding_mode = "zeros", torch.onnx.align_corners = 1 : si64} : (!torch.vtensor<[1,1,2,2],f32>, !torch.vtensor<[1,1,1,2],f32>) -> !torch.vtensor<[1,1,1,1],f32>
  return %r : !torch.vtensor<[1,1,1,1],f32>
}
