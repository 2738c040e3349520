// Round trip of every op through text and bytecode.
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s -mlir-print-op-generic | forge-opt | FileCheck %s
// RUN: forge-opt %s -emit-bytecode | forge-opt | FileCheck %s

// CHECK-LABEL: func.func @elementwise(
func.func @elementwise(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x1x4xi32>, %arg2: tensor<3x1xi32>, %arg3: tensor<2x1x4xf32>, %arg4: tensor<3x1xf32>, %arg5: tensor<3x1xi1>, %arg6: tensor<f32>) {
  // CHECK: %{{.+}} = forge.abs %arg0 : tensor<2x3x4xf32>
  %0 = forge.abs %arg0 : tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.exp %arg0 : tensor<2x3x4xf32>
  %1 = forge.exp %arg0 : tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.log %arg0 : tensor<2x3x4xf32>
  %2 = forge.log %arg0 : tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.reciprocal %arg0 : tensor<2x3x4xf32>
  %3 = forge.reciprocal %arg0 : tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.sqrt %arg0 : tensor<2x3x4xf32>
  %4 = forge.sqrt %arg0 : tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.relu %arg0 : tensor<2x3x4xf32>
  %5 = forge.relu %arg0 : tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.sigmoid %arg0 : tensor<2x3x4xf32>
  %6 = forge.sigmoid %arg0 : tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.sine %arg0 : tensor<2x3x4xf32>
  %7 = forge.sine %arg0 : tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.cosine %arg0 : tensor<2x3x4xf32>
  %8 = forge.cosine %arg0 : tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.atan %arg0 : tensor<2x3x4xf32>
  %9 = forge.atan %arg0 : tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.tanh %arg0 : tensor<2x3x4xf32>
  %10 = forge.tanh %arg0 : tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.erf %arg0 : tensor<2x3x4xf32>
  %11 = forge.erf %arg0 : tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.logical_not %arg0 : (tensor<2x3x4xf32>) -> tensor<2x3x4xi32>
  %12 = forge.logical_not %arg0 : (tensor<2x3x4xf32>) -> tensor<2x3x4xi32>
  // CHECK-NEXT: %{{.+}} = forge.cast %arg0 dtype f16 : (tensor<2x3x4xf32>) -> tensor<2x3x4xf16>
  %13 = forge.cast %arg0 dtype f16 : (tensor<2x3x4xf32>) -> tensor<2x3x4xf16>
  // CHECK-NEXT: %{{.+}} = forge.pow %arg0 exponent 2.000000e+00 : tensor<2x3x4xf32>
  %14 = forge.pow %arg0 exponent 2.000000e+00 : tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.identity %arg0 : tensor<2x3x4xf32>
  %15 = forge.identity %arg0 : tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.identity %arg0 unsqueeze "a" unsqueeze_dim 1 : tensor<2x3x4xf32>
  %16 = forge.identity %arg0 unsqueeze "a" unsqueeze_dim 1 : tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.leaky_relu %arg0 alpha 0.00999999977 : tensor<2x3x4xf32>
  %17 = forge.leaky_relu %arg0 alpha 0.00999999977 : tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.gelu %arg0 approximate none : tensor<2x3x4xf32>
  %18 = forge.gelu %arg0 approximate none : tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.gelu %arg0 approximate tanh : tensor<2x3x4xf32>
  %19 = forge.gelu %arg0 approximate tanh : tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.clip %arg0 min -1.000000e+00 max 0x7F800000 : tensor<2x3x4xf32>
  %20 = forge.clip %arg0 min -1.000000e+00 max 0x7F800000 : tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.dropout %arg0 p 5.000000e-01 seed 7 : tensor<2x3x4xf32>
  %21 = forge.dropout %arg0 p 5.000000e-01 seed 7 : tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.bitwise_and %arg1, %arg2 : (tensor<2x1x4xi32>, tensor<3x1xi32>) -> tensor<2x3x4xi32>
  %22 = forge.bitwise_and %arg1, %arg2 : (tensor<2x1x4xi32>, tensor<3x1xi32>) -> tensor<2x3x4xi32>
  // CHECK-NEXT: %{{.+}} = forge.logical_and %arg1, %arg2 : (tensor<2x1x4xi32>, tensor<3x1xi32>) -> tensor<2x3x4xi32>
  %23 = forge.logical_and %arg1, %arg2 : (tensor<2x1x4xi32>, tensor<3x1xi32>) -> tensor<2x3x4xi32>
  // CHECK-NEXT: %{{.+}} = forge.add %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %24 = forge.add %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.subtract %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %25 = forge.subtract %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.multiply %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %26 = forge.multiply %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.max %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %27 = forge.max %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.min %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %28 = forge.min %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.power %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %29 = forge.power %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.heaviside %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %30 = forge.heaviside %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.remainder %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %31 = forge.remainder %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.equal %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %32 = forge.equal %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.not_equal %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %33 = forge.not_equal %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.greater %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %34 = forge.greater %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.less %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %35 = forge.less %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.greater_equal %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %36 = forge.greater_equal %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.less_equal %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %37 = forge.less_equal %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.divide %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %38 = forge.divide %arg3, %arg4 : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.where %arg5, %arg3, %arg6 : (tensor<3x1xi1>, tensor<2x1x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  %39 = forge.where %arg5, %arg3, %arg6 : (tensor<3x1xi1>, tensor<2x1x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  return
}

// An operand of a 16-bit float type is promoted if the other is f32.
// CHECK-LABEL: func.func @promoted(
func.func @promoted(%x: tensor<2x3xf32>, %y: tensor<3xbf16>, %h: tensor<2x3xf16>) {
  // CHECK-NEXT: forge.add %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xbf16>) -> tensor<2x3xf32>
  %0 = forge.add %x, %y : (tensor<2x3xf32>, tensor<3xbf16>) -> tensor<2x3xf32>
  // CHECK-NEXT: forge.subtract %arg1, %arg0 : (tensor<3xbf16>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = forge.subtract %y, %x : (tensor<3xbf16>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: forge.multiply %arg2, %arg0 : (tensor<2x3xf16>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = forge.multiply %h, %x : (tensor<2x3xf16>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: forge.divide %arg0, %arg2 : (tensor<2x3xf32>, tensor<2x3xf16>) -> tensor<2x3xf32>
  %3 = forge.divide %x, %h : (tensor<2x3xf32>, tensor<2x3xf16>) -> tensor<2x3xf32>
  return
}
