// Round trip of the importer's three ops through text and bytecode, with the locations that contain the node names.
// RUN: forge-opt %s --mlir-print-debuginfo | forge-opt --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: forge-opt %s -emit-bytecode | forge-opt --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: forge-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @"my graph/1-a\22\C3\A9"(
// CHECK-SAME: %arg0: !torch.vtensor<[2,3],f32> loc("the \22input\22\0A"), %arg1: !torch.vtensor<[],i1> loc("cond"))
// CHECK-SAME: -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 21 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}, torch.onnx_meta.producer_name = ""} {
func.func @"my graph/1-a\22\C3\A9"(%arg0: !torch.vtensor<[2,3],f32> loc("the \22input\22\0A"), %arg1: !torch.vtensor<[],i1> loc("cond"))
    -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 21 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}, torch.onnx_meta.producer_name = ""} {
  // CHECK-NEXT: %none = torch.constant.none loc("onnx_importer.none")
  // GENERIC: "torch.constant.none"() : () -> !torch.none
  %none = torch.constant.none loc("onnx_importer.none")
  // `name` is the only inherent attribute; the attributes of the node are discardable.
  // CHECK-NEXT: %0 = torch.operator "onnx.My Op/1"(%arg0, %none) {torch.onnx.a = [1 : si64, -2 : si64], "torch.onnx.a b" = 0x7FC00000 : f32, torch.onnx.s = "\FF\00a", torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[2,3],f32>, !torch.none) -> !torch.vtensor<[2,3],f32> loc("layer/0")
  // GENERIC: "torch.operator"(%arg0, %{{.+}}) <{name = "onnx.My Op/1"}> {torch.onnx.a = [1 : si64, -2 : si64]
  %0 = torch.operator "onnx.My Op/1"(%arg0, %none) {torch.onnx.a = [1 : si64, -2 : si64], "torch.onnx.a b" = 0x7FC00000 : f32, torch.onnx.s = "\FF\00a", torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[2,3],f32>, !torch.none) -> !torch.vtensor<[2,3],f32> loc("layer/0")
  // A node without operands, with several results, and with none.
  // CHECK-NEXT: %1:2 = torch.operator "onnx.Two"() : () -> (!torch.vtensor<[?],si64>, !torch.none)
  %1:2 = torch.operator "onnx.Two"() : () -> (!torch.vtensor<[?],si64>, !torch.none)
  // CHECK-NEXT: torch.operator "onnx.Sink"(%1#0) : (!torch.vtensor<[?],si64>) -> ()
  torch.operator "onnx.Sink"(%1#0) : (!torch.vtensor<[?],si64>) -> ()
  // Weights are resource handles; the blob may be missing.
  // CHECK-NEXT: %{{.+}} = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<w> : tensor<4xf32>} : () -> !torch.vtensor<[4],f32>
  %2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<w> : tensor<4xf32>} : () -> !torch.vtensor<[4],f32>
  // Subgraphs are regions that may use outer values.
  // CHECK-NEXT: %{{.+}} = torch.operator "onnx.If"(%arg1) : (!torch.vtensor<[],i1>) -> !torch.vtensor<[2,3],f32> {
  // CHECK-NEXT: torch.operator_terminator %arg0 : !torch.vtensor<[2,3],f32> loc("then")
  // CHECK-NEXT: }, {
  // CHECK-NEXT: ^bb0(%{{.+}}: !torch.vtensor<[],si64>
  // CHECK-NEXT: torch.operator_terminator %0 : !torch.vtensor<[2,3],f32>
  // CHECK-NEXT: } loc("if")
  %3 = torch.operator "onnx.If"(%arg1) : (!torch.vtensor<[],i1>) -> !torch.vtensor<[2,3],f32> {
    torch.operator_terminator %arg0 : !torch.vtensor<[2,3],f32> loc("then")
  }, {
  ^bb0(%i: !torch.vtensor<[],si64>):
    torch.operator_terminator %0 : !torch.vtensor<[2,3],f32>
  } loc("if")
  return %3 : !torch.vtensor<[2,3],f32>
}
