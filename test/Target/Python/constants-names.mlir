// Constants are named after their values and printed first. A second weight with the same name is `name:1`, so that the
// names in layers stay regular. A name that a value of the model has is used for no other variable.
// RUN: forge-translate %s --forge-to-python | FileCheck %s
// RUN: forge-translate %s --forge-to-python | %compile
// RUN: forge-translate %s --forge-to-manifest | FileCheck %s --check-prefix=MANIFEST

// CHECK: self.add_parameter("w", forge.Parameter(4,
// CHECK-NEXT: self.add_parameter("w:1", forge.Parameter(2, 4,
// CHECK-NEXT: self.add_parameter("w:2", forge.Parameter(1,
// CHECK-NEXT: self.add_parameter("v:1", forge.Parameter(4,
// CHECK-NEXT: self.add_parameter("v", forge.Parameter(4,
// CHECK-NEXT: self.add_parameter("v:1_1", forge.Parameter(4,
// CHECK: def forward(self, x, n, h):
// CHECK-NEXT: constant_0_5 = forge.op.Constant("", constant=0.5, dtype=forge.DataFormat.Float32)
// CHECK-NEXT: constant_minus_1 = forge.op.Constant("", constant=-1.0, dtype=forge.DataFormat.Int32)
// CHECK-NEXT: constant_minus_1_0 = forge.op.Constant("", constant=-1.0, dtype=forge.DataFormat.Float32)
// CHECK-NEXT: constant_0_5_1 = forge.op.Constant("", constant=0.5, dtype=forge.DataFormat.Float16)
// CHECK-NEXT: constant_infinity = forge.op.Constant("", constant=float("inf"), dtype=forge.DataFormat.Float32)
// CHECK-NEXT: a = forge.op.Add("", x, self.get_parameter("w")).set_src_layer("a")

// MANIFEST: "name": "w:1",
// MANIFEST-NEXT: "onnx_name": "w",
// MANIFEST: "name": "v:1_1",
// MANIFEST-NEXT: "onnx_name": "v",
func.func @main(%x: tensor<2x4xf32> {forge.onnx_name = "x"} loc("x"), %n: tensor<2xi32> loc("n"), %h: tensor<2xf16> loc("h"))
    -> (tensor<2x4xf32>, tensor<2xi32>, tensor<2xf16>) {
  %w = forge.parameter "k0" : tensor<4xf32> loc("w")
  %w1 = forge.parameter "k1" : tensor<2x4xf32> loc("w")
  %w2 = forge.parameter "k2" : tensor<1xf32> loc("w")
  %v1 = forge.parameter "k3" : tensor<4xf32> loc("v:1")
  %v = forge.parameter "k4" : tensor<4xf32> loc("v")
  %v2 = forge.parameter "k5" : tensor<4xf32> loc("v")
  %0 = forge.add %x, %w : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32> loc("a")
  %1 = forge.add %0, %w1 : tensor<2x4xf32> loc("b")
  %2 = forge.add %1, %w2 : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32> loc("c")
  %3 = forge.add %2, %v1 : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32> loc("d")
  %4 = forge.add %3, %v : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32> loc("e")
  %half = forge.scalar_constant constant 0.5 dtype f32 : () -> tensor<1xf32> loc("e")
  %5 = forge.add %4, %v2 : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32> loc("f")
  %6 = forge.multiply %5, %half : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32> loc("g")
  %integer = forge.scalar_constant constant -1.0 dtype i32 : () -> tensor<1xi32> loc("i")
  %7 = forge.multiply %n, %integer : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32> loc("j")
  %minus = forge.scalar_constant constant -1.0 dtype f32 : () -> tensor<1xf32> loc("k")
  %8 = forge.multiply %6, %minus : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32> loc("l")
  %narrow = forge.scalar_constant constant 0.5 dtype f16 : () -> tensor<1xf16> loc("m")
  %9 = forge.multiply %h, %narrow : (tensor<2xf16>, tensor<1xf16>) -> tensor<2xf16> loc("o")
  %infinity = forge.scalar_constant constant 0x7F800000 dtype f32 : () -> tensor<1xf32> loc("p")
  %10 = forge.min %8, %infinity : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32> loc("q")
  return %10, %7, %9 : tensor<2x4xf32>, tensor<2xi32>, tensor<2xf16>
}
