//===- FastMath.cpp - the kinds of --fast-math ----------------------------===//

#include "Arithmetic/FastMath.h"

#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace forge;

LogicalResult forge::checkFastMath(Location loc, ArrayRef<std::string> kinds) {
  static constexpr StringLiteral kKinds[] = {"no-nans", "no-infs", "reciprocal", "reassociate", "zero-products", "all"};
  for (const std::string &kind : kinds)
    if (!llvm::is_contained(kKinds, kind)) {
      std::string known = llvm::join(ArrayRef(kKinds).drop_back(), ", ");
      return emitError(loc, Code::PassOption)
             << "fast-math must be " << known << ", or all, but is '" << escaped(kind) << "'";
    }
  return success();
}
