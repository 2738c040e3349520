//===- RewriteLimit.cpp - limits the number of rewrites -------------------===//

#include "forge/Dialect/Forge/IR/Rewriting/RewriteLimit.h"

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/Location.h"

#include <limits>

using namespace mlir;
using namespace forge;

RewriteLimit &RewriteLimit::set(MLIRContext &context, int64_t limit, llvm::raw_ostream *log) {
  context.disableMultithreading();
  auto &found = context.getOrLoadDialect<ForgeDialect>()->addInterface<RewriteLimit>();
  found.limit = limit;
  found.log = log;
  return found;
}

RewriteLimit *RewriteLimit::of(MLIRContext *context) {
  auto *dialect = context->getLoadedDialect<ForgeDialect>();
  return dialect ? dialect->getRegisteredInterface<RewriteLimit>() : nullptr;
}

int64_t RewriteLimit::left() const {
  return limit < 0 ? std::numeric_limits<int64_t>::max() : limit - static_cast<int64_t>(rewrites.size());
}

void RewriteLimit::add(StringRef pass, StringRef name, StringRef op, StringRef node) {
  rewrites.push_back({pass.str(), name.str(), op.str(), node.str()});
  if (!log)
    return;
  *log << "rewrite " << rewrites.size() << ": --" << pass << ", " << name << ", of '" << op << "'";
  if (!node.empty())
    *log << " of node '" << escaped(node) << "'";
  *log << "\n";
}
