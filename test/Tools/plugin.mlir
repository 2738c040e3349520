// REQUIRES: plugin
// MLIR's own mlir-opt with the plugin gives the results of forge-opt, for every pass and pipeline.
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/compare_plugin.py forge-opt mlir-opt %plugin %t | FileCheck %s
// CHECK: the same for {{[0-9]+}} passes and pipelines: convert-onnx-to-forge {{.*}} forge-verify-emittable forge-write-flat onnx-to-forge-pipeline

// The dialects without the passes, in text and in bytecode.
// RUN: mlir-opt --load-dialect-plugin=%plugin --show-dialects | FileCheck %s --check-prefix=DIALECTS
// DIALECTS: Available Dialects: {{.*}}forge,{{.*}}torch
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --emit-bytecode | mlir-opt --load-dialect-plugin=%plugin \
// RUN:   | FileCheck %s --check-prefix=ALONE
// ALONE: forge.relu
// RUN: not mlir-opt %s 2>&1 | FileCheck %s --check-prefix=WITHOUT
// WITHOUT: error: Dialect `forge' not found

// One pipeline with a pass of MLIR and a pass of the plugin.
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %s \
// RUN:   --pass-pipeline='builtin.module(func.func(cse,forge-isolate-outputs),forge-verify-emittable)' \
// RUN:   | FileCheck %s --check-prefix=MIXED
// MIXED: forge.relu
// MIXED-NOT: forge.relu

// A reproducer that forge-opt wrote is replayed.
// RUN: not forge-opt %s --forge-verify-emittable --mlir-pass-pipeline-crash-reproducer=%t/failed.mlir -o /dev/null
// RUN: not mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %t/failed.mlir --run-reproducer 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REPLAYED
// REPLAYED: error: {{.*}}[FM

// The library is loaded once, even if it is named several times, also by our tools.
// RUN: forge-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %s --forge-isolate-outputs \
// RUN:   | FileCheck %s --check-prefix=ALONE

// The library contains no copy of MLIR or LLVM: it defines no function that libMLIR defines.
// RUN: %python %S/Inputs/shared_symbols.py llvm-nm %plugin | FileCheck %s --check-prefix=SYMBOLS
// SYMBOLS: mlirGetDialectPluginInfo mlirGetPassPluginInfo
// SYMBOLS-NEXT: needs libLLVM libMLIR
// SYMBOLS-NEXT: defines 0 functions of libLLVM or libMLIR

func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = forge.relu %x : tensor<2x3xf32>
  %1 = forge.relu %x : tensor<2x3xf32>
  %2 = forge.add %0, %1 : tensor<2x3xf32>
  return %2, %2 : tensor<2x3xf32>, tensor<2x3xf32>
}
