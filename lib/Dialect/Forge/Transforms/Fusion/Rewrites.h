//===- Rewrites.h - rewrites of weights, products and movement --*- C++ -*-===//
//
// Rewrites are functions that return success if they have replaced the op. The passes name them by the labels of
// PassTable.inc.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_REWRITES_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_REWRITES_H

#include "Fusion/Monomial.h"
#include "Fusion/Scaling.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

class ReportingPass;
class ZeroSigns;

/// A pattern for OpTy that calls a function with the op and the rewriter.
template <typename OpTy, typename Function>
struct FunctionPattern : mlir::OpRewritePattern<OpTy> {
  FunctionPattern(mlir::MLIRContext *context, Function function)
      : mlir::OpRewritePattern<OpTy>(context), function(function) {}

  llvm::LogicalResult matchAndRewrite(OpTy op, mlir::PatternRewriter &rewriter) const override {
    return function(op, rewriter);
  }

  Function function;
};

/// Adds a pattern for each of OpTys that calls `rewrite` with the op, the rewriter and `arguments`. `label` is the name
/// of the rewrite in PassTable.inc, which says by which options it is permitted.
template <typename... OpTys, typename Function, typename... Arguments>
void addRewrite(mlir::RewritePatternSet &patterns, llvm::StringRef label, Function rewrite, Arguments... arguments) {
  auto apply = [=](auto op, mlir::PatternRewriter &rewriter) { return rewrite(op, rewriter, arguments...); };
  patterns.addWithLabel<FunctionPattern<OpTys, decltype(apply)>...>({label}, patterns.getContext(), apply);
}

/// x where `value` is the mean of x along its trailing axis, which is kept with size 1; null for other values.
mlir::Value meanOperand(mlir::Value value);
/// Whether x + weight can be replaced by x: the weight is a zero. -0 + 0 is 0, but -0 + -0 is -0, so that only -0 can
/// be removed if a user depends on the sign of zeros (`signMatters`).
bool addsNothing(mlir::Value weight, bool signMatters);
/// Removes additions and biases of all-zero weights, and multiplications by all-one weights. This is done before
/// weights are folded, because folding changes them.
void dropNeutralWeights(mlir::func::FuncOp func, ReportingPass &pass);
/// Patterns that fold scales into the weights that produce the scaled value, or into those of all its users. With
/// `takesReciprocals`, values in the model's file may be inverted.
void populateScaleFolding(mlir::RewritePatternSet &patterns, bool takesReciprocals, const ZeroSigns &signs);
/// Patterns that fold addends into the bias of the producing projection, or into the biases of all users of the sum.
void populateAddendFolding(mlir::RewritePatternSet &patterns, const ZeroSigns &signs);
/// Patterns that rewrite products, sums of products and quotients to the forms with the fewest kernels.
void populateProductForms(mlir::RewritePatternSet &patterns);
/// A pattern that rewrites a matrix product of two weights that is an outer product as a broadcast multiplication.
void populateProductsOfWeights(mlir::RewritePatternSet &patterns);
/// Patterns that merge a sum of convolutions of one input, and of that input itself, into one convolution.
void populateSumsOfConvolutions(mlir::RewritePatternSet &patterns);

/// (s a) (t b)  ->  (s t) (a b), for scalars s and t that cannot be folded into weights of their own operand.
llvm::LogicalResult sinkScaleBelowMatmul(MatmulOp op, mlir::PatternRewriter &rewriter, const ZeroSigns &signs);
/// Permutes the columns of a merged projection from [head, part, D] to [part, head, D]; `op` is the reshape that splits
/// them (HeadColumns.cpp).
llvm::LogicalResult permuteHeadColumns(ReshapeOp op, mlir::PatternRewriter &rewriter);
/// Computes a rotary embedding of interleaved pairs, of which `op` is the last reshape, without deinterleaving them.
llvm::LogicalResult rotatePairs(ReshapeOp op, mlir::PatternRewriter &rewriter);
/// concatenate(-a, b) * table  ->  concatenate(a, b) * (signs * table), and x * signs * table  ->  x * (signs * table),
/// for all products with the same table and signs.
llvm::LogicalResult foldSignsIntoTable(MultiplyOp op, mlir::PatternRewriter &rewriter);
/// Rewrites a product of single rows with matrices that are each repeated g times as one of g rows with each matrix.
llvm::LogicalResult rewriteRepeatsAsRows(MatmulOp op, mlir::PatternRewriter &rewriter);
/// Removes the reshape or transpose `op`, and those before elementwise ops that it is the inverse of (MovesAcross.cpp).
llvm::LogicalResult cancelAcrossElementwise(mlir::Operation *op, mlir::PatternRewriter &rewriter);
/// Rewrites a convolution of patches of an image with few channels as a matrix product.
llvm::LogicalResult rewriteAsPatchProduct(Conv2dOp op, mlir::PatternRewriter &rewriter);
/// matmul(reshape(transpose(%x)), %W)  ->  matmul(reshape(%x), permuted rows of %W), for all users of the reshape.
llvm::LogicalResult permuteFlattenedRows(ReshapeOp op, mlir::PatternRewriter &rewriter);
/// transpose(reshape(f(matmul(%x, %W))))  ->  reshape(f(matmul(%x, permuted columns of %W))), for unary functions f.
llvm::LogicalResult permuteFlattenedColumns(TransposeOp op, mlir::PatternRewriter &rewriter);
/// where(constant * mask, x, y)  ->  where(mask, where(constant, x, y), y), for scalars x and y.
llvm::LogicalResult foldConstantMask(WhereOp op, mlir::PatternRewriter &rewriter);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_REWRITES_H
