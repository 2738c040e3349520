// Input that crashes MLIR's own parser is reported as an error. Python writes it, because a file here would be an input
// of the tests that use all lit files.
// RUN: %python -c "print('func.func private @f(' + '!torch.' + 'list<' * 100000 + 'none' + '>' * 100000 + ')')" > %t.deep.mlir
// RUN: not forge-opt %t.deep.mlir 2>&1 | FileCheck %s
// RUN: not forge-opt - < %t.deep.mlir 2>&1 | FileCheck %s
// RUN: not forge-translate --forge-to-python %t.deep.mlir 2>&1 | FileCheck %s
// Weights in text are left out of the attempt, and do not hide the crash.
// RUN: %python -c "print('{-# dialect_resources: { builtin: { w: \"0x08000000' + '00' * 1000 + '\" } } #-}')" > %t.blob.mlir
// RUN: cat %t.deep.mlir %t.blob.mlir > %t.both.mlir
// RUN: not forge-opt %t.both.mlir 2>&1 | FileCheck %s
// RUN: cat %t.blob.mlir %t.deep.mlir > %t.both.mlir
// RUN: not forge-opt %t.both.mlir 2>&1 | FileCheck %s
// RUN: %python -c "print('func.func private @f() attributes {a = array<index: 1>}')" > %t.index.mlir
// RUN: not forge-opt %t.index.mlir 2>&1 | FileCheck %s
// CHECK: error: cannot be read: it crashes MLIR's parser
