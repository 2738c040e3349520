// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// Before opset 7, test mode is an attribute.
// CHECK-LABEL: func.func @test(
// CHECK: return %arg0 : tensor<2x3xf32>
func.func @test(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Dropout"(%arg0) {torch.onnx.consumed_inputs = [0 : si64], torch.onnx.is_test = 1 : si64, torch.onnx.ratio = 1.000000e-01 : f32} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// Before opset 10, the mask has the operand's type.
// CHECK-LABEL: func.func @mask_of_operand_type(
// CHECK: %[[V0:.+]] = forge.constant dense<1.000000e+00> : tensor<2x3xf32>
// CHECK-NEXT: return %arg0, %[[V0]] : tensor<2x3xf32>, tensor<2x3xf32>
func.func @mask_of_operand_type(%arg0: !torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>) attributes {torch.onnx_meta.opset_version = 7 : si64} {
  %r1_0, %r1_1 = torch.operator "onnx.Dropout"(%arg0) {torch.onnx.ratio = 1.000000e-01 : f32} : (!torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>)
  return %r1_0, %r1_1 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @mask(
// CHECK: %[[V0:.+]] = forge.constant dense<true> : tensor<2x3xi1>
// CHECK-NEXT: return %arg0, %[[V0]] : tensor<2x3xf32>, tensor<2x3xi1>
func.func @mask(%arg0: !torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],i1>) attributes {torch.onnx_meta.opset_version = 10 : si64} {
  %r1_0, %r1_1 = torch.operator "onnx.Dropout"(%arg0) : (!torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],i1>)
  return %r1_0, %r1_1 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],i1>
}

// CHECK-LABEL: func.func @inputs(
// CHECK: return %arg0 : tensor<2x3xf32>
func.func @inputs(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0.5> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<false> : tensor<i1>} : () -> !torch.vtensor<[],i1>
  %r3 = torch.operator "onnx.Dropout"(%arg0, %c1, %c2) {torch.onnx.seed = 3 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[],f32>, !torch.vtensor<[],i1>) -> !torch.vtensor<[2,3],f32>
  return %r3 : !torch.vtensor<[2,3],f32>
}

// The optional mask output is absent.
// CHECK-LABEL: func.func @no_mask(
// CHECK: return %arg0 : tensor<2x3xf32>
func.func @no_mask(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %r1_0, %r1_1 = torch.operator "onnx.Dropout"(%arg0) : (!torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.none)
  return %r1_0 : !torch.vtensor<[2,3],f32>
}

// Training mode with a ratio of 0 drops no elements.
// CHECK-LABEL: func.func @nothing_dropped(
// CHECK-NEXT: return %arg0
func.func @nothing_dropped(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  %r = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %t = torch.operator "onnx.Constant"() {torch.onnx.value = dense<true> : tensor<i1>} : () -> !torch.vtensor<[],i1>
  %y = torch.operator "onnx.Dropout"(%arg0, %r, %t) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[],f32>, !torch.vtensor<[],i1>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}
