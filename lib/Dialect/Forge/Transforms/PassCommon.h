//===- PassCommon.h - what every file of a pass uses ------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_PASSCOMMON_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_PASSCOMMON_H

#include "DeadOps.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/Rewriting/PassReport.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_PASSCOMMON_H
