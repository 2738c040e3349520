// Floats are printed such that they read back as the same float32. Integer lists are printed as lists, or as tuples
// where Forge expects them.
// RUN: forge-translate %s --forge-to-python | FileCheck %s
// RUN: forge-translate %s --forge-to-python | %compile

// CHECK-LABEL: def forward(self, x):
func.func @literals(%arg0: tensor<1x2x4x4xf32> loc("x")) -> tensor<1x2x2x2xf32> {
  // The shortest decimal number, always with a point or an exponent.
  // Scalar constants are printed first.
  // CHECK: constant_2_0 = forge.op.Constant("", constant=2.0, dtype=forge.DataFormat.Float32)
  // CHECK-NEXT: leaky_relu = forge.op.LeakyRelu("", x, alpha=1e-05)
  %0 = forge.leaky_relu %arg0 alpha 9.99999974E-6 : tensor<1x2x4x4xf32>
  // CHECK: leaky_relu_1 = forge.op.LeakyRelu("", leaky_relu, alpha=1.0)
  %1 = forge.leaky_relu %0 alpha 1.0 : tensor<1x2x4x4xf32>
  // CHECK: alpha=-0.0)
  %2 = forge.leaky_relu %1 alpha -0.0 : tensor<1x2x4x4xf32>
  // The smallest subnormal number.
  // CHECK: alpha=1e-45)
  %3 = forge.leaky_relu %2 alpha 1.4e-45 : tensor<1x2x4x4xf32>
  // CHECK: alpha=3.4028234663852886e+38)
  %4 = forge.leaky_relu %3 alpha 3.40282347E+38 : tensor<1x2x4x4xf32>
  // CHECK: alpha=float("nan"))
  %5 = forge.leaky_relu %4 alpha 0x7FC00000 : tensor<1x2x4x4xf32>
  // CHECK: min=float("-inf"), max=float("inf"))
  %6 = forge.clip %5 min 0xFF800000 max 0x7F800000 : tensor<1x2x4x4xf32>
  // CHECK: forge.op.Reshape("", {{.*}}, shape=(32,))
  %7 = forge.reshape %6 shape [32] : (tensor<1x2x4x4xf32>) -> tensor<32xf32>
  // CHECK: forge.op.Reshape("", {{.*}}, shape=(1, 2, 4, 4))
  %8 = forge.reshape %7 shape [1, 2, 4, 4] : (tensor<32xf32>) -> tensor<1x2x4x4xf32>
  // CHECK: forge.op.Repeat("", {{.*}}, repeats=[1, 1, 1, 1])
  %9 = forge.repeat %8 repeats [1, 1, 1, 1] : tensor<1x2x4x4xf32>
  %s = forge.scalar_constant constant 2.0 dtype f32 : tensor<1xf32>
  // CHECK: forge.op.Multiply("", {{.*}}, constant_2_0)
  %10 = forge.multiply %9, %s : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  // CHECK: forge.op.Pad("", {{.*}}, pad=(0, 0), mode="constant", value=0.0, channel_last=False)
  %11 = forge.pad %10 pad [0, 0] mode constant value 0.000000e+00 : tensor<1x2x4x4xf32>
  // CHECK: forge.op.MaxPool2d("", {{.*}}, kernel_size=(2, 2), stride=[2, 2], padding=[0, 0, 0, 0], dilation=1, ceil_mode=False, return_indices=False, channel_last=False)
  %12 = forge.max_pool2d %11 kernel_size [2, 2] stride [2, 2] padding [0, 0, 0, 0] : (tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32>
  return %12 : tensor<1x2x2x2xf32>
}
