//===- PassCommon.h - what every file of a pass uses ------------*- C++ -*-===//
//
// A file that defines GEN_PASS_DEF_<PASS> before it includes this header gets the base class of the pass, because
// Passes.h includes the declarations that TableGen generates.
//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_PASSCOMMON_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_PASSCOMMON_H

#include "DeadOps.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/Rewriting/PassReport.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_PASSCOMMON_H
