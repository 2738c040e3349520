// Every tool prints its own version and that of MLIR, and its help omits the options of LLVM's backends.
// RUN: forge-itd --version | FileCheck %s -DTOOL=itd --check-prefix=VERSION --match-full-lines
// RUN: forge-lsp-server --version | FileCheck %s -DTOOL=lsp-server --check-prefix=VERSION --match-full-lines
// RUN: forge-opt --version | FileCheck %s -DTOOL=opt --check-prefix=VERSION --match-full-lines
// RUN: forge-reduce --version | FileCheck %s -DTOOL=reduce --check-prefix=VERSION --match-full-lines
// RUN: forge-translate --version | FileCheck %s -DTOOL=translate --check-prefix=VERSION --match-full-lines
// VERSION-NOT: {{.}}
// VERSION: forge-[[TOOL]] {{[0-9]+\.[0-9]+\.[0-9]+}} (MLIR 22.{{[0-9.]+}})
// VERSION-NOT: {{.}}

// RUN: forge-itd --help | FileCheck %s --check-prefix=HELP \
// RUN:   --implicit-check-not='{{ --(x86|aarch64|amdgpu|riscv|lto)}}'
// RUN: forge-lsp-server --help | FileCheck %s --check-prefix=HELP \
// RUN:   --implicit-check-not='{{ --(x86|aarch64|amdgpu|riscv|lto)}}'
// RUN: forge-opt --help | FileCheck %s --check-prefixes=OPT,HELP \
// RUN:   --implicit-check-not='{{ --(x86|aarch64|amdgpu|riscv|lto)}}'
// RUN: forge-opt --help-hidden | FileCheck %s --check-prefixes=OPT,HELP \
// RUN:   --implicit-check-not='{{ --(x86|aarch64|amdgpu|riscv|lto)}}'
// RUN: forge-reduce --help | FileCheck %s --check-prefixes=HELP,REDUCE \
// RUN:   --implicit-check-not='{{ --(x86|aarch64|amdgpu|riscv|lto)}}'
// RUN: forge-translate --help | FileCheck %s --check-prefixes=HELP,TRANSLATE \
// RUN:   --implicit-check-not='{{ --(x86|aarch64|amdgpu|riscv|lto)}}'
// OPT: --convert-onnx-to-forge
// OPT: --onnx-to-forge-pipeline
// HELP: --version
// REDUCE: --test=<string>
// TRANSLATE: --forge-to-python

// These options still work.
// RUN: forge-opt --x86-asm-syntax=intel --show-dialects | FileCheck %s --check-prefix=DIALECTS
// DIALECTS: Available Dialects: builtin,forge,func,torch

// Every option of our tools and passes has a test.
// RUN: %python %S/Inputs/tested_options.py %S/.. forge-opt forge-translate forge-reduce \
// RUN:   | FileCheck %s --check-prefix=TESTED
// TESTED: passes and options have tests
