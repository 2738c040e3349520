// forge-reduce finds the smallest module in which grep still finds a node: the operand of the node becomes zeros, and
// its result is returned.
// RUN: forge-reduce %s --test=grep --test-arg=-q --test-arg='"onnx.Softmax"' -o %t.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RUNS
// RUNS: tests run: {{[0-9]+}}
// RUN: FileCheck %s < %t.mlir
// CHECK:      func.func @main() -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
// CHECK-NEXT:   %[[ZEROS:.+]] = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0.000000e+00> : tensor<2x3xf32>}
// CHECK-NEXT:   %[[Y:.+]] = torch.operator "onnx.Softmax"(%[[ZEROS]])
// CHECK-NEXT:   return %[[Y]]
// CHECK-NEXT: }
// CHECK-NOT:  func.func
// Names are kept.
// CHECK:      loc("scores")

// The reduced module is valid, and cannot be reduced further.
// RUN: forge-opt %t.mlir --onnx-to-forge-pipeline -o /dev/null
// RUN: forge-reduce %t.mlir --test=grep --test-arg=-q --test-arg='"onnx.Softmax"' -o %t.again.mlir
// RUN: diff %t.mlir %t.again.mlir

// On the forge dialect, with a test that runs a tool and requires its error.
// RUN: forge-opt %s --forge-normalize-import --convert-onnx-to-forge -o %t.forge.mlir
// RUN: forge-reduce - --test=sh --test-arg=-c < %t.forge.mlir \
// RUN:   --test-arg='forge-opt $0 --forge-verify-emittable -o /dev/null 2>&1 | grep -q FM2003' \
// RUN:   | FileCheck %s --check-prefix=SPLIT
// SPLIT:     func.func @main(
// SPLIT:     forge.split
// SPLIT-NOT: forge.softmax
// SPLIT:     return

// What a test prints is not part of the module on standard output.
// RUN: forge-reduce %s --test=grep --test-arg='"onnx.Softmax"' | diff %t.mlir -

// A function whose last call is removed with a result of its caller has fewer results than the caller.
// RUN: %python -c "n = 200; t = ', '.join(['i1'] * (n + 1)); print('func.func @f(%%a: i1) -> (i1, i1) { return %%a, %%a : i1, i1 } func.func @main(%%a: i1) -> (' + t + ') { %%0:2 = call @f(%%a) : (i1) -> (i1, i1) return ' + '%%a, ' * n + '%%0#0 : ' + t + ' }')" > %t.calls
// RUN: forge-reduce %t.calls --test=true | FileCheck %s --check-prefix=CALLS
// CALLS:     func.func @{{f|main}}({{.*}}) -> i1
// CALLS-NOT: func.func

// No file is written if the input fails the test.
// RUN: rm -f %t.none.mlir
// RUN: not forge-reduce %s --test=grep --test-arg=-q --test-arg=onnx.Conv -o %t.none.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DULL
// DULL: error: is not interesting: 'grep' exits with 1, not 0
// RUN: not ls %t.none.mlir
// RUN: not forge-reduce %s --test=no-such-program 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: is not interesting: 'no-such-program' cannot be run, or died
// RUN: not forge-reduce %s 2>&1 | FileCheck %s --check-prefix=REQUIRED
// REQUIRED: --test option: must be specified at least once

// Damaged input is tried in a child process here, too.
// RUN: %python -c "print('func.func private @f(' + '!torch.' + 'list<' * 100000 + 'none' + '>' * 100000 + ')')" > %t.deep
// RUN: not forge-reduce %t.deep --test=true 2>&1 | FileCheck %s --check-prefix=DAMAGED
// DAMAGED: error: cannot be read: it crashes MLIR's parser

func.func @main(%x: !torch.vtensor<[2,6],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>)
    attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %sizes = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3> : tensor<2xsi64>}
    : () -> !torch.vtensor<[2],si64>
  %0 = torch.operator "onnx.Exp"(%x) : (!torch.vtensor<[2,6],f32>) -> !torch.vtensor<[2,6],f32> loc("exponents")
  %1:2 = torch.operator "onnx.Split"(%0, %sizes) {torch.onnx.axis = -1 : si64}
    : (!torch.vtensor<[2,6],f32>, !torch.vtensor<[2],si64>)
    -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>) loc("halves")
  %2 = torch.operator "onnx.Softmax"(%1#0) {torch.onnx.axis = -1 : si64}
    : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> loc("scores")
  %3 = torch.operator "onnx.Add"(%2, %1#1)
    : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> loc("sum")
  return %3, %2 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>
}
func.func @another(%x: !torch.vtensor<[2,6],f32>) -> !torch.vtensor<[2,6],f32> {
  return %x : !torch.vtensor<[2,6],f32>
}
