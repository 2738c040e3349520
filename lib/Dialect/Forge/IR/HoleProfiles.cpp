//===- HoleProfiles.cpp - what backends do with tile holes ----------------===//

#include "forge/Dialect/Forge/IR/Holes.h"

using namespace forge;
using namespace forge::itd;

llvm::ArrayRef<TargetProfile> TargetProfile::all() {
  static const TargetProfile profiles[] = {
#define HOLE_PROFILE(name, host, retile, ...) {name, host, retile, {__VA_ARGS__}},
#include "HoleProfiles.def"
#undef HOLE_PROFILE
      {"none", HoleVal::undef(), HoleVal::undef(), {}, /*masksAll=*/true},
  };
  return profiles;
}

const TargetProfile *TargetProfile::find(llvm::StringRef name) {
  const auto *found = llvm::find_if(all(), [&](const TargetProfile &profile) { return profile.name == name; });
  return found == all().end() ? nullptr : found;
}
