// The weights of layers are declared in loops: three or more of one shape in a loop of their own.
// RUN: forge-translate %s --forge-to-python | FileCheck %s
// RUN: forge-translate %s --forge-to-python | %compile

// CHECK: super().__init__(name)
// CHECK-NEXT: {{^        }}for n in range(3):
// CHECK-NEXT: {{^            }}for weight in (f"h.{n}.q", f"h.{n}.k", f"h.{n}.v"):
// CHECK-NEXT: {{^                }}self.add_parameter(weight, forge.Parameter(8, 8, requires_grad=False, dev_data_format=forge.DataFormat.Float32))
// CHECK-NEXT: {{^            }}self.add_parameter(f"h.{n}.a", forge.Parameter(8,
// CHECK-NEXT: {{^            }}self.add_parameter(f"h.{n}.b", forge.Parameter(8,
// CHECK-EMPTY:
// CHECK-NEXT: def forward(self, x):
// CHECK: def h_layer(self, n, x):
// CHECK: to_q = forge.op.Matmul("", x, self.get_parameter(f"h.{n}.q")).set_src_layer(f"/h.{n}/to_q")
func.func @main(%x: tensor<4x8xf32> {forge.onnx_name = "x"} loc("x")) -> (tensor<4x8xf32> {forge.onnx_name = "y"}) {
  %q0 = forge.parameter "q0" : tensor<8x8xf32> loc("h.0.q")
  %a0 = forge.parameter "a0" : tensor<8xf32> loc("h.0.a")
  %k0 = forge.parameter "k0" : tensor<8x8xf32> loc("h.0.k")
  %b0 = forge.parameter "b0" : tensor<8xf32> loc("h.0.b")
  %v0 = forge.parameter "v0" : tensor<8x8xf32> loc("h.0.v")
  %r0 = forge.matmul %x, %q0 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("/h.0/to_q")
  %s0 = forge.add %r0, %a0 : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32> loc("/h.0/add_a")
  %t0 = forge.matmul %s0, %k0 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("/h.0/to_k")
  %u0 = forge.tanh %t0 : tensor<4x8xf32> loc("/h.0/tanh")
  %w0 = forge.sigmoid %u0 : tensor<4x8xf32> loc("/h.0/sigmoid")
  %c0 = forge.sine %w0 : tensor<4x8xf32> loc("/h.0/sine")
  %d0 = forge.cosine %c0 : tensor<4x8xf32> loc("/h.0/cosine")
  %y0 = forge.multiply %d0, %b0 : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32> loc("/h.0/times_b")
  %z0 = forge.matmul %y0, %v0 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("/h.0/end")
  %q1 = forge.parameter "q1" : tensor<8x8xf32> loc("h.1.q")
  %a1 = forge.parameter "a1" : tensor<8xf32> loc("h.1.a")
  %k1 = forge.parameter "k1" : tensor<8x8xf32> loc("h.1.k")
  %b1 = forge.parameter "b1" : tensor<8xf32> loc("h.1.b")
  %v1 = forge.parameter "v1" : tensor<8x8xf32> loc("h.1.v")
  %r1 = forge.matmul %z0, %q1 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("/h.1/to_q")
  %s1 = forge.add %r1, %a1 : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32> loc("/h.1/add_a")
  %t1 = forge.matmul %s1, %k1 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("/h.1/to_k")
  %u1 = forge.tanh %t1 : tensor<4x8xf32> loc("/h.1/tanh")
  %w1 = forge.sigmoid %u1 : tensor<4x8xf32> loc("/h.1/sigmoid")
  %c1 = forge.sine %w1 : tensor<4x8xf32> loc("/h.1/sine")
  %d1 = forge.cosine %c1 : tensor<4x8xf32> loc("/h.1/cosine")
  %y1 = forge.multiply %d1, %b1 : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32> loc("/h.1/times_b")
  %z1 = forge.matmul %y1, %v1 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("/h.1/end")
  %q2 = forge.parameter "q2" : tensor<8x8xf32> loc("h.2.q")
  %a2 = forge.parameter "a2" : tensor<8xf32> loc("h.2.a")
  %k2 = forge.parameter "k2" : tensor<8x8xf32> loc("h.2.k")
  %b2 = forge.parameter "b2" : tensor<8xf32> loc("h.2.b")
  %v2 = forge.parameter "v2" : tensor<8x8xf32> loc("h.2.v")
  %r2 = forge.matmul %z1, %q2 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("/h.2/to_q")
  %s2 = forge.add %r2, %a2 : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32> loc("/h.2/add_a")
  %t2 = forge.matmul %s2, %k2 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("/h.2/to_k")
  %u2 = forge.tanh %t2 : tensor<4x8xf32> loc("/h.2/tanh")
  %w2 = forge.sigmoid %u2 : tensor<4x8xf32> loc("/h.2/sigmoid")
  %c2 = forge.sine %w2 : tensor<4x8xf32> loc("/h.2/sine")
  %d2 = forge.cosine %c2 : tensor<4x8xf32> loc("/h.2/cosine")
  %y2 = forge.multiply %d2, %b2 : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32> loc("/h.2/times_b")
  %z2 = forge.matmul %y2, %v2 : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc("/h.2/end")
  return %z2 : tensor<4x8xf32>
}
