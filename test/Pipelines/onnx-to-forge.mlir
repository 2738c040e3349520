// From imported ONNX to Python with one pipeline.
// RUN: forge-opt %s --onnx-to-forge-pipeline | FileCheck %s
// RUN: forge-opt %s --onnx-to-forge-pipeline --mlir-print-debuginfo | forge-translate --forge-to-python | FileCheck %s --check-prefix=PYTHON
// RUN: forge-opt %s --onnx-to-forge-pipeline --mlir-print-debuginfo | forge-translate --forge-to-python | %compile

// A split of 10 into 2, 3 and 5 becomes three slices of the first of three axes, and no other op.
// CHECK-LABEL: func.func @split(%arg0: tensor<10x4x4xf32> {{.*}}) -> (tensor<2x4x4xf32> {{.*}}, tensor<3x4x4xf32> {{.*}}, tensor<5x4x4xf32> {{.*}})
// CHECK-NEXT: %[[A:.+]] = forge.index %arg0 dim -3 [0:2]
// CHECK-NEXT: %[[B:.+]] = forge.index %arg0 dim -3 [2:5]
// CHECK-NEXT: %[[C:.+]] = forge.index %arg0 dim -3 [5:10]
// CHECK-NEXT: return %[[A]], %[[B]], %[[C]]

// PYTHON: def forward(self, x):
// PYTHON-NEXT: head_split_0 = forge.op.Index("", x, dim=-3, start=0, stop=2, stride=1).set_src_layer("/head/Split")
// PYTHON-NEXT: head_split_1 = forge.op.Index("", x, dim=-3, start=2, stop=5, stride=1).set_src_layer("/head/Split")
// PYTHON-NEXT: head_split_2 = forge.op.Index("", x, dim=-3, start=5, stop=10, stride=1).set_src_layer("/head/Split")
// PYTHON-NEXT: return head_split_0, head_split_1, head_split_2
func.func @split(%arg0: !torch.vtensor<[10,4,4],f32> loc("x")) -> (!torch.vtensor<[2,4,4],f32>, !torch.vtensor<[3,4,4],f32>, !torch.vtensor<[5,4,4],f32>)
    attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 3, 5]> : tensor<3xsi64>} : () -> !torch.vtensor<[3],si64> loc("sizes")
  %1:3 = torch.operator "onnx.Split"(%arg0, %0) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[10,4,4],f32>, !torch.vtensor<[3],si64>) -> (!torch.vtensor<[2,4,4],f32>, !torch.vtensor<[3,4,4],f32>, !torch.vtensor<[5,4,4],f32>) loc("/head/Split")
  return %1#0, %1#1, %1#2 : !torch.vtensor<[2,4,4],f32>, !torch.vtensor<[3,4,4],f32>, !torch.vtensor<[5,4,4],f32>
}
