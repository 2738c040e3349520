// Round trip of every op through text and bytecode.
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s -mlir-print-op-generic | forge-opt | FileCheck %s
// RUN: forge-opt %s -emit-bytecode | forge-opt | FileCheck %s

// CHECK-LABEL: func.func @matmul(
func.func @matmul(%arg0: tensor<2x3x4xf32>, %arg1: tensor<4x5xf32>, %arg2: tensor<4xf32>, %arg3: tensor<5xf32>) {
  // CHECK: %{{.+}} = forge.matmul %arg0, %arg1 : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
  %0 = forge.matmul %arg0, %arg1 : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
  // CHECK-NEXT: %{{.+}} = forge.matmul %arg2, %arg1 : (tensor<4xf32>, tensor<4x5xf32>) -> tensor<5xf32>
  %1 = forge.matmul %arg2, %arg1 : (tensor<4xf32>, tensor<4x5xf32>) -> tensor<5xf32>
  // CHECK-NEXT: %{{.+}} = forge.matmul %arg0, %arg2 : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  %2 = forge.matmul %arg0, %arg2 : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %{{.+}} = forge.matmul %arg2, %arg2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  %3 = forge.matmul %arg2, %arg2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  // CHECK-NEXT: %{{.+}} = forge.matmul %arg0, %arg1, %arg3 : (tensor<2x3x4xf32>, tensor<4x5xf32>, tensor<5xf32>) -> tensor<2x3x5xf32>
  %4 = forge.matmul %arg0, %arg1, %arg3 : (tensor<2x3x4xf32>, tensor<4x5xf32>, tensor<5xf32>) -> tensor<2x3x5xf32>
  return
}

// One operand may be of a 16-bit float type and the other f32; a product of 16-bit operands may have a bias in f32.
// CHECK-LABEL: func.func @promoted(
func.func @promoted(%x: tensor<2x3xf32>, %w: tensor<3x4xbf16>, %y: tensor<2x3xbf16>, %b: tensor<2x4xf32>) {
  // CHECK-NEXT: forge.matmul %arg0, %arg1 : (tensor<2x3xf32>, tensor<3x4xbf16>) -> tensor<2x4xf32>
  %0 = forge.matmul %x, %w : (tensor<2x3xf32>, tensor<3x4xbf16>) -> tensor<2x4xf32>
  // CHECK-NEXT: forge.matmul %arg2, %arg1, %arg3 : (tensor<2x3xbf16>, tensor<3x4xbf16>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = forge.matmul %y, %w, %b : (tensor<2x3xbf16>, tensor<3x4xbf16>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
