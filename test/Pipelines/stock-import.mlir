// What torch-mlir's importer wrote, in text and in bytecode, to a module that runs: in one pipe and in two steps.
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/stock_model.py make %t
// RUN: forge-opt %t/model.mlir --onnx-to-forge-pipeline | %python -m forge_mlir.cli.main emit - --name=m -o %t/text
// RUN: forge-opt %t/model.mlirbc --onnx-to-forge-pipeline --emit-bytecode -o %t/lowered.mlirbc
// RUN: %python -m forge_mlir.cli.main emit %t/lowered.mlirbc --name=m -o %t/bytecode
// RUN: %python %S/Inputs/stock_model.py check %t/text %t/bytecode | FileCheck %s
// CHECK-COUNT-2: same results

// The text has the mask in hexadecimal digits, one byte per boolean.
// RUN: FileCheck %s --check-prefix=MASK < %t/model.mlir
// MASK: dense<"0x01000001{{.*}}"> : tensor<16x2x16xi1>

// Nodes without names get one; the domain of Gelu follows from the opsets.
// RUN: forge-opt %t/model.mlir --onnx-to-forge-pipeline | forge-translate --forge-to-python -o %t/alone.py
// RUN: FileCheck %s --check-prefix=PYTHON < %t/alone.py
// PYTHON: forge.op.Reshape("", input_0, shape=(2, 64)).set_src_layer("Reshape_0")
// PYTHON: forge.op.Gelu({{.*}}).set_src_layer("Gelu_3")
