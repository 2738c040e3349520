//===- TestPasses.h - what analyses find, as remarks ------------*- C++ -*-===//

#ifndef FORGE_TOOLS_FORGE_OPT_TESTPASSES_H
#define FORGE_TOOLS_FORGE_OPT_TESTPASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace forge {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "TestPasses.h.inc"
} // namespace forge

#endif // FORGE_TOOLS_FORGE_OPT_TESTPASSES_H
