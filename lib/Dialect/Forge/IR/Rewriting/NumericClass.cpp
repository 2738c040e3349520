//===- NumericClass.cpp - how a rewrite may change results ----------------===//

#include "forge/Dialect/Forge/IR/Rewriting/NumericClass.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace forge;

namespace {
struct Row {
  StringLiteral pass, rewrite;
  NumericClass numericClass;
  StringLiteral kind;
};
} // namespace

static constexpr Row kRows[] = {
#define FORGE_REWRITE(pass, rewrite, numericClass, kind, what) {pass, rewrite, NumericClass::numericClass, kind},
#include "forge/Dialect/Forge/IR/Rewriting/PassTable.inc"
};

bool NumericPermissions::permit(StringRef pass, StringRef name) const {
  const Row *row = find_if(kRows, [&](const Row &row) { return row.pass == pass && row.rewrite == name; });
  NumericClass numericClass = row == std::end(kRows) ? NumericClass::Rounding : row->numericClass;
  switch (numericClass) {
  case NumericClass::Exact: return true;
  case NumericClass::Rounding: return !exact;
  default: return !exact && (is_contained(fastMath, row->kind) || is_contained(fastMath, "all"));
  }
}
