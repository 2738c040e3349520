//===- AddRewrite.h - functions as rewrite patterns -------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_ADDREWRITE_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_ADDREWRITE_H

#include "mlir/IR/PatternMatch.h"

namespace forge {

/// A pattern for OpTy that calls a function with the op and the rewriter.
template <typename OpTy, typename Function>
struct FunctionPattern : mlir::OpRewritePattern<OpTy> {
  FunctionPattern(mlir::MLIRContext *context, mlir::PatternBenefit benefit, Function function)
      : mlir::OpRewritePattern<OpTy>(context, benefit), function(function) {}

  llvm::LogicalResult matchAndRewrite(OpTy op, mlir::PatternRewriter &rewriter) const override {
    return function(op, rewriter);
  }

  Function function;
};

/// Adds `rewrite` as a pattern for each of OpTys. `label` is the name of the rewrite in PassTable.inc.
template <typename... OpTys, typename Function>
void addRewrite(mlir::RewritePatternSet &patterns, llvm::StringRef label, Function rewrite,
                mlir::PatternBenefit benefit = 1) {
  patterns.addWithLabel<FunctionPattern<OpTys, Function>...>({label}, patterns.getContext(), benefit, rewrite);
}

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_ADDREWRITE_H
