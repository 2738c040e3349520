// Output of torch-mlir's importer, as text and as bytecode, becomes a module that runs, by one pipeline and in two
// steps.
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/stock_model.py make %t
// RUN: forge-opt %t/model.mlir --onnx-to-forge-pipeline | %python -m forge_mlir.cli.main emit - --name=m -o %t/text
// RUN: forge-opt %t/model.mlirbc --onnx-to-forge-pipeline --emit-bytecode -o %t/lowered.mlirbc
// RUN: %python -m forge_mlir.cli.main emit %t/lowered.mlirbc --name=m -o %t/bytecode
// RUN: %python %S/Inputs/stock_model.py check %t/text %t/bytecode | FileCheck %s
// CHECK-COUNT-2: same results

// The text has the mask as hexadecimal digits, one byte per boolean.
// RUN: FileCheck %s --check-prefix=MASK < %t/model.mlir
// MASK: dense<"0x01000001{{.*}}"> : tensor<16x2x16xi1>

// Nodes without names get names; the domain of Gelu is derived from the imported opsets.
// RUN: forge-opt %t/model.mlir --onnx-to-forge-pipeline | forge-translate --forge-to-python -o %t/alone.py
// RUN: FileCheck %s --check-prefix=PYTHON < %t/alone.py
// PYTHON: forge.op.Reshape("", input_0, shape=(2, 64)).set_src_layer("Reshape_0")
// PYTHON: forge.op.Gelu({{.*}}).set_src_layer("Gelu_3")
