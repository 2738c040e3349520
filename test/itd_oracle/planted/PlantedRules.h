//===- PlantedRules.h - wrong rules in the library itself -------*- C++ -*-===//

#ifndef FORGE_TEST_ITD_ORACLE_PLANTED_PLANTEDRULES_H
#define FORGE_TEST_ITD_ORACLE_PLANTED_PLANTEDRULES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace forge::itd::planted {

/// The names of all errors: those of test/itd_oracle/mutants.py.
llvm::ArrayRef<llvm::StringLiteral> names();
/// From now on the rules have this error; false if there is none of this name.
bool plant(llvm::StringRef name);

} // namespace forge::itd::planted

#endif // FORGE_TEST_ITD_ORACLE_PLANTED_PLANTEDRULES_H
