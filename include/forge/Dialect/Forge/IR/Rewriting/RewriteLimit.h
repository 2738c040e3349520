//===- RewriteLimit.h - limits the number of rewrites -----------*- C++ -*-===//
//
// As LLVM's -opt-bisect-limit: optional rewrites are counted over all passes, and only the first ones are applied. A
// binary search then finds the rewrite after which results are wrong.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_IR_REWRITING_REWRITELIMIT_H
#define FORGE_DIALECT_FORGE_IR_REWRITING_REWRITELIMIT_H

#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/Operation.h"

#include <string>
#include <vector>

namespace forge {

/// The limit of one context, as an interface that is added to its ForgeDialect. set() disables multithreading, with
/// which the order of rewrites would differ from run to run.
class RewriteLimit : public mlir::DialectInterface::Base<RewriteLimit> {
public:
  /// A rewrite that was applied, as text, because the op may be erased.
  struct Rewrite {
    std::string pass, name, op, node;
  };

  RewriteLimit(mlir::Dialect *dialect) : Base(dialect) {}

  /// Applies only the first `limit` rewrites in `context`, or all if it is negative, and records them. Each is written
  /// to `log`, if that is not null.
  static RewriteLimit &set(mlir::MLIRContext &context, int64_t limit, llvm::raw_ostream *log = nullptr);
  /// The limit of `context`; null if it has none.
  static RewriteLimit *of(mlir::MLIRContext *context);

  /// How many more rewrites may be applied.
  int64_t left() const;
  /// Records that the rewrite `name` of `pass` is applied to `op` of the ONNX node `node`.
  void add(llvm::StringRef pass, llvm::StringRef name, llvm::StringRef op, llvm::StringRef node);
  const std::vector<Rewrite> &applied() const { return rewrites; }

private:
  int64_t limit = -1;
  llvm::raw_ostream *log = nullptr;
  std::vector<Rewrite> rewrites;
};

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_REWRITING_REWRITELIMIT_H
