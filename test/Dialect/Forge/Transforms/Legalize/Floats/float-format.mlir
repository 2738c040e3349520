// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-float-format{float-format=bfloat16}))' | FileCheck %s
// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-float-format{float-format=bfloat16 keep-float32=forge.matmul}))' | FileCheck %s --check-prefix=KEEP
// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-float-format{float-format=bfloat16 native-outputs=true}))' | FileCheck %s --check-prefix=NATIVE
// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-float-format))' | FileCheck %s --check-prefix=NONE

// NONE-NOT: bf16

// Weights are stored in the format. An input that is only used in the format has its type. A constant beyond the
// largest number of the format becomes that number.
// CHECK-LABEL: func.func @product(
// CHECK-SAME: %arg0: tensor<2x3xbf16>
// CHECK-DAG: forge.parameter "w" : tensor<3x4xbf16>
// CHECK-DAG: forge.scalar_constant constant -3.38953139E+38 dtype bf16
// CHECK-NOT: forge.cast
// CHECK: forge.matmul {{.*}} -> tensor<2x4xbf16>
// CHECK: forge.add {{.*}} -> tensor<2x4xbf16>
// CHECK: forge.cast {{.*}} dtype f32 : (tensor<2x4xbf16>) -> tensor<2x4xf32>
// KEEP-LABEL: func.func @product(
// KEEP: forge.matmul {{.*}} -> tensor<2x4xf32>
// KEEP: forge.add {{.*}} -> tensor<2x4xbf16>
// NATIVE-LABEL: func.func @product(
// NATIVE-SAME: -> tensor<2x4xbf16>
func.func @product(%x: tensor<2x3xf32>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<3x4xf32>
  %lowest = forge.scalar_constant constant -3.40282347E+38 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = forge.add %0, %lowest : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// Arithmetic on weights is computed in f32 and rounded last. Finite numbers stay finite.
// CHECK-LABEL: func.func @computed_weight(
// CHECK: forge.parameter "w" : tensor<3x4xf32>
// CHECK: forge.multiply {{.*}} -> tensor<3x4xf32>
// CHECK: forge.cast {{.*}} dtype bf16 {forge.saturates} : (tensor<3x4xf32>) -> tensor<3x4xbf16>
// CHECK: forge.matmul {{.*}} : (tensor<2x3xf32>, tensor<3x4xbf16>) -> tensor<2x4xf32>
func.func @computed_weight(%x: tensor<2x3xf32>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<3x4xf32>
  %s = forge.parameter "s" : tensor<4xf32>
  %0 = forge.multiply %w, %s : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %1 = forge.matmul %x, %0 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// Positions are integers of any size: they and their angles are computed in f32, the result of the cosine is cast.
// CHECK-LABEL: func.func @positions(
// CHECK: forge.cast %arg0 dtype f32 : (tensor<4xi32>) -> tensor<4xf32>
// CHECK: forge.multiply {{.*}} : {{.*}}xf32>
// CHECK: forge.cosine {{.*}} : tensor<4xf32>
// CHECK: forge.cast {{.*}} dtype bf16 : (tensor<4xf32>) -> tensor<4xbf16>
// CHECK: forge.add {{.*}} : tensor<4xbf16>
func.func @positions(%ids: tensor<4xi32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %f = forge.scalar_constant constant 0.3 dtype f32 : tensor<1xf32>
  %0 = forge.cast %ids dtype f32 : (tensor<4xi32>) -> tensor<4xf32>
  %1 = forge.multiply %0, %f : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %2 = forge.cosine %1 : tensor<4xf32>
  %3 = forge.add %2, %y : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// A float that is cast to an index is computed in f32, from the input in its declared type.
// CHECK-LABEL: func.func @index(
// CHECK: forge.multiply %arg0, {{.*}} -> tensor<4xf32>
// CHECK: forge.cast {{.*}} dtype i32
func.func @index(%x: tensor<4xf32>) -> tensor<4xi32> {
  %f = forge.scalar_constant constant 640.0 dtype f32 : tensor<1xf32>
  %0 = forge.multiply %x, %f : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %1 = forge.cast %0 dtype i32 : (tensor<4xf32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}

// x + 12582912 - 12582912 rounds to integers in f32 only.
// CHECK-LABEL: func.func @rounding(
// CHECK: forge.add {{.*}} -> tensor<4xf32>
// CHECK: forge.subtract {{.*}} -> tensor<4xf32>
func.func @rounding(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = forge.scalar_constant constant 12582912.0 dtype f32 : tensor<1xf32>
  %0 = forge.add %x, %c : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %1 = forge.subtract %0, %c : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// The sum of an integer and an input is computed in f32.
// CHECK-LABEL: func.func @integer_plus_input(
// CHECK: forge.add {{.*}} : tensor<4xf32>
func.func @integer_plus_input(%ids: tensor<4xi32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = forge.cast %ids dtype f32 : (tensor<4xi32>) -> tensor<4xf32>
  %1 = forge.add %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// A recurrent layer, from the product of the first step and the recurrent weight to the concatenated states, is
// computed in f32. Its weight is stored and read in bf16. The locations contain no node name.
// CHECK-LABEL: func.func @recurrence(
// CHECK: [[R:%.*]] = forge.parameter "r" : tensor<4x4xbf16>
// CHECK-COUNT-2: forge.matmul {{.*}}, [[R]] : (tensor<2x4xf32>, tensor<4x4xbf16>) -> tensor<2x4xf32>
// CHECK: forge.tanh {{.*}} : tensor<2x4xf32>
// CHECK: forge.concatenate {{.*}} -> tensor<4x4xf32>
// CHECK: forge.exp {{.*}} : tensor<4x4xbf16>
func.func @recurrence(%x: tensor<2x4xf32>) -> tensor<4x4xf32> {
  %r = forge.parameter "r" : tensor<4x4xf32>
  %0 = forge.matmul %x, %r : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %1 = forge.tanh %0 : tensor<2x4xf32>
  %2 = forge.matmul %1, %r : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %3 = forge.tanh %2 : tensor<2x4xf32>
  %4 = forge.concatenate %1, %3 axis 0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %5 = forge.exp %4 : tensor<4x4xf32>
  return %5 : tensor<4x4xf32>
}

// So is one whose weight is so small that it is a constant. A splat is the weight of a mean, and not recurrent.
// CHECK-LABEL: func.func @small_recurrence(
// CHECK: [[R:%.*]] = forge.constant dense<{{.*}}> : tensor<2x2xbf16>
// CHECK: forge.matmul {{.*}}, [[R]] : (tensor<2x2xf32>, tensor<2x2xbf16>) -> tensor<2x2xf32>
// CHECK: forge.tanh {{.*}} : tensor<2x2xf32>
// CHECK: forge.matmul {{.*}}, [[R]] : (tensor<2x2xf32>, tensor<2x2xbf16>) -> tensor<2x2xf32>
func.func @small_recurrence(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %r = forge.constant dense<[[0.1, 0.2], [0.3, 0.4]]> : tensor<2x2xf32>
  %0 = forge.matmul %x, %r : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = forge.tanh %0 : tensor<2x2xf32>
  %2 = forge.matmul %1, %r : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = forge.tanh %2 : tensor<2x2xf32>
  return %3 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @means(
// CHECK: forge.matmul {{.*}} -> tensor<2x2xbf16>
// CHECK: forge.tanh {{.*}} : tensor<2x2xbf16>
func.func @means(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %r = forge.constant dense<0.5> : tensor<2x2xf32>
  %0 = forge.matmul %x, %r : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = forge.tanh %0 : tensor<2x2xf32>
  %2 = forge.matmul %1, %r : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = forge.tanh %2 : tensor<2x2xf32>
  return %3 : tensor<2x2xf32>
}

// Layers that share a weight are not recurrent, because a norm or a softmax is between them.
// CHECK-LABEL: func.func @shared_layers(
// CHECK: forge.parameter "w" : tensor<4x4xbf16>
// CHECK: forge.matmul {{.*}} -> tensor<2x4xbf16>
// CHECK: forge.softmax {{.*}} : tensor<2x4xbf16>
// CHECK: forge.matmul {{.*}} : (tensor<2x4xf32>, tensor<4x4xbf16>) -> tensor<2x4xf32>
func.func @shared_layers(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<4x4xf32>
  %0 = forge.matmul %x, %w : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %1 = forge.softmax %0 dim -1 : tensor<2x4xf32>
  %2 = forge.matmul %1, %w : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// A sum with several users, one of them the next sum, is in f32; the value that is added to it stays in bf16. The first
// sum is in f32 through the bias of one of its products alone.
// CHECK-LABEL: func.func @running_sum(
// CHECK: [[BIAS:%.*]] = forge.parameter "bias" : tensor<4xf32>
// CHECK: [[FIRST:%.*]] = forge.matmul {{.*}} : (tensor<2x4xbf16>, tensor<4x4xbf16>) -> tensor<2x4xbf16>
// CHECK: [[WIDE:%.*]] = forge.matmul [[FIRST]], {{.*}}, [[BIAS]] : (tensor<2x4xbf16>, tensor<4x4xbf16>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK: [[SUM:%.*]] = forge.add [[FIRST]], [[WIDE]] : (tensor<2x4xbf16>, tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK: forge.matmul {{.*}} : (tensor<2x4xbf16>, tensor<4x4xbf16>, tensor<4xbf16>) -> tensor<2x4xbf16>
// CHECK: forge.add [[SUM]], {{.*}} : (tensor<2x4xf32>, tensor<2x4xbf16>) -> tensor<2x4xf32>
func.func @running_sum(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %a = forge.parameter "a" : tensor<4x4xf32>
  %b = forge.parameter "b" : tensor<4x4xf32>
  %c = forge.parameter "c" : tensor<4x4xf32>
  %bias = forge.parameter "bias" : tensor<4xf32>
  %other = forge.parameter "other" : tensor<4xf32>
  %0 = forge.matmul %x, %a : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %1 = forge.matmul %0, %b, %bias : (tensor<2x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %2 = forge.add %0, %1 : tensor<2x4xf32>
  %3 = forge.matmul %2, %c, %other : (tensor<2x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %4 = forge.add %2, %3 : tensor<2x4xf32>
  return %4 : tensor<2x4xf32>
}

// The device's compiler uses a residual as the bias of a product that has none, and gives the sum the type of the
// product. Such a sum is in bf16, and so are the sums that it is added to.
// CHECK-LABEL: func.func @residual_as_bias(
// CHECK: [[SUM:%.*]] = forge.add {{.*}} : tensor<2x4xbf16>
// CHECK: [[NEXT:%.*]] = forge.matmul {{.*}}, [[SUM]] : (tensor<2x4xbf16>, tensor<4x4xbf16>, tensor<2x4xbf16>) -> tensor<2x4xbf16>
// CHECK: forge.add [[NEXT]], {{.*}} : tensor<2x4xbf16>
func.func @residual_as_bias(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %a = forge.parameter "a" : tensor<4x4xf32>
  %0 = forge.exp %x : tensor<2x4xf32>
  %1 = forge.tanh %0 : tensor<2x4xf32>
  %2 = forge.add %0, %1 : tensor<2x4xf32>
  %3 = forge.tanh %2 : tensor<2x4xf32>
  %4 = forge.matmul %3, %a, %2 : (tensor<2x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %5 = forge.tanh %4 : tensor<2x4xf32>
  %6 = forge.add %4, %5 : tensor<2x4xf32>
  return %6 : tensor<2x4xf32>
}

// A residual sum that is added in such a sum is in bf16, and so is the next residual sum: both would need casts.
// CHECK-LABEL: func.func @before_fused_sum(
// CHECK-NOT: forge.cast
// CHECK: [[SUM:%.*]] = forge.add {{.*}} : tensor<2x4xbf16>
// CHECK: forge.add {{.*}}, [[SUM]] : tensor<2x4xbf16>
// CHECK: [[LAST:%.*]] = forge.add [[SUM]], {{.*}} : tensor<2x4xbf16>
// CHECK: forge.cast [[LAST]] dtype f32
func.func @before_fused_sum(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<4x4xf32>
  %0 = forge.exp %x : tensor<2x4xf32>
  %1 = forge.tanh %0 : tensor<2x4xf32>
  %2 = forge.add %0, %1 : tensor<2x4xf32>
  %3 = forge.sigmoid %2 : tensor<2x4xf32>
  %4 = forge.matmul %3, %w : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %5 = forge.add %4, %2 : tensor<2x4xf32>
  %6 = forge.tanh %5 : tensor<2x4xf32>
  %7 = forge.add %2, %6 : tensor<2x4xf32>
  return %7 : tensor<2x4xf32>
}

// A residual sum of such a sum is in bf16, and so is the next residual sum.
// CHECK-LABEL: func.func @after_fused_sum(
// CHECK-NOT: forge.cast
// CHECK: [[FUSED:%.*]] = forge.add {{.*}} : tensor<2x4xbf16>
// CHECK: [[SUM:%.*]] = forge.add [[FUSED]], {{.*}} : tensor<2x4xbf16>
// CHECK: [[LAST:%.*]] = forge.add [[SUM]], {{.*}} : tensor<2x4xbf16>
// CHECK: forge.cast [[LAST]] dtype f32
func.func @after_fused_sum(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<4x4xf32>
  %0 = forge.exp %x : tensor<2x4xf32>
  %1 = forge.matmul %0, %w : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %2 = forge.add %1, %0 : tensor<2x4xf32>
  %3 = forge.tanh %2 : tensor<2x4xf32>
  %4 = forge.add %2, %3 : tensor<2x4xf32>
  %5 = forge.sigmoid %4 : tensor<2x4xf32>
  %6 = forge.add %4, %5 : tensor<2x4xf32>
  return %6 : tensor<2x4xf32>
}

// Residual sums are not in f32 between convolutions, whose operands must have one type.
// CHECK-LABEL: func.func @convolved_sum(
// CHECK: [[SUM:%.*]] = forge.add {{.*}} : tensor<1x2x4x4xbf16>
// CHECK: forge.conv2d {{.*}} -> tensor<1x2x4x4xbf16>
// CHECK: forge.add [[SUM]], {{.*}} : tensor<1x2x4x4xbf16>
func.func @convolved_sum(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = forge.parameter "w" : tensor<2x2x1x1xf32>
  %0 = forge.exp %x : tensor<1x2x4x4xf32>
  %1 = forge.tanh %0 : tensor<1x2x4x4xf32>
  %2 = forge.add %0, %1 : tensor<1x2x4x4xf32>
  %3 = forge.reshape %2 shape [1, 2, 4, 4] : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %4 = forge.conv2d %3, %w stride [1, 1] padding [0, 0, 0, 0] dilation [1, 1] groups 1 : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %5 = forge.add %2, %4 : tensor<1x2x4x4xf32>
  return %5 : tensor<1x2x4x4xf32>
}

// Movement of a sum is followed in linear time, although many paths lead through it.
// CHECK-LABEL: func.func @doubled(
// CHECK: [[SUM:%.*]] = forge.add {{.*}} -> tensor<1x4xf32>
// CHECK: forge.add [[SUM]], {{.*}} -> tensor<1x4xf32>
func.func @doubled(%x: tensor<1x4xf32>) -> (tensor<1x4xf32>, tensor<1099511627776x4xf32>) {
  %a = forge.parameter "a" : tensor<4x4xf32>
  %bias = forge.parameter "bias" : tensor<4xf32>
  %e = forge.exp %x : tensor<1x4xf32>
  %p = forge.matmul %e, %a, %bias : (tensor<1x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<1x4xf32>
  %0 = forge.add %e, %p : tensor<1x4xf32>
  %next = forge.add %0, %e : tensor<1x4xf32>
  %1 = forge.concatenate %0, %0 axis 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  %2 = forge.concatenate %1, %1 axis 0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %3 = forge.concatenate %2, %2 axis 0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %4 = forge.concatenate %3, %3 axis 0 : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  %5 = forge.concatenate %4, %4 axis 0 : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<32x4xf32>
  %6 = forge.concatenate %5, %5 axis 0 : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<64x4xf32>
  %7 = forge.concatenate %6, %6 axis 0 : (tensor<64x4xf32>, tensor<64x4xf32>) -> tensor<128x4xf32>
  %8 = forge.concatenate %7, %7 axis 0 : (tensor<128x4xf32>, tensor<128x4xf32>) -> tensor<256x4xf32>
  %9 = forge.concatenate %8, %8 axis 0 : (tensor<256x4xf32>, tensor<256x4xf32>) -> tensor<512x4xf32>
  %10 = forge.concatenate %9, %9 axis 0 : (tensor<512x4xf32>, tensor<512x4xf32>) -> tensor<1024x4xf32>
  %11 = forge.concatenate %10, %10 axis 0 : (tensor<1024x4xf32>, tensor<1024x4xf32>) -> tensor<2048x4xf32>
  %12 = forge.concatenate %11, %11 axis 0 : (tensor<2048x4xf32>, tensor<2048x4xf32>) -> tensor<4096x4xf32>
  %13 = forge.concatenate %12, %12 axis 0 : (tensor<4096x4xf32>, tensor<4096x4xf32>) -> tensor<8192x4xf32>
  %14 = forge.concatenate %13, %13 axis 0 : (tensor<8192x4xf32>, tensor<8192x4xf32>) -> tensor<16384x4xf32>
  %15 = forge.concatenate %14, %14 axis 0 : (tensor<16384x4xf32>, tensor<16384x4xf32>) -> tensor<32768x4xf32>
  %16 = forge.concatenate %15, %15 axis 0 : (tensor<32768x4xf32>, tensor<32768x4xf32>) -> tensor<65536x4xf32>
  %17 = forge.concatenate %16, %16 axis 0 : (tensor<65536x4xf32>, tensor<65536x4xf32>) -> tensor<131072x4xf32>
  %18 = forge.concatenate %17, %17 axis 0 : (tensor<131072x4xf32>, tensor<131072x4xf32>) -> tensor<262144x4xf32>
  %19 = forge.concatenate %18, %18 axis 0 : (tensor<262144x4xf32>, tensor<262144x4xf32>) -> tensor<524288x4xf32>
  %20 = forge.concatenate %19, %19 axis 0 : (tensor<524288x4xf32>, tensor<524288x4xf32>) -> tensor<1048576x4xf32>
  %21 = forge.concatenate %20, %20 axis 0 : (tensor<1048576x4xf32>, tensor<1048576x4xf32>) -> tensor<2097152x4xf32>
  %22 = forge.concatenate %21, %21 axis 0 : (tensor<2097152x4xf32>, tensor<2097152x4xf32>) -> tensor<4194304x4xf32>
  %23 = forge.concatenate %22, %22 axis 0 : (tensor<4194304x4xf32>, tensor<4194304x4xf32>) -> tensor<8388608x4xf32>
  %24 = forge.concatenate %23, %23 axis 0 : (tensor<8388608x4xf32>, tensor<8388608x4xf32>) -> tensor<16777216x4xf32>
  %25 = forge.concatenate %24, %24 axis 0 : (tensor<16777216x4xf32>, tensor<16777216x4xf32>) -> tensor<33554432x4xf32>
  %26 = forge.concatenate %25, %25 axis 0 : (tensor<33554432x4xf32>, tensor<33554432x4xf32>) -> tensor<67108864x4xf32>
  %27 = forge.concatenate %26, %26 axis 0 : (tensor<67108864x4xf32>, tensor<67108864x4xf32>) -> tensor<134217728x4xf32>
  %28 = forge.concatenate %27, %27 axis 0 : (tensor<134217728x4xf32>, tensor<134217728x4xf32>) -> tensor<268435456x4xf32>
  %29 = forge.concatenate %28, %28 axis 0 : (tensor<268435456x4xf32>, tensor<268435456x4xf32>) -> tensor<536870912x4xf32>
  %30 = forge.concatenate %29, %29 axis 0 : (tensor<536870912x4xf32>, tensor<536870912x4xf32>) -> tensor<1073741824x4xf32>
  %31 = forge.concatenate %30, %30 axis 0 : (tensor<1073741824x4xf32>, tensor<1073741824x4xf32>) -> tensor<2147483648x4xf32>
  %32 = forge.concatenate %31, %31 axis 0 : (tensor<2147483648x4xf32>, tensor<2147483648x4xf32>) -> tensor<4294967296x4xf32>
  %33 = forge.concatenate %32, %32 axis 0 : (tensor<4294967296x4xf32>, tensor<4294967296x4xf32>) -> tensor<8589934592x4xf32>
  %34 = forge.concatenate %33, %33 axis 0 : (tensor<8589934592x4xf32>, tensor<8589934592x4xf32>) -> tensor<17179869184x4xf32>
  %35 = forge.concatenate %34, %34 axis 0 : (tensor<17179869184x4xf32>, tensor<17179869184x4xf32>) -> tensor<34359738368x4xf32>
  %36 = forge.concatenate %35, %35 axis 0 : (tensor<34359738368x4xf32>, tensor<34359738368x4xf32>) -> tensor<68719476736x4xf32>
  %37 = forge.concatenate %36, %36 axis 0 : (tensor<68719476736x4xf32>, tensor<68719476736x4xf32>) -> tensor<137438953472x4xf32>
  %38 = forge.concatenate %37, %37 axis 0 : (tensor<137438953472x4xf32>, tensor<137438953472x4xf32>) -> tensor<274877906944x4xf32>
  %39 = forge.concatenate %38, %38 axis 0 : (tensor<274877906944x4xf32>, tensor<274877906944x4xf32>) -> tensor<549755813888x4xf32>
  %40 = forge.concatenate %39, %39 axis 0 : (tensor<549755813888x4xf32>, tensor<549755813888x4xf32>) -> tensor<1099511627776x4xf32>
  return %next, %40 : tensor<1x4xf32>, tensor<1099511627776x4xf32>
}

// The bias that makes the first sum f32 may have rank 0.
// CHECK-LABEL: func.func @bias_of_rank_0(
// CHECK: forge.matmul {{.*}} : (tensor<2x4xbf16>, tensor<4x4xbf16>, tensor<f32>) -> tensor<2x4xf32>
// CHECK: forge.add {{.*}} : (tensor<2x4xbf16>, tensor<2x4xf32>) -> tensor<2x4xf32>
func.func @bias_of_rank_0(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %a = forge.parameter "a" : tensor<4x4xf32>
  %bias = forge.parameter "bias" : tensor<f32>
  %0 = forge.exp %x : tensor<2x4xf32>
  %1 = forge.matmul %0, %a, %bias : (tensor<2x4xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %2 = forge.add %0, %1 : tensor<2x4xf32>
  %3 = forge.exp %2 : tensor<2x4xf32>
  %4 = forge.add %2, %3 : tensor<2x4xf32>
  return %4 : tensor<2x4xf32>
}

// A norm of a sum in bf16, whose mean is a product with a constant: the square is in bf16, and the f32 constant makes
// the mean f32 without a cast.
// CHECK-LABEL: func.func @norm(
// CHECK: [[SUM:%.*]] = forge.matmul {{.*}} : (tensor<2x4xbf16>, tensor<4x4xbf16>, tensor<2x4xbf16>) -> tensor<2x4xbf16>
// CHECK: [[SQUARE:%.*]] = forge.multiply [[SUM]], [[SUM]] : tensor<2x4xbf16>
// CHECK: [[ROOT:%.*]] = forge.matmul [[SQUARE]], {{.*}} : (tensor<2x4xbf16>, tensor<4x1xf32>, tensor<1xf32>) -> tensor<2x1xf32>
// CHECK: forge.sqrt {{.*}} : tensor<2x1xf32>
// CHECK: [[NORM:%.*]] = forge.divide [[SUM]], {{.*}} : (tensor<2x4xbf16>, tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK: [[CAST:%.*]] = forge.cast [[NORM]] dtype bf16
// CHECK: forge.exp [[CAST]] : tensor<2x4xbf16>
func.func @norm(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<4x4xf32>
  %mean = forge.constant dense<0.25> : tensor<4x1xf32>
  %e = forge.scalar_constant constant 1.0e-5 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w, %y : (tensor<2x4xf32>, tensor<4x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = forge.multiply %0, %0 : tensor<2x4xf32>
  %2 = forge.matmul %1, %mean, %e : (tensor<2x4xf32>, tensor<4x1xf32>, tensor<1xf32>) -> tensor<2x1xf32>
  %3 = forge.sqrt %2 : tensor<2x1xf32>
  %4 = forge.divide %0, %3 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %5 = forge.exp %4 : tensor<2x4xf32>
  return %5 : tensor<2x4xf32>
}

// A norm after a residual sum that a product and the next sum read: both read one cast of it, and the next sum is f32
// through the bias of its product. With another user, here an output, the sum reads the norm in f32.
// CHECK-LABEL: func.func @norm_after_sum(
// CHECK: [[NORM:%.*]] = forge.divide {{.*}} -> tensor<2x4xf32>
// CHECK-NEXT: [[CAST:%.*]] = forge.cast [[NORM]] dtype bf16
// CHECK: forge.matmul [[CAST]], {{.*}} -> tensor<2x4xbf16>
// CHECK: [[WIDE:%.*]] = forge.matmul {{.*}} : (tensor<2x4xbf16>, tensor<4x4xbf16>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK: forge.add [[WIDE]], [[CAST]] : (tensor<2x4xf32>, tensor<2x4xbf16>) -> tensor<2x4xf32>
// CHECK: [[LAST:%.*]] = forge.divide {{.*}} -> tensor<2x4xf32>
// CHECK: [[OTHER:%.*]] = forge.matmul {{.*}} : (tensor<2x4xbf16>, tensor<4x4xbf16>, tensor<4xbf16>) -> tensor<2x4xbf16>
// CHECK: forge.add [[OTHER]], [[LAST]] : (tensor<2x4xbf16>, tensor<2x4xf32>) -> tensor<2x4xf32>
func.func @norm_after_sum(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
  %a = forge.parameter "a" : tensor<4x4xf32>
  %b = forge.parameter "b" : tensor<4x4xf32>
  %c = forge.parameter "c" : tensor<4x4xf32>
  %bias = forge.parameter "bias" : tensor<4xf32>
  %other = forge.parameter "other" : tensor<4xf32>
  %mean = forge.constant dense<0.25> : tensor<4x1xf32>
  %e = forge.scalar_constant constant 1.0e-5 dtype f32 : tensor<1xf32>
  %0 = forge.multiply %x, %x : tensor<2x4xf32>
  %1 = forge.matmul %0, %mean, %e : (tensor<2x4xf32>, tensor<4x1xf32>, tensor<1xf32>) -> tensor<2x1xf32>
  %2 = forge.sqrt %1 : tensor<2x1xf32>
  %3 = forge.divide %x, %2 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %4 = forge.matmul %3, %a : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %5 = forge.relu %4 : tensor<2x4xf32>
  %6 = forge.matmul %5, %b, %bias : (tensor<2x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %7 = forge.add %6, %3 : tensor<2x4xf32>
  %8 = forge.multiply %7, %7 : tensor<2x4xf32>
  %9 = forge.matmul %8, %mean, %e : (tensor<2x4xf32>, tensor<4x1xf32>, tensor<1xf32>) -> tensor<2x1xf32>
  %10 = forge.sqrt %9 : tensor<2x1xf32>
  %11 = forge.divide %7, %10 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %12 = forge.exp %11 : tensor<2x4xf32>
  %13 = forge.matmul %12, %c, %other : (tensor<2x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %14 = forge.add %13, %11 : tensor<2x4xf32>
  %15 = forge.softmax %14 dim -1 : tensor<2x4xf32>
  %16 = forge.add %14, %15 : tensor<2x4xf32>
  return %11, %14, %16 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
}

// A product that is an output is not rounded: its left operand is cast to f32 instead of its result.
// CHECK-LABEL: func.func @output(
// CHECK: forge.exp {{.*}} : tensor<2x4xbf16>
// CHECK: forge.matmul {{.*}} : (tensor<2x4xf32>, tensor<4x4xbf16>) -> tensor<2x4xf32>
// CHECK-NEXT: forge.reshape {{.*}} -> tensor<8xf32>
// CHECK-NEXT: return
// NATIVE-LABEL: func.func @output(
// NATIVE: forge.matmul {{.*}} -> tensor<2x4xbf16>
func.func @output(%x: tensor<2x4xf32>) -> tensor<8xf32> {
  %w = forge.parameter "w" : tensor<4x4xf32>
  %0 = forge.exp %x : tensor<2x4xf32>
  %1 = forge.matmul %0, %w : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %2 = forge.reshape %1 shape [8] : (tensor<2x4xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// A sum that is an output and an operand of another sum.
// CHECK-LABEL: func.func @sum_and_output(
// CHECK: [[SUM:%.*]] = forge.add {{.*}} -> tensor<4xf32>
// CHECK: forge.add [[SUM]], {{.*}} -> tensor<4xf32>
// CHECK: return [[SUM]],
func.func @sum_and_output(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = forge.exp %x : tensor<4xf32>
  %1 = forge.add %0, %y : tensor<4xf32>
  %2 = forge.tanh %1 : tensor<4xf32>
  %3 = forge.add %1, %2 : tensor<4xf32>
  return %1, %3 : tensor<4xf32>, tensor<4xf32>
}
