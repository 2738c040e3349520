//===- RewriteLimit.h - only the first rewrites of a compilation -*- C++ -*-===//
//
// As LLVM's -opt-bisect-limit: every rewrite that a program can be written without is counted, over all passes, and
// only the first ones are applied. A search by halves then names the one after which results are wrong.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_IR_REWRITING_REWRITELIMIT_H
#define FORGE_DIALECT_FORGE_IR_REWRITING_REWRITELIMIT_H

#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/Operation.h"

#include <string>
#include <vector>

namespace forge {

/// The limit of one context: an interface that is added to its ForgeDialect. Threads would make the numbers another in
/// each run: set() ends them.
class RewriteLimit : public mlir::DialectInterface::Base<RewriteLimit> {
public:
  /// A rewrite that was applied, as text: what it was applied to may be gone.
  struct Rewrite {
    std::string pass, name, op, node;
  };

  RewriteLimit(mlir::Dialect *dialect) : Base(dialect) {}

  /// Has `context` apply only the first `limit` rewrites, all if it is negative, and remember them. They are listed in
  /// `log` as they are applied, unless that is null.
  static RewriteLimit &set(mlir::MLIRContext &context, int64_t limit, llvm::raw_ostream *log = nullptr);
  /// That of `context`, null where every rewrite may be applied.
  static RewriteLimit *of(mlir::MLIRContext *context);

  /// How many more rewrites may be applied.
  int64_t left() const;
  /// Notes that the rewrite `name` of `pass` is applied to `op` of ONNX node `node`.
  void add(llvm::StringRef pass, llvm::StringRef name, llvm::StringRef op, llvm::StringRef node);
  const std::vector<Rewrite> &applied() const { return rewrites; }

private:
  int64_t limit = -1;
  llvm::raw_ostream *log = nullptr;
  std::vector<Rewrite> rewrites;
};

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_REWRITING_REWRITELIMIT_H
