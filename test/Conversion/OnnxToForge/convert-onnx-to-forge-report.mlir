// All refused nodes are reported in one run, with their names, and no output file is written.
// RUN: not forge-opt %s --convert-onnx-to-forge -o %t 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not ls %t

// CHECK: error: {{.*}}[FM1001] node 'layer/0' (Foo, opset 21): there is no converter for this op
// CHECK-NEXT: note: {{.*}}operands: ('tensor<2x3xf32>')
// Names are printed as escaped ASCII, so that a quote cannot end a message and no escape code reaches the terminal.
// CHECK: error: {{.*}}node 'x"), \n\x1b[31m\u202e' (Bar, opset 21): there is no converter for this op
// The declared type of a refused node's result is used to check the nodes after it.
// CHECK: error: {{.*}}[FM1411] node 'four' (Gemm, opset 21): 'forge.matmul' op (C3) expected equal contracted sizes
// CHECK-NEXT: note: {{.*}}operands: ('tensor<2x3xf32>', 'tensor<2x3xf32>')
// Domains other than the default one are named.
// CHECK: error: {{.*}}[FM1001] node 'five' (com.microsoft.Qux, opset 1): there is no converter for this op
// The second function is checked as well.
// CHECK: error: {{.*}}[FM1410] node 'six' (Split, opset 13): axis of size 3 does not divide into 2 equal outputs
func.func @several(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
    attributes {torch.onnx_meta.opset_version = 21 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %0 = torch.operator "onnx.Foo"(%arg0) {torch.onnx_meta.domain = ""} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> loc("layer/0")
  %1 = torch.operator "onnx.Bar"(%0) {torch.onnx_meta.domain = ""} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[],f32> loc("x\22), \0A\1B[31m\E2\80\AE")
  // The rank of its operand is unknown, so that nothing is reported about this node.
  %2 = torch.operator "onnx.Relu"(%1) {torch.onnx_meta.domain = ""} : (!torch.vtensor<[],f32>) -> !torch.vtensor<[2,3],f32> loc("three")
  %3 = torch.operator "onnx.Gemm"(%0, %0) {torch.onnx_meta.domain = ""} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> loc("four")
  %4 = torch.operator "onnx.Qux"(%arg0) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> loc("five")
  return %4 : !torch.vtensor<[2,3],f32>
}

func.func @another(%arg0: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %0:2 = torch.operator "onnx.Split"(%arg0) : (!torch.vtensor<[3],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[1],f32>) loc("six")
  return %0#0 : !torch.vtensor<[2],f32>
}
