// A pattern does not match a node with an attribute that it does not name, because the attribute would be lost.
// RUN: forge-opt %s --forge-apply-patterns=files=%S/Inputs/patterns.mlir -verify-diagnostics

// Files without patterns, with other ops than patterns, and with patterns that need C++ functions.
// RUN: rm -rf %t && split-file %S/Inputs/patterns-invalid.test %t
// RUN: not forge-opt %s --forge-apply-patterns=files=%t/empty.mlir 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: {{.*}}[FM1023] expected patterns, but got an empty module
// RUN: not forge-opt %s --forge-apply-patterns=files=%t/function.mlir 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: function.mlir:1:1{{.*}}error: {{.*}}[FM1023] expected 'pdl.pattern', but got 'func.func'
// RUN: not forge-opt %s --forge-apply-patterns=files=%t/native.mlir 2>&1 | FileCheck %s --check-prefix=NATIVE
// NATIVE: native.mlir:{{.*}}error: {{.*}}[FM1023] expected no function that is written in C++
// RUN: not forge-opt %s --forge-apply-patterns=files=%t/text.mlir 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: error: {{.*}}[FM1023] the patterns cannot be read
// RUN: not forge-opt %s --forge-apply-patterns=files=%t/absent.mlir 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: {{.*}}[FM1023] the patterns cannot be read

func.func @main(%x: !torch.vtensor<[2,6],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>)
    attributes {torch.onnx_meta.opset_version = 18 : si64, torch.onnx_meta.opset_versions = {my.domain = 1 : si64}} {
  // expected-error @below {{[FM1101] attribute 'gap' is not matched by the pattern 'swapped_halves' in line}}
  %0:2 = torch.operator "onnx.SwappedHalves"(%x) {torch.onnx_meta.domain = "my.domain", torch.onnx.gap = 1 : si64}
      : (!torch.vtensor<[2,6],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>)
  return %0#0, %0#1 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>
}
