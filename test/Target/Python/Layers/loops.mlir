// Layers that each use the result of the previous one become a loop. The first layer uses an input, which keeps its
// name.
// RUN: forge-translate %s --forge-to-python | FileCheck %s
// RUN: forge-translate %s --forge-to-python | %compile

// CHECK: for n in range(4):
// CHECK-NEXT: {{^            }}self.add_parameter(f"h.{n}.weight", forge.Parameter(8, 8,
// CHECK: def forward(self, x):
// CHECK-NEXT: {{^        }}x_1 = self.h_layer(0, x)
// CHECK-NEXT: {{^        }}for n in range(1, 4):
// CHECK-NEXT: {{^            }}x_1 = self.h_layer(n, x_1)
// CHECK-NEXT: {{^        }}end = forge.op.Exp("", x_1).set_src_layer("end")
// CHECK-NEXT: {{^        }}release(x_1)
// CHECK-NEXT: {{^        }}return end
// CHECK: def h_layer(self, n, x):
// CHECK: return residual
func.func @main(%x: tensor<4x8xf32> {forge.onnx_name = "x"} loc("x")) -> (tensor<4x8xf32> {forge.onnx_name = "y"}) {
  %w0 = forge.parameter "k0" : tensor<8x8xf32> loc("h.0.weight")
  %a0 = forge.matmul %x, %w0 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("/h.0/proj")
  %b0_0 = forge.tanh %a0 : tensor<4x8xf32> loc("/h.0/tanh_0")
  %b0_1 = forge.sigmoid %b0_0 : tensor<4x8xf32> loc("/h.0/sigmoid_1")
  %b0_2 = forge.sine %b0_1 : tensor<4x8xf32> loc("/h.0/sine_2")
  %b0_3 = forge.cosine %b0_2 : tensor<4x8xf32> loc("/h.0/cosine_3")
  %b0_4 = forge.tanh %b0_3 : tensor<4x8xf32> loc("/h.0/tanh_4")
  %b0_5 = forge.sigmoid %b0_4 : tensor<4x8xf32> loc("/h.0/sigmoid_5")
  %c0 = forge.add %b0_5, %x : tensor<4x8xf32> loc("/h.0/residual")
  %w1 = forge.parameter "k1" : tensor<8x8xf32> loc("h.1.weight")
  %a1 = forge.matmul %c0, %w1 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("/h.1/proj")
  %b1_0 = forge.tanh %a1 : tensor<4x8xf32> loc("/h.1/tanh_0")
  %b1_1 = forge.sigmoid %b1_0 : tensor<4x8xf32> loc("/h.1/sigmoid_1")
  %b1_2 = forge.sine %b1_1 : tensor<4x8xf32> loc("/h.1/sine_2")
  %b1_3 = forge.cosine %b1_2 : tensor<4x8xf32> loc("/h.1/cosine_3")
  %b1_4 = forge.tanh %b1_3 : tensor<4x8xf32> loc("/h.1/tanh_4")
  %b1_5 = forge.sigmoid %b1_4 : tensor<4x8xf32> loc("/h.1/sigmoid_5")
  %c1 = forge.add %b1_5, %c0 : tensor<4x8xf32> loc("/h.1/residual")
  %w2 = forge.parameter "k2" : tensor<8x8xf32> loc("h.2.weight")
  %a2 = forge.matmul %c1, %w2 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("/h.2/proj")
  %b2_0 = forge.tanh %a2 : tensor<4x8xf32> loc("/h.2/tanh_0")
  %b2_1 = forge.sigmoid %b2_0 : tensor<4x8xf32> loc("/h.2/sigmoid_1")
  %b2_2 = forge.sine %b2_1 : tensor<4x8xf32> loc("/h.2/sine_2")
  %b2_3 = forge.cosine %b2_2 : tensor<4x8xf32> loc("/h.2/cosine_3")
  %b2_4 = forge.tanh %b2_3 : tensor<4x8xf32> loc("/h.2/tanh_4")
  %b2_5 = forge.sigmoid %b2_4 : tensor<4x8xf32> loc("/h.2/sigmoid_5")
  %c2 = forge.add %b2_5, %c1 : tensor<4x8xf32> loc("/h.2/residual")
  %w3 = forge.parameter "k3" : tensor<8x8xf32> loc("h.3.weight")
  %a3 = forge.matmul %c2, %w3 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("/h.3/proj")
  %b3_0 = forge.tanh %a3 : tensor<4x8xf32> loc("/h.3/tanh_0")
  %b3_1 = forge.sigmoid %b3_0 : tensor<4x8xf32> loc("/h.3/sigmoid_1")
  %b3_2 = forge.sine %b3_1 : tensor<4x8xf32> loc("/h.3/sine_2")
  %b3_3 = forge.cosine %b3_2 : tensor<4x8xf32> loc("/h.3/cosine_3")
  %b3_4 = forge.tanh %b3_3 : tensor<4x8xf32> loc("/h.3/tanh_4")
  %b3_5 = forge.sigmoid %b3_4 : tensor<4x8xf32> loc("/h.3/sigmoid_5")
  %c3 = forge.add %b3_5, %c2 : tensor<4x8xf32> loc("/h.3/residual")
  %end = forge.exp %c3 : tensor<4x8xf32> loc("end")
  return %end : tensor<4x8xf32>
}
