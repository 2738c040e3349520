// The outputs of forge-translate and their destinations.
// RUN: forge-translate --forge-to-python --forge-module-name=m -o %t.py %s
// RUN: FileCheck %s --check-prefix=PYTHON < %t.py
// PYTHON: class M(ForgeModule)
// PYTHON: forge.op.Relu("", {{.*}})
// RUN: forge-translate --forge-to-manifest --forge-module-name=m %s | FileCheck %s --check-prefix=MANIFEST
// MANIFEST: "module": "m"
// MANIFEST: "graph": "main"
// RUN: rm -rf %t && mkdir %t
// RUN: not forge-translate --forge-to-python -o %t %s 2>&1 | FileCheck %s --check-prefix=DIRECTORY
// DIRECTORY: cannot open output file

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = forge.relu %x : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
