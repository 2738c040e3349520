// The exporter numbers nodes only from the second on, and the first layer has an additional node: its names still match
// those of the other layers, and the layers become a loop. Variables have no prefix "node_" of torch's exporter.
// RUN: forge-translate %s --forge-to-python | FileCheck %s
// RUN: forge-translate %s --forge-to-python | %compile

// CHECK: for n in range(4):
// CHECK-NEXT: self.add_parameter(f"val_{7 * n + 13}" if n else "val_10", forge.Parameter(8, 8,
// CHECK: def forward(self, x):
// CHECK-NEXT: x_1 = self.layer(0, x)
// CHECK-NEXT: for n in range(1, 4):
// CHECK-NEXT: x_1 = self.layer(n, x_1)
// CHECK: def layer(self, n, x):
// CHECK: linear = forge.op.Matmul("", x, self.get_parameter(f"val_{7 * n + 13}" if n else "val_10")).set_src_layer(f"node_linear_{n}" if n else "node_linear")
// CHECK: tanh = forge.op.Tanh("", linear).set_src_layer(f"node_tanh_{n}" if n else "node_tanh")
// CHECK: set_src_layer(f"node_sigmoid_{2 * n + 1}")
// CHECK: set_src_layer(f"node_cos_{7 * n + 13}" if n else "node_cos_10")
// CHECK: set_src_layer(f"node_add_{n + 4}")
func.func @main(%x: tensor<4x8xf32> loc("x")) -> tensor<4x8xf32> {
  %w0 = forge.parameter "k0" : tensor<8x8xf32> loc("val_10")
  %a0 = forge.matmul %x, %w0 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("node_linear")
  %b0 = forge.tanh %a0 : tensor<4x8xf32> loc("node_tanh")
  %c0 = forge.sigmoid %b0 : tensor<4x8xf32> loc("node_sigmoid_1")
  %d0 = forge.sine %c0 : tensor<4x8xf32> loc("node_sin")
  %e0 = forge.cosine %d0 : tensor<4x8xf32> loc("node_cos_10")
  %h0 = forge.add %e0, %x : tensor<4x8xf32> loc("node_add_4")
  %w1 = forge.parameter "k1" : tensor<8x8xf32> loc("val_20")
  %a1 = forge.matmul %h0, %w1 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("node_linear_1")
  %b1 = forge.tanh %a1 : tensor<4x8xf32> loc("node_tanh_1")
  %c1 = forge.sigmoid %b1 : tensor<4x8xf32> loc("node_sigmoid_3")
  %d1 = forge.sine %c1 : tensor<4x8xf32> loc("node_sin_1")
  %e1 = forge.cosine %d1 : tensor<4x8xf32> loc("node_cos_20")
  %h1 = forge.add %e1, %h0 : tensor<4x8xf32> loc("node_add_5")
  %w2 = forge.parameter "k2" : tensor<8x8xf32> loc("val_27")
  %a2 = forge.matmul %h1, %w2 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("node_linear_2")
  %b2 = forge.tanh %a2 : tensor<4x8xf32> loc("node_tanh_2")
  %c2 = forge.sigmoid %b2 : tensor<4x8xf32> loc("node_sigmoid_5")
  %d2 = forge.sine %c2 : tensor<4x8xf32> loc("node_sin_2")
  %e2 = forge.cosine %d2 : tensor<4x8xf32> loc("node_cos_27")
  %h2 = forge.add %e2, %h1 : tensor<4x8xf32> loc("node_add_6")
  %w3 = forge.parameter "k3" : tensor<8x8xf32> loc("val_34")
  %a3 = forge.matmul %h2, %w3 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("node_linear_3")
  %b3 = forge.tanh %a3 : tensor<4x8xf32> loc("node_tanh_3")
  %c3 = forge.sigmoid %b3 : tensor<4x8xf32> loc("node_sigmoid_7")
  %d3 = forge.sine %c3 : tensor<4x8xf32> loc("node_sin_3")
  %e3 = forge.cosine %d3 : tensor<4x8xf32> loc("node_cos_34")
  %h3 = forge.add %e3, %h2 : tensor<4x8xf32> loc("node_add_7")
  return %h3 : tensor<4x8xf32>
}
