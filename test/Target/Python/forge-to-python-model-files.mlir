// On request, the module can also load weights that remain in files of the ONNX model.
// RUN: forge-translate %s --forge-to-python --reads-model-files | FileCheck %s
// RUN: forge-translate %s --forge-to-python --reads-model-files | %compile
// RUN: forge-translate %s --forge-to-python | FileCheck %s --check-prefix=COPIED

// CHECK: value = torch.full(
// CHECK-NEXT: elif "file" in weight:
// CHECK-NEXT: value = read_weight(weight)
// CHECK-NEXT: else:
// CHECK-NEXT: value = weights.get_tensor(
// CHECK: def read_weight(weight):

// COPIED: value = torch.full(
// COPIED-NEXT: else:
// COPIED-NEXT: value = weights.get_tensor(
// COPIED-NOT: read_weight
func.func @main(%x: tensor<4xf32> {forge.onnx_name = "x"} loc("x")) -> (tensor<4xf32> {forge.onnx_name = "y"}) {
  %w = forge.parameter "w" : tensor<4xf32> loc("w")
  %0 = forge.add %x, %w : tensor<4xf32> loc("add")
  return %0 : tensor<4xf32>
}
