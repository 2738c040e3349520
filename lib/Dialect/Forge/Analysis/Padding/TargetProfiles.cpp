//===- TargetProfiles.cpp - how backends treat tile padding ---------------===//

#include "forge/Dialect/Forge/Analysis/TilePadding.h"
#include "forge/Support/Diagnostics.h"

#include "llvm/ADT/StringExtras.h"

using namespace forge;
using namespace forge::itd;

llvm::ArrayRef<TargetProfile> TargetProfile::all() {
  static const TargetProfile profiles[] = {
#define TARGET_PROFILE(name, host, retile, ...) {name, host, retile, {__VA_ARGS__}},
#include "TargetProfiles.def"
#undef TARGET_PROFILE
      {"none", PaddingValue::undef(), PaddingValue::undef(), {}, /*masksAll=*/true},
  };
  return profiles;
}

mlir::FailureOr<const TargetProfile *> TargetProfile::parse(mlir::Operation *op, llvm::StringRef name) {
  const auto *found = llvm::find_if(all(), [&](const TargetProfile &profile) { return profile.name == name; });
  if (found != all().end())
    return found;
  auto names = llvm::map_range(all(), [](const TargetProfile &known) { return known.name; });
  return emitError(op, Code::PassOption) << "expected a target of " << llvm::join(names, ", ") << ", but got '" << name
                                         << "'";
}
