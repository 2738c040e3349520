//===- AddRewrite.h - functions as rewrite patterns -------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_ADDREWRITE_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_ADDREWRITE_H

#include "mlir/IR/PatternMatch.h"

#include <functional>

namespace forge {

/// Adds a pattern that calls `rewrite` with each op of type OpTy. `label` is its name in PassTable.inc.
template <typename OpTy>
void addRewrite(mlir::RewritePatternSet &patterns, llvm::StringRef label,
                std::function<llvm::LogicalResult(OpTy, mlir::PatternRewriter &)> rewrite,
                mlir::PatternBenefit benefit = 1) {
  struct Rewrite : mlir::OpRewritePattern<OpTy> {
    Rewrite(mlir::MLIRContext *context, mlir::PatternBenefit benefit, decltype(rewrite) function)
        : mlir::OpRewritePattern<OpTy>(context, benefit), function(std::move(function)) {}
    llvm::LogicalResult matchAndRewrite(OpTy op, mlir::PatternRewriter &rewriter) const override {
      return function(op, rewriter);
    }
    decltype(rewrite) function;
  };
  patterns.addWithLabel<Rewrite>({label}, patterns.getContext(), benefit, std::move(rewrite));
}

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_ADDREWRITE_H
