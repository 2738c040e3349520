// Bytecode of older versions of the dialect is read as today's ops; bytecode of a newer version is refused.
//
// Inputs/version-0.mlirbc: the first version, written by forge-opt from this program before bytecode had a version
// number.
// RUN: forge-opt %s -mlir-print-debuginfo=false -o %t.text
// RUN: forge-opt %S/Inputs/version-0.mlirbc -mlir-print-debuginfo=false -o %t.version-0
// RUN: diff %t.text %t.version-0
//
// Inputs/version-0-derived.mlirbc: slices of weights as attributes, which only version 0 had.
// RUN: not forge-opt %S/Inputs/version-0-derived.mlirbc 2>&1 | FileCheck %s --check-prefix=DERIVED
// DERIVED: error: version 0 of the forge dialect had parts of weights ('forge.parameter' with 'derived'), which this Forge-MLIR computes instead; compile the model again
//
// Today's version, with and without native properties.
// RUN: forge-opt %s -emit-bytecode | forge-opt -mlir-print-debuginfo=false -o %t.today
// RUN: diff %t.text %t.today
// RUN: forge-opt %s -emit-bytecode -emit-bytecode-version=4 | forge-opt -mlir-print-debuginfo=false -o %t.plain
// RUN: diff %t.text %t.plain
//
// Inputs/version-9.mlirbc: a module with one forge.relu whose version was set to 9.
// RUN: not forge-opt %S/Inputs/version-9.mlirbc 2>&1 | FileCheck %s
// CHECK: error: this bytecode has version 9 of the forge dialect, but this Forge-MLIR reads versions up to 1; read it with the Forge-MLIR that wrote it, or a newer one


func.func @cache(%arg0: tensor<2x4x16x8xf32>, %arg1: tensor<1x4x3x8xf32>, %arg2: tensor<2x4x1x8xf32>, %arg3: tensor<2xi32>) {
  %0 = forge.fill_cache %arg0, %arg1 batch_offset 1 : (tensor<2x4x16x8xf32>, tensor<1x4x3x8xf32>) -> tensor<2x4x16x8xf32>
  %1 = forge.update_cache %arg0, %arg2, %arg3 : (tensor<2x4x16x8xf32>, tensor<2x4x1x8xf32>, tensor<2xi32>) -> tensor<2x4x16x8xf32>
  return
}

func.func @constants() {
  %0 = forge.parameter "layer/0.weight" : tensor<4x8xf32>
  %1 = forge.parameter "\22\0A" : tensor<2xi64>
  %2 = forge.constant dense<1.000000e+00> : tensor<1024x1024xf32>
  %3 = forge.constant dense<[-1, 2]> : tensor<2xi64>
  %4 = forge.constant dense<> : tensor<0x3xf32>
  %5 = forge.constant dense<true> : tensor<i1>
  %6 = forge.constant dense<[0, 255]> : tensor<2xui8>
  %7 = forge.constant dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>
  %8 = forge.scalar_constant constant 0x7FC00000 dtype f32 : tensor<1xf32>
  %9 = forge.scalar_constant constant -3.000000e+00 dtype i32 : tensor<1xi32>
  %10 = forge.scalar_constant constant 1.500000e+00 dtype f16 : tensor<1xf16>
  %11 = forge.scalar_constant constant 1.500000e+00 dtype bf16 : tensor<1xbf16>
  return
}

func.func @elementwise(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x1x4xi32>, %arg2: tensor<3x1xi32>, %arg3: tensor<2x1x4xf32>, %arg4: tensor<3x1xf32>, %arg5: tensor<3x1xi1>, %arg6: tensor<f32>) {
  %0 = forge.abs %arg0 : tensor<2x3x4xf32>
  %1 = forge.exp %arg0 : tensor<2x3x4xf32>
  %2 = forge.log %arg0 : tensor<2x3x4xf32>
  %3 = forge.reciprocal %arg0 : tensor<2x3x4xf32>
  %4 = forge.sqrt %arg0 : tensor<2x3x4xf32>
  %5 = forge.relu %arg0 : tensor<2x3x4xf32>
  %6 = forge.sigmoid %arg0 : tensor<2x3x4xf32>
  %7 = forge.sine %arg0 : tensor<2x3x4xf32>
  %8 = forge.cosine %arg0 : tensor<2x3x4xf32>
  %9 = forge.atan %arg0 : tensor<2x3x4xf32>
  %10 = forge.tanh %arg0 : tensor<2x3x4xf32>
  %11 = forge.erf %arg0 : tensor<2x3x4xf32>
  %12 = forge.logical_not %arg0 : (tensor<2x3x4xf32>) -> tensor<2x3x4xi32>
  %13 = forge.cast %arg0 dtype f16 : (tensor<2x3x4xf32>) -> tensor<2x3x4xf16>
  %14 = forge.pow %arg0 exponent 2.000000e+00 : tensor<2x3x4xf32>
  %15 = forge.identity %arg0 : tensor<2x3x4xf32>
  %16 = forge.identity %arg0 unsqueeze "a" unsqueeze_dim 1 : tensor<2x3x4xf32>
  %17 = forge.leaky_relu %arg0 alpha 0.00999999977 : tensor<2x3x4xf32>
  %18 = forge.gelu %arg0 approximate none : tensor<2x3x4xf32>
  %19 = forge.gelu %arg0 approximate tanh : tensor<2x3x4xf32>
  %20 = forge.clip %arg0 min -1.000000e+00 max 0x7F800000 : tensor<2x3x4xf32>
  %21 = forge.dropout %arg0 p 5.000000e-01 seed 7 : tensor<2x3x4xf32>
  %22 = forge.bitwise_and %arg1, %arg2 : (tensor<2x1x4xi32>, tensor<3x1xi32>) -> tensor<2x3x4xi32>
  %23 = forge.logical_and %arg1, %arg2 : (tensor<2x1x4xi32>, tensor<3x1xi32>) -> tensor<2x3x4xi32>
  %24 = forge.add %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %25 = forge.subtract %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %26 = forge.multiply %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %27 = forge.max %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %28 = forge.min %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %29 = forge.power %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %30 = forge.heaviside %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %31 = forge.remainder %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %32 = forge.equal %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %33 = forge.not_equal %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %34 = forge.greater %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %35 = forge.less %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %36 = forge.greater_equal %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %37 = forge.less_equal %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %38 = forge.divide %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %39 = forge.where %arg5, %arg3, %arg6 : (tensor<3x1xi1>, tensor<2x1x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  return
}

func.func @high_level(%arg0: tensor<2x10xf32>) {
  %0:4 = forge.split %arg0 dim -1 sizes [2, 3, 0, 5] : (tensor<2x10xf32>) -> (tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x0xf32>, tensor<2x5xf32>)
  %1 = forge.split %arg0 dim 0 sizes [2] : (tensor<2x10xf32>) -> tensor<2x10xf32>
  %2 = forge.strided_slice %arg0 dim 1 [-3:9223372036854775807:2] dim -2 [0:1] : (tensor<2x10xf32>) -> tensor<1x2xf32>
  %3 = forge.strided_slice %arg0 dim 1 [-1:-9223372036854775808:-9223372036854775808] : (tensor<2x10xf32>) -> tensor<2x1xf32>
  %4 = forge.strided_slice %arg0 : tensor<2x10xf32>
  return
}

func.func @matmul_conv(%arg0: tensor<2x3x4xf32>, %arg1: tensor<4x5xf32>, %arg2: tensor<4xf32>, %arg3: tensor<5xf32>, %arg4: tensor<1x4x8x9xf32>, %arg5: tensor<6x2x3x3xf32>, %arg6: tensor<1x8x9x4xf32>, %arg7: tensor<6x4x3x3xf32>, %arg8: tensor<1x1x1x6xf32>, %arg9: tensor<4x3x3x3xf32>, %arg10: tensor<6xf32>) {
  %0 = forge.matmul %arg0, %arg1 : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
  %1 = forge.matmul %arg2, %arg1 : (tensor<4xf32>, tensor<4x5xf32>) -> tensor<5xf32>
  %2 = forge.matmul %arg0, %arg2 : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  %3 = forge.matmul %arg2, %arg2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  %4 = forge.matmul %arg0, %arg1, %arg3 : (tensor<2x3x4xf32>, tensor<4x5xf32>, tensor<5xf32>) -> tensor<2x3x5xf32>
  %5 = forge.conv2d %arg4, %arg5 stride [2, 1] padding [1, 0, 1, 2] groups 2 : (tensor<1x4x8x9xf32>, tensor<6x2x3x3xf32>) -> tensor<1x6x4x9xf32>
  %6 = forge.conv2d %arg6, %arg7, %arg8 stride [1, 1] padding [0, 0, 0, 0] dilation [2, 1] channel_last : (tensor<1x8x9x4xf32>, tensor<6x4x3x3xf32>, tensor<1x1x1x6xf32>) -> tensor<1x4x7x6xf32>
  %7 = forge.conv2d_transpose %arg4, %arg9, %arg10 stride [2, 1] padding [1, 0] groups 2 output_padding [1, 0] : (tensor<1x4x8x9xf32>, tensor<4x3x3x3xf32>, tensor<6xf32>) -> tensor<1x6x16x11xf32>
  return
}

func.func @movement(%arg0: tensor<2x3x4xf32>, %arg1: tensor<1xf32>, %arg2: tensor<5xi64>, %arg3: tensor<2x12xf32>, %arg4: tensor<1x4x4x3xf32>, %arg5: tensor<2x3xf32>, %arg6: tensor<2x1x4xf32>, %arg7: tensor<1x8x2x3xf32>, %arg8: tensor<2x5xf32>, %arg9: tensor<2x5x4xf32>, %arg10: tensor<2x7xi64>, %arg11: tensor<10x4xf32>) {
  %0 = forge.transpose %arg0 dims -2, 0 : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %1 = forge.reshape %arg0 shape [6, 4] : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %2 = forge.reshape %arg1 shape [] : (tensor<1xf32>) -> tensor<f32>
  %3 = forge.index %arg0 dim -1 [1:4:2] : (tensor<2x3x4xf32>) -> tensor<2x3x2xf32>
  %4 = forge.adv_index %arg0, %arg2 dim -2 : (tensor<2x3x4xf32>, tensor<5xi64>) -> tensor<2x5x4xf32>
  %5 = forge.select %arg3 dim 1 index [1, 2] stride 4 : (tensor<2x12xf32>) -> tensor<2x6xf32>
  %6 = forge.select %arg3 dim -1 index [1, 2] stride 0 : (tensor<2x12xf32>) -> tensor<2x2xf32>
  %7 = forge.pad %arg0 pad [1, 2] mode constant value -1.000000e+00 : (tensor<2x3x4xf32>) -> tensor<2x3x7xf32>
  %8 = forge.pad %arg0 pad [1, 2, 0, 1] mode reflect value 0.0 : (tensor<2x3x4xf32>) -> tensor<2x4x7xf32>
  %9 = forge.pad %arg4 pad [1, 1, 2, 2] mode replicate value 0.0 channel_last : (tensor<1x4x4x3xf32>) -> tensor<1x8x6x3xf32>
  %10 = forge.constant_pad %arg5 padding [1, 0, 0, 2] value 0.0 : (tensor<2x3xf32>) -> tensor<3x5xf32>
  %11 = forge.broadcast %arg6 dim 1 shape 5 : (tensor<2x1x4xf32>) -> tensor<2x5x4xf32>
  %12 = forge.repeat %arg5 repeats [4, 1, 2] : (tensor<2x3xf32>) -> tensor<4x2x6xf32>
  %13 = forge.repeat_interleave %arg5 repeats 2 dim -1 : (tensor<2x3xf32>) -> tensor<2x6xf32>
  %14 = forge.unsqueeze %arg5 dim 2 : (tensor<2x3xf32>) -> tensor<2x3x1xf32>
  %15 = forge.unsqueeze %arg5 dim -3 : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
  %16 = forge.squeeze %arg6 dim -2 : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
  %17 = forge.pixel_shuffle %arg7 upscale_factor 2 : (tensor<1x8x2x3xf32>) -> tensor<1x2x4x6xf32>
  %18 = forge.concatenate %arg5, %arg8 axis -1 : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<2x8xf32>
  %19 = forge.stack %arg5, %arg5 axis 2 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3x2xf32>
  %20 = forge.index_copy %arg0, %arg2, %arg9 dim 1 : (tensor<2x3x4xf32>, tensor<5xi64>, tensor<2x5x4xf32>) -> tensor<2x3x4xf32>
  %21 = forge.embedding %arg10, %arg11 : (tensor<2x7xi64>, tensor<10x4xf32>) -> tensor<2x7x4xf32>
  return
}

func.func @norm(%arg0: tensor<2x3x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<1x4xf32>, %arg3: tensor<3xf32>) {
  %0 = forge.softmax %arg0 dim -1 stable : tensor<2x3x4xf32>
  %1 = forge.log_softmax %arg0 dim 0 : tensor<2x3x4xf32>
  %2 = forge.layernorm %arg0, %arg1, %arg2 dim -1 epsilon 9.99999974E-6 : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<1x4xf32>) -> tensor<2x3x4xf32>
  %3 = forge.batchnorm %arg0, %arg3, %arg3, %arg3, %arg3 epsilon 1.000000e-03 : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  return
}

func.func @pool_resize(%arg0: tensor<1x2x8xf32>, %arg1: tensor<1x2x8x9xf32>, %arg2: tensor<1x8x9x2xf32>) {
  %0 = forge.max_pool1d %arg0 kernel_size 2 stride 2 padding 1 : (tensor<1x2x8xf32>) -> tensor<1x2x5xf32>
  %1 = forge.max_pool2d %arg1 kernel_size [3, 2] stride [2, 2] padding [0, 0, 1, 1] ceil_mode : (tensor<1x2x8x9xf32>) -> tensor<1x2x5x5xf32>
  %2 = forge.avg_pool1d %arg0 kernel_size 8 stride 1 padding 0 count_include_pad : (tensor<1x2x8xf32>) -> tensor<1x2x1xf32>
  %3 = forge.avg_pool2d %arg2 kernel_size [2, 2] stride [2, 1] padding [1, 1, 1, 1] count_include_pad channel_last : (tensor<1x8x9x2xf32>) -> tensor<1x5x10x2xf32>
  %4 = forge.resize1d %arg0 size 16 mode linear : (tensor<1x2x8xf32>) -> tensor<1x2x16xf32>
  %5 = forge.resize2d %arg1 sizes [4, 5] mode nearest : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x5xf32>
  %6 = forge.resize2d %arg2 sizes [16, 9] mode bilinear channel_last : (tensor<1x8x9x2xf32>) -> tensor<1x16x9x2xf32>
  %7 = forge.upsample2d %arg1 scale_factor [2, 3] mode nearest : (tensor<1x2x8x9xf32>) -> tensor<1x2x16x27xf32>
  %8 = forge.downsample2d %arg1 scale_factor [2, 3] mode bilinear : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x3xf32>
  return
}

func.func @reductions(%arg0: tensor<2x3x4xf32>) {
  %0 = forge.reduce_sum %arg0 dim -1 keep_dim : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %1 = forge.reduce_avg %arg0 dim -1 keep_dim : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %2 = forge.reduce_max %arg0 dim -1 keep_dim : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %3 = forge.reduce_sum %arg0 dim 0 : (tensor<2x3x4xf32>) -> tensor<3x4xf32>
  %4 = forge.argmax %arg0 dim 1 keep_dim : (tensor<2x3x4xf32>) -> tensor<2x1x4xi32>
  %5 = forge.argmax %arg0 dim -3 : (tensor<2x3x4xf32>) -> tensor<3x4xi32>
  %6 = forge.argmax %arg0 keep_dim : (tensor<2x3x4xf32>) -> tensor<1x1x1xi32>
  %7 = forge.argmax %arg0 : (tensor<2x3x4xf32>) -> tensor<i32>
  %8 = forge.cum_sum %arg0 dim 2 : tensor<2x3x4xf32>
  return
}
func.func @weights() {
  %0 = forge.parameter "w" blob(dense_resource<w> : tensor<2xf32>) : tensor<2xf32>
  %1 = "forge.run"() {callee = @device} : () -> tensor<2xf32>
  %2 = forge.index %1 dim 0 [0:1] {forge.padding = "x"} : (tensor<2xf32>) -> tensor<1xf32> loc("node")
  return
}
func.func private @device() -> tensor<2xf32> attributes {forge.partition = "device"}
{-#
  dialect_resources: { builtin: { w: "0x040000000000803f00000040" } }
#-}
