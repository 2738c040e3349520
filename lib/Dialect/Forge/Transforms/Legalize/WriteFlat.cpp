//===- WriteFlat.cpp - no methods for equal layers ------------------------===//
//
// Marks functions that the emitter prints as one sequence of calls. Without the mark, it prints equal layers of a model
// as calls of one method.
//
//===----------------------------------------------------------------------===//

#define GEN_PASS_DEF_FORGEWRITEFLATPASS
#include "forge/Dialect/Forge/Transforms/Passes.h"

using namespace mlir;
using namespace forge;

namespace {
struct ForgeWriteFlatPass : forge::impl::ForgeWriteFlatPassBase<ForgeWriteFlatPass> {
  void runOnOperation() override {
    if (!isHostFunction(getOperation()))
      getOperation()->setAttr(kFlatAttr, UnitAttr::get(&getContext()));
    markAllAnalysesPreserved();
  }
};
} // namespace
