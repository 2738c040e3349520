// What cannot be written with its weights; nothing is left behind.
// RUN: rm -rf %t && mkdir %t
// RUN: forge-opt %S/../Python/partitioned-model.mlir "--pass-pipeline=builtin.module(func.func(forge-assign-devices),forge-partition,onnx-to-forge-pipeline)" -o %t/driver.mlir
// RUN: not forge-translate --forge-to-python %t/driver.mlir -o %t/driver 2>&1 | FileCheck %s --check-prefix=DRIVER
// DRIVER: error: [FM2010] a partitioned model needs its ONNX graph to be written; compile it with forge-mlir
// RUN: not forge-translate --forge-to-python %s -o %t/out 2>&1 | FileCheck %s
// CHECK: error: {{.*}}weight 'w' (key 'k') has no data in the IR: it was imported by reference; give its table with --weights, or compile the model with forge-mlir
// RUN: rmdir %t/out
// RUN: touch %t/file
// RUN: not forge-translate --forge-to-python %s -o %t/file 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: [FM4003] cannot write to '{{.*}}file': Not a directory

func.func @elsewhere(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = forge.parameter "k" : tensor<4xf32> loc("w")
  %1 = forge.add %x, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
