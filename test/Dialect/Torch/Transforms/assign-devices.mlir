// RUN: forge-opt %s "--pass-pipeline=builtin.module(func.func(forge-assign-devices))" | FileCheck %s
// RUN: forge-opt %s "--pass-pipeline=builtin.module(func.func(forge-assign-devices{cpu-ops=Relu,second device-ops=MatMul}))" | FileCheck %s --check-prefix=CHOSEN

// CHECK-LABEL: func.func @main(
// CHECK-SAME: -> (!torch.vtensor<[4,8],f32>, !torch.vtensor<[2,?],si64>)
// CHOSEN-LABEL: func.func @main(
func.func @main(%x: !torch.vtensor<[4,8],f32>, %w: !torch.vtensor<[8,8],f32>) -> (!torch.vtensor<[4,8],f32>, !torch.vtensor<[2,?],si64>)
    attributes {torch.onnx_meta.opset_version = 17 : si64} {
  // Shape arithmetic becomes a constant.
  // CHECK: %[[SHAPE:.+]] = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[4, 8]> : tensor<2xsi64>}
  // CHECK-NOT: onnx.Shape
  %shape = torch.operator "onnx.Shape"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[2],si64>
  // CHECK: "onnx.MatMul"(%arg0, %arg1) {forge.multiply_adds = 256 : i64}
  // CHOSEN: "onnx.MatMul"(%arg0, %arg1) {forge.device, forge.multiply_adds = 256 : i64}
  %0 = torch.operator "onnx.MatMul"(%x, %w) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[8,8],f32>) -> !torch.vtensor<[4,8],f32>
  // CHECK: "onnx.Foo"(%{{.+}}) {forge.cpu = "the device path has no converter for this op"}
  %1 = torch.operator "onnx.Foo"(%0) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  // What a refused node declares is believed: the reshape can run on the device, and gets its shape.
  // CHECK: "onnx.Reshape"(%{{.+}}, %[[SHAPE]]) : ({{.*}}) -> !torch.vtensor<[4,8],f32>
  %2 = torch.operator "onnx.Reshape"(%1, %shape) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[?,?],f32>
  // CHECK: "onnx.Relu"(%{{.+}}) : ({{.*}}) -> !torch.vtensor<[4,8],f32>
  // CHOSEN: "onnx.Relu"(%{{.+}}) {forge.cpu = "asked for by cpu-ops"}
  %3 = torch.operator "onnx.Relu"(%2) : (!torch.vtensor<[?,?],f32>) -> !torch.vtensor<[4,8],f32>
  // CHOSEN: "onnx.Abs"(%{{.+}}) {forge.cpu = "asked for by cpu-ops"}
  %4 = torch.operator "onnx.Abs"(%3) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> loc("second")
  // CHECK: "onnx.NonZero"(%{{.+}}) {forge.cpu = "the value, shape or type of an operand is only known at run time"}
  %5 = torch.operator "onnx.NonZero"(%4) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[2,?],si64>
  return %4, %5 : !torch.vtensor<[4,8],f32>, !torch.vtensor<[2,?],si64>
}
