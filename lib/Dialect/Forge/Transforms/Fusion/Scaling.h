//===- Scaling.h - factors into weights -------------------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_SCALING_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_SCALING_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "mlir/IR/PatternMatch.h"

namespace forge {

bool isFloat32(mlir::Value value);
/// Whether `value` has one element.
bool isOne(mlir::Value value);
/// Whether `value` has an element for each of `channels` in axis `axis` of a result of rank `rank`, and all others
/// are 1.
bool isPerChannel(mlir::Value value, int64_t axis, int64_t rank, int64_t channels);
/// The operands of an op of two: x, a float32 image with channels on axis 1 like the result, and a weight with an
/// element per channel; nulls for other ops.
std::pair<mlir::Value, mlir::Value> withChannels(mlir::Operation *op);
/// Whether two values broadcast alike: their shapes differ in leading axes of size 1 at most.
bool isLike(mlir::Value a, mlir::Value b);
/// Whether a factor takes no product of ordinary numbers to infinity or to zero, wherever it stands.
bool isModest(const llvm::APFloat &factor);
/// Whether `op` multiplies by a matrix of weights of its own, and adds nothing or weights that are one per column: both
/// can be others. The elements may be of any type.
bool isProjection(MatmulOp op);
mlir::Value reshaped(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value, llvm::ArrayRef<int64_t> shape);
/// weight * scale, which has the weight's type.
mlir::Value product(mlir::OpBuilder &b, mlir::Location loc, mlir::Value weight, mlir::Value scale);
/// Puts the weight `value`, and what it is made of, in front of `op`.
void makeAvailable(mlir::Value value, mlir::Operation *op);
/// a * b of two factors, as one number where they are numbers.
mlir::Value joined(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value a, mlir::Value b);

/// Finds the weights that a factor of `value` can go into, and makes them. Nothing else reads what is between.
class Scaling {
public:
  /// With `joinsOnes` also a factor of one element goes into another.
  Scaling(mlir::PatternRewriter &rewriter, mlir::Value scale, bool joinsOnes)
      : b(rewriter), scale(scale), joinsOnes(joinsOnes) {}

  /// Whether `value` * scale can be computed with other weights.
  bool canScale(mlir::Value value, int depth = 8) const;
  /// That value; its last op is at `loc`.
  mlir::Value apply(mlir::Value value, mlir::Location loc);

private:
  mlir::Value factorOf(MultiplyOp op) const;
  bool scalesColumns(MatmulOp op) const;
  template <typename OpTy>
  bool scalesChannels(OpTy op, int64_t channels) const;
  mlir::Value rebuilt(mlir::Operation *op, mlir::Location loc, llvm::ArrayRef<mlir::Value> operands);
  template <typename OpTy>
  mlir::Value scaledConvolution(OpTy op, mlir::Location loc, int64_t axis);

  mlir::PatternRewriter &b;
  mlir::Value scale;
  bool joinsOnes;
};

/// Patterns that put scales and terms of what matrix products read into the weights of the products.
void populateNormsIntoProducts(mlir::RewritePatternSet &patterns);
/// Patterns that put scales and terms of what convolutions read into the weights of the convolutions.
void populateAffineIntoConvolutions(mlir::RewritePatternSet &patterns);
/// Patterns that make one convolution of a sum of several of one value, and of that value itself.
void populateSumsOfConvolutions(mlir::RewritePatternSet &patterns);
/// Patterns that put factors within gated activations into the weights in front of them and behind them.
void populateGatedScales(mlir::RewritePatternSet &patterns);
/// Patterns that choose by what is known of a mask when the program is written.
void populateKnownMasks(mlir::RewritePatternSet &patterns);
/// Patterns that put factors behind rotary embeddings into the weights of projections, and signs into tables.
void populateFactorsThroughEmbeddings(mlir::RewritePatternSet &patterns);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_SCALING_H
