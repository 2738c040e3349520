// RUN: forge-opt %s "--pass-pipeline=builtin.module(func.func(forge-assign-devices))" | FileCheck %s
// RUN: forge-opt %s "--pass-pipeline=builtin.module(func.func(forge-assign-devices{cpu-ops=Relu,second device-ops=MatMul}))" | FileCheck %s --check-prefix=CHOSEN

// CHECK-LABEL: func.func @main(
// CHECK-SAME: -> (!torch.vtensor<[4,8],f32>, !torch.vtensor<[2,?],si64>)
// CHOSEN-LABEL: func.func @main(
func.func @main(%x: !torch.vtensor<[4,8],f32>, %w: !torch.vtensor<[8,8],f32>) -> (!torch.vtensor<[4,8],f32>, !torch.vtensor<[2,?],si64>)
    attributes {torch.onnx_meta.opset_version = 17 : si64} {
  // Shape arithmetic is folded to a constant.
  // CHECK: %[[SHAPE:.+]] = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[4, 8]> : tensor<2xsi64>}
  // CHECK-NOT: onnx.Shape
  %shape = torch.operator "onnx.Shape"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[2],si64>
  // CHECK: "onnx.MatMul"(%arg0, %arg1) {forge.multiply_adds = 256 : i64}
  // CHOSEN: "onnx.MatMul"(%arg0, %arg1) {forge.device, forge.multiply_adds = 256 : i64}
  %0 = torch.operator "onnx.MatMul"(%x, %w) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[8,8],f32>) -> !torch.vtensor<[4,8],f32>
  // CHECK: "onnx.Foo"(%{{.+}}) {forge.cpu = "there is no converter for this op"}
  %1 = torch.operator "onnx.Foo"(%0) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  // The declared type of a refused node's result is used: the reshape after it can run on the device, and gets its
  // static shape.
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

// Nodes that compute float64 run on the CPU, unless the device is requested or the result is constant; a Cast to
// float64 may run on the device.
// CHECK-LABEL: func.func @doubles(
// CHOSEN-LABEL: func.func @doubles(
func.func @doubles(%x: !torch.vtensor<[4,4],f64>, %y: !torch.vtensor<[4,4],f32>) -> (!torch.vtensor<[4,4],f64>, !torch.vtensor<[4,4],f64>, !torch.vtensor<[4,4],f64>)
    attributes {torch.onnx_meta.opset_version = 17 : si64} {
  // CHECK: "onnx.MatMul"(%arg0, %arg0) {forge.cpu = "it computes float64, which the device would round to Float32"
  // CHOSEN: "onnx.MatMul"(%arg0, %arg0) {forge.device, forge.multiply_adds
  %0 = torch.operator "onnx.MatMul"(%x, %x) : (!torch.vtensor<[4,4],f64>, !torch.vtensor<[4,4],f64>) -> !torch.vtensor<[4,4],f64>
  // CHECK: "onnx.Relu"(%{{.+}}) {forge.cpu = "it computes float64
  %1 = torch.operator "onnx.Relu"(%x) : (!torch.vtensor<[4,4],f64>) -> !torch.vtensor<[4,4],f64>
  // CHECK: "onnx.Cast"(%arg1) {torch.onnx.to = 11 : si64}
  %2 = torch.operator "onnx.Cast"(%y) {torch.onnx.to = 11 : si64} : (!torch.vtensor<[4,4],f32>) -> !torch.vtensor<[4,4],f64>
  // CHECK: "onnx.Abs"(%{{.+}}) {forge.cpu = "it computes float64
  %3 = torch.operator "onnx.Abs"(%2) : (!torch.vtensor<[4,4],f64>) -> !torch.vtensor<[4,4],f64> loc("second")
  return %0, %1, %3 : !torch.vtensor<[4,4],f64>, !torch.vtensor<[4,4],f64>, !torch.vtensor<[4,4],f64>
}
