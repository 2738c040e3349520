// Round trip of every op through text and bytecode.
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s -mlir-print-op-generic | forge-opt | FileCheck %s
// RUN: forge-opt %s -emit-bytecode | forge-opt | FileCheck %s

// CHECK-LABEL: func.func @constants(
func.func @constants() {
  // CHECK: %{{.+}} = forge.parameter "layer/0.weight" : tensor<4x8xf32>
  %0 = forge.parameter "layer/0.weight" : tensor<4x8xf32>
  // CHECK-NEXT: %{{.+}} = forge.parameter "\22\0A" : tensor<2xi64>
  %1 = forge.parameter "\22\0A" : tensor<2xi64>
  // CHECK-NEXT: %{{.+}} = forge.constant dense<1.000000e+00> : tensor<1024x1024xf32>
  %2 = forge.constant dense<1.000000e+00> : tensor<1024x1024xf32>
  // CHECK-NEXT: %{{.+}} = forge.constant dense<[-1, 2]> : tensor<2xi64>
  %3 = forge.constant dense<[-1, 2]> : tensor<2xi64>
  // CHECK-NEXT: %{{.+}} = forge.constant dense<> : tensor<0x3xf32>
  %4 = forge.constant dense<> : tensor<0x3xf32>
  // CHECK-NEXT: %{{.+}} = forge.constant dense<true> : tensor<i1>
  %5 = forge.constant dense<true> : tensor<i1>
  // CHECK-NEXT: %{{.+}} = forge.constant dense<[0, 255]> : tensor<2xui8>
  %6 = forge.constant dense<[0, 255]> : tensor<2xui8>
  // CHECK-NEXT: %{{.+}} = forge.constant dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>
  %7 = forge.constant dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>
  // CHECK-NEXT: %{{.+}} = forge.scalar_constant constant 0x7FC00000 dtype f32 : tensor<1xf32>
  %8 = forge.scalar_constant constant 0x7FC00000 dtype f32 : tensor<1xf32>
  // CHECK-NEXT: %{{.+}} = forge.scalar_constant constant -3.000000e+00 dtype i32 : tensor<1xi32>
  %9 = forge.scalar_constant constant -3.000000e+00 dtype i32 : tensor<1xi32>
  // CHECK-NEXT: %{{.+}} = forge.scalar_constant constant 1.500000e+00 dtype f16 : tensor<1xf16>
  %10 = forge.scalar_constant constant 1.500000e+00 dtype f16 : tensor<1xf16>
  // CHECK-NEXT: %{{.+}} = forge.scalar_constant constant 1.500000e+00 dtype bf16 : tensor<1xbf16>
  %11 = forge.scalar_constant constant 1.500000e+00 dtype bf16 : tensor<1xbf16>
  return
}
