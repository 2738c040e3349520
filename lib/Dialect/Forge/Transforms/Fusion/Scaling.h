//===- Scaling.h - factors and terms in weights -----------------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_SCALING_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_SCALING_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "mlir/IR/PatternMatch.h"

namespace forge {

class AffineRegion;
struct FastMath;
struct WeightProduct;

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
/// Whether a weight times `factor` is as finite as the weight: the elements of `factor` are of ordinary size, or not
/// known. With `divides` its inverse is meant, of which `takesReciprocals` says that no element is 0.
bool isOrdinary(mlir::Value factor, bool divides = false, bool takesReciprocals = false);
/// Whether `op` multiplies by a matrix of weights of its own, and adds nothing or weights that are one per column: both
/// can be others. The elements may be of any type.
bool isProjection(MatmulOp op);
/// What a weight is before it is moved: the same elements in another order.
mlir::Value withoutMoves(mlir::Value weight);

mlir::Value reshaped(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value, llvm::ArrayRef<int64_t> shape);
/// `value` with `before` and `after` more elements along `axis`, each of them `number`.
mlir::Value padded(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value, int64_t axis, int64_t before,
                   int64_t after, double number);
/// The matrix product `product`, which has no other readers, with other columns: `replace` is given the matrix and the
/// bias, each with the axis of its columns. Results are no ONNX values.
mlir::Value withColumns(mlir::OpBuilder &b, const WeightProduct &product,
                        llvm::function_ref<mlir::Value(mlir::Value weight, int64_t axis)> replace);
/// weight * scale, which has the weight's type.
mlir::Value product(mlir::OpBuilder &b, mlir::Location loc, mlir::Value weight, mlir::Value scale);
/// A number like `like` is one.
mlir::Value numberLike(mlir::OpBuilder &b, mlir::Location loc, ScalarConstantOp like, float number);
/// Puts the weight `value`, and what it is made of, in front of `op`.
void makeAvailable(mlir::Value value, mlir::Operation *op);
/// Multiplies the weights of `regions` by `factor`, a weight of one element or with one per item.
void scaleWeights(mlir::RewriterBase &rewriter, llvm::ArrayRef<AffineRegion> regions, mlir::Value factor);
/// Says that no value that changes with `region` is an ONNX value any more.
void dropTraces(mlir::RewriterBase &rewriter, const AffineRegion &region);

/// Patterns that put factors into the weights that what they multiply is made of, or that alone read it.
void populateFactorsIntoWeights(mlir::RewritePatternSet &patterns, FastMath allowed);
/// A pattern that applies factors of operands of matrix products to the products.
void populateFactorsAfterProducts(mlir::RewritePatternSet &patterns);
/// Patterns that put terms into the biases of products with weights that they are added to, or that alone read the sum.
void populateTermsIntoWeights(mlir::RewritePatternSet &patterns);
/// A pattern that multiplies neighbouring elements, and the same exchanged, by tables, where both are taken apart for
/// it.
void populateRotatedPairs(mlir::RewritePatternSet &patterns);
/// A pattern that puts signs of the columns that rotary embeddings turn into their tables.
void populateSignsIntoTables(mlir::RewritePatternSet &patterns);
/// Patterns that make one convolution of a sum of several of one value, and of that value itself.
void populateSumsOfConvolutions(mlir::RewritePatternSet &patterns);
/// Patterns that give products, sums with them and quotients the form that takes few kernels.
void populateProductForms(mlir::RewritePatternSet &patterns);
/// A pattern that multiplies weights element by element where a matrix product does.
void populateProductsOfWeights(mlir::RewritePatternSet &patterns);
/// A pattern that makes rows of the items of a product whose other operand repeats items.
void populateRepeatsAsRows(mlir::RewritePatternSet &patterns);
/// Patterns that choose by what is known of a mask when the program is written.
void populateKnownMasks(mlir::RewritePatternSet &patterns);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_FUSION_SCALING_H
