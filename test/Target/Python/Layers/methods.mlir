// Equal layers become one method. Their differences are the number n in names, or parameters. Values with users outside
// the layer are results of all of them.
// RUN: forge-translate %s --forge-to-python | FileCheck %s
// RUN: forge-translate %s --forge-to-python | %compile
// RUN: forge-opt %s --forge-write-flat -mlir-print-debuginfo -o %t
// RUN: forge-translate %t --forge-to-python | FileCheck %s --check-prefix=FLAT
// The pass is an option of the pipeline.
// RUN: forge-opt %s --onnx-to-forge-pipeline=flat=true | FileCheck %s --check-prefix=MARKED

// MARKED: attributes {forge.flat}
// FLAT: def __init__
// FLAT-COUNT-3: self.add_parameter("model.layers.{{.}}.weight",
// FLAT: def forward(self, x):
// FLAT-COUNT-26: = forge.op.
// FLAT-NEXT: release({{.*}}layers_4_residual)
// FLAT-NEXT: return end, layers_2_cosine_3
// FLAT-NOT: def layer

// CHECK: super().__init__(name)
// CHECK-NEXT: for n in (1, 2, 4):
// CHECK-NEXT: {{^            }}self.add_parameter(f"model.layers.{n}.weight", forge.Parameter(8, 8,
// CHECK: def forward(self, x):
// CHECK-NEXT: begin = forge.op.Sigmoid("", x).set_src_layer("begin")
// CHECK-NEXT: layers_1_cosine_3, layers_1_residual = self.layer(1, begin)
// CHECK-NEXT: layers_2_cosine_3, layers_2_residual = self.layer(2, layers_1_residual)
// CHECK-NEXT: release(begin, layers_1_cosine_3, layers_1_residual)
// CHECK-NEXT: layers_4_cosine_3, layers_4_residual = self.layer(4, layers_2_residual)
// CHECK-NEXT: end = forge.op.Exp("", layers_4_residual).set_src_layer("end")
// CHECK-NEXT: release(layers_2_residual, layers_4_cosine_3, layers_4_residual)
// CHECK-NEXT: return end, layers_2_cosine_3
// CHECK-EMPTY:
// CHECK-NEXT: def layer(self, n, x):
// CHECK-NEXT: """One of 3 equal parts of the model."""
// CHECK-NEXT: proj = forge.op.Matmul("", x, self.get_parameter(f"model.layers.{n}.weight")).set_src_layer(f"/layers.{n}/proj")
// CHECK: residual = forge.op.Add("", sigmoid_5, x).set_src_layer(f"/layers.{n}/residual")
// CHECK-NEXT: release(sine_2, tanh_4, sigmoid_5)
// CHECK-NEXT: return cosine_3, residual
func.func @main(%x: tensor<4x8xf32> {forge.onnx_name = "x"} loc("x")) -> (tensor<4x8xf32> {forge.onnx_name = "y"}, tensor<4x8xf32> {forge.onnx_name = "tap"}) {
  %begin = forge.sigmoid %x : tensor<4x8xf32> loc("begin")
  %w1 = forge.parameter "k1" : tensor<8x8xf32> loc("model.layers.1.weight")
  %a1 = forge.matmul %begin, %w1 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("/layers.1/proj")
  %b1_0 = forge.tanh %a1 : tensor<4x8xf32> loc("/layers.1/tanh_0")
  %b1_1 = forge.sigmoid %b1_0 : tensor<4x8xf32> loc("/layers.1/sigmoid_1")
  %b1_2 = forge.sine %b1_1 : tensor<4x8xf32> loc("/layers.1/sine_2")
  %b1_3 = forge.cosine %b1_2 : tensor<4x8xf32> loc("/layers.1/cosine_3")
  %b1_4 = forge.tanh %b1_3 : tensor<4x8xf32> loc("/layers.1/tanh_4")
  %b1_5 = forge.sigmoid %b1_4 : tensor<4x8xf32> loc("/layers.1/sigmoid_5")
  %c1 = forge.add %b1_5, %begin : tensor<4x8xf32> loc("/layers.1/residual")
  %w2 = forge.parameter "k2" : tensor<8x8xf32> loc("model.layers.2.weight")
  %a2 = forge.matmul %c1, %w2 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("/layers.2/proj")
  %b2_0 = forge.tanh %a2 : tensor<4x8xf32> loc("/layers.2/tanh_0")
  %b2_1 = forge.sigmoid %b2_0 : tensor<4x8xf32> loc("/layers.2/sigmoid_1")
  %b2_2 = forge.sine %b2_1 : tensor<4x8xf32> loc("/layers.2/sine_2")
  %b2_3 = forge.cosine %b2_2 : tensor<4x8xf32> loc("/layers.2/cosine_3")
  %b2_4 = forge.tanh %b2_3 : tensor<4x8xf32> loc("/layers.2/tanh_4")
  %b2_5 = forge.sigmoid %b2_4 : tensor<4x8xf32> loc("/layers.2/sigmoid_5")
  %c2 = forge.add %b2_5, %c1 : tensor<4x8xf32> loc("/layers.2/residual")
  %w4 = forge.parameter "k4" : tensor<8x8xf32> loc("model.layers.4.weight")
  %a4 = forge.matmul %c2, %w4 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("/layers.4/proj")
  %b4_0 = forge.tanh %a4 : tensor<4x8xf32> loc("/layers.4/tanh_0")
  %b4_1 = forge.sigmoid %b4_0 : tensor<4x8xf32> loc("/layers.4/sigmoid_1")
  %b4_2 = forge.sine %b4_1 : tensor<4x8xf32> loc("/layers.4/sine_2")
  %b4_3 = forge.cosine %b4_2 : tensor<4x8xf32> loc("/layers.4/cosine_3")
  %b4_4 = forge.tanh %b4_3 : tensor<4x8xf32> loc("/layers.4/tanh_4")
  %b4_5 = forge.sigmoid %b4_4 : tensor<4x8xf32> loc("/layers.4/sigmoid_5")
  %c4 = forge.add %b4_5, %c2 : tensor<4x8xf32> loc("/layers.4/residual")
  %end = forge.exp %c4 : tensor<4x8xf32> loc("end")
  return %end, %b2_3 : tensor<4x8xf32>, tensor<4x8xf32>
}
