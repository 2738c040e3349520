//===- FastMath.cpp - the kinds of --fast-math ----------------------------===//

#include "Arithmetic/FastMath.h"

#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Support/Diagnostics.h"

using namespace mlir;
using namespace forge;

FailureOr<FastMath> FastMath::parse(Location loc, ArrayRef<std::string> kinds) {
  static constexpr std::pair<StringLiteral, bool FastMath::*> kKinds[] = {{"no-nans", &FastMath::noNans},
                                                                          {"no-infs", &FastMath::noInfs},
                                                                          {"reciprocal", &FastMath::reciprocal},
                                                                          {"reassociate", &FastMath::reassociate},
                                                                          {"zero-products", &FastMath::zeroProducts}};
  FastMath parsed;
  for (const std::string &wanted : kinds) {
    bool isKnown = false;
    for (auto [name, kind] : kKinds)
      if (wanted == name || wanted == "all")
        isKnown = parsed.*kind = true;
    if (!isKnown) {
      InFlightDiagnostic error = emitError(loc, Code::PassOption);
      error << "fast-math must be ";
      for (auto [name, kind] : kKinds)
        error << name << ", ";
      return error << "or all, but is '" << escaped(wanted) << "'";
    }
  }
  return parsed;
}
