// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @volume
// CHECK: forge.conv2d
// CHECK: forge.cast {{.*}} -> tensor<1x1x2x2x2xi32>
func.func @volume(%x: !torch.vtensor<[1,1,3,3,3],ui8>, %w: !torch.vtensor<[1,1,2,2,2],ui8>) -> !torch.vtensor<[1,1,2,2,2],si32> attributes {torch.onnx_meta.opset_version = 10 : si64} {
  %out = torch.operator "onnx.ConvInteger"(%x, %w) : (!torch.vtensor<[1,1,3,3,3],ui8>, !torch.vtensor<[1,1,2,2,2],ui8>) -> !torch.vtensor<[1,1,2,2,2],si32>
  return %out : !torch.vtensor<[1,1,2,2,2],si32>
}
