// What forge-translate writes where, and which files it leaves alone.
// RUN: rm -rf %t && mkdir %t
// RUN: forge-translate --forge-to-python --forge-module-name=m -o %t/out %s
// RUN: ls %t/out | FileCheck %s --check-prefix=FILES
// FILES:      m.json
// FILES-NEXT: m.py
// RUN: forge-translate --forge-to-manifest --forge-module-name=m %s | FileCheck %s --check-prefix=MANIFEST
// MANIFEST: "module": "m"

// Its own files it replaces, those of others on request.
// RUN: forge-translate --forge-to-python --forge-module-name=m -o %t/out %s
// RUN: mkdir %t/other
// RUN: %python -c "print('x = 1')" > %t/other/m.py
// RUN: not forge-translate --forge-to-python --forge-module-name=m -o %t/other %s 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT: error: [FM
// RUN: FileCheck %s --check-prefix=OTHER < %t/other/m.py
// OTHER: x = 1
// RUN: forge-translate --forge-to-python --forge-module-name=m -o %t/other --force %s
// RUN: FileCheck %s --check-prefix=PYTHON < %t/other/m.py
// PYTHON: forge.op.Relu("", {{.*}})

// Weights by reference: in the table that the IR names, or in another place.
// RUN: %python -m forge_mlir.cli.main import %S/../../models/gpt2_block/model.onnx -o %t/gpt2.mlir --name gpt2
// RUN: forge-opt %t/gpt2.mlir --onnx-to-forge-pipeline -o %t/call.mlir
// RUN: forge-translate --forge-to-python %t/call.mlir -o %t/beside
// RUN: mv %t/gpt2.weights.json %t/elsewhere.json
// RUN: not forge-translate --forge-to-python %t/call.mlir -o %t/missing 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: gpt2.weights.json': is not there; put it beside the IR, or name it with --weights
// RUN: forge-translate --forge-to-python %t/call.mlir -o %t/named --weights=%t/elsewhere.json
// RUN: diff -r %t/beside %t/named

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = forge.relu %x : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
