//===- FlattenedProducts.cpp - permutations folded into weights -----------===//
//
// A product of a flattened image multiplies each element of the image by a row of its weights. If the axes of the image
// are permuted before they are flattened, as between convolutions with channels last and a classifier, the rows of the
// weights are permuted instead, when the weights file is written:
//
//     [N, H, W, C] -> transposes [N, C, H, W] -> reshape [N, C H W] -> product
//
// The same holds for the columns of a product that become an image, as in the decoder of a generator.
//
//===----------------------------------------------------------------------===//

#include "Fusion/Rewrites.h"
#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"

using namespace mlir;
using namespace forge;

namespace {
/// Transposes, each the only user of the one before it, that exchange trailing axes only: [N, H, W, C] to [N, C, H, W]
/// with one leading axis.
struct TrailingPermutation {
  SmallVector<TransposeOp> swaps; ///< The last one first.
  int64_t leading = 0;            ///< The number of leading axes, which are not exchanged.

  /// The transposes that end with `value`, from the last one back to one whose operand is no transpose, or a transpose
  /// with other users. None if there is none, or if one exchanges one of the `leading` axes.
  static std::optional<TrailingPermutation> endingWith(Value value, int64_t leading) {
    TrailingPermutation found;
    found.leading = leading;
    while (auto swap = value.getDefiningOp<TransposeOp>()) {
      if (!found.swaps.empty() && !swap->hasOneUse())
        break;
      auto [first, second] = swapOf(swap);
      if (std::min(first, second) < leading)
        return std::nullopt;
      found.swaps.push_back(swap);
      value = swap.getOperandA();
    }
    return found.swaps.empty() ? std::nullopt : std::optional(found);
  }

  /// The operand of the first transpose.
  Value source() const { return TransposeOp(swaps.back()).getOperandA(); }
  /// `weight` with a permuted axis `axis`, which has an element for each element of the flattened trailing axes of
  /// source(): it is split into these axes, transposed as the transposes do, and flattened again. With `inverse`, the
  /// axis has the order after the transposes, and gets that of source(): rows [C * H * W, columns] become
  /// [H * W * C, columns] in the example above.
  Value withPermutedAxis(ImplicitLocOpBuilder &b, Value weight, int64_t axis, bool inverse) const {
    // A permuted splat is the same splat, but would be a call, because splats are not stored in the weights file.
    DenseElementsAttr elements;
    if (matchPattern(withoutMoves(weight), m_Constant(&elements)) && elements.isSplat())
      return weight;
    SmallVector<int64_t> flat(shapeOf(weight)), shape(flat);
    TransposeOp last = swaps.front();
    ArrayRef<int64_t> sizes = shapeOf(inverse ? last.getResult() : source()).drop_front(leading);
    shape.erase(shape.begin() + axis);
    shape.insert(shape.begin() + axis, sizes.begin(), sizes.end());
    Value value = reshaped(b, weight, shape);
    // Axis `leading` + i of the transposed value is axis `axis` + i of the split weight; counted from the end here.
    int64_t shift = axis - leading - static_cast<int64_t>(shape.size());
    auto exchange = [&](TransposeOp swap) {
      auto [first, second] = swapOf(swap);
      value = TransposeOp::create(b, value, first + shift, second + shift);
    };
    if (inverse)
      llvm::for_each(swaps, exchange);
    else
      llvm::for_each(llvm::reverse(swaps), exchange);
    return reshaped(b, value, flat);
  }
};
} // namespace

// The number of axes of `shape` before the trailing axes that have `size` elements together; none if no trailing axes
// have that many. [2, 3, 4, 5] and 20 give 2.
static std::optional<int64_t> axesBeforeFlattened(ArrayRef<int64_t> shape, int64_t size) {
  int64_t elements = 1, axis = shape.size();
  while (axis > 0 && elements < size)
    elements *= shape[--axis];
  return elements == size ? std::optional(axis) : std::nullopt;
}

// Whether `use` is the left operand of a matrix product whose right one is a weight.
static bool isReadByProjection(OpOperand &use) {
  std::optional<WeightProduct> product =
      isa<MatmulOp>(use.getOwner()) ? WeightProduct::of(use.getOwner()) : std::nullopt;
  return product && product->x == &use;
}

// `op` flattens the trailing axes after transposes of them. This rewrite makes it flatten the value before the
// transposes. That changes the order of its elements, so that every user has to be a product with weights, whose rows
// are permuted in the same way.
LogicalResult forge::permuteFlattenedRows(ReshapeOp op, PatternRewriter &rewriter) {
  ArrayRef<int64_t> flat = op.getShape();
  // If the transposed value has other users, the transposes remain. A weight without elements cannot be reshaped.
  if (flat.empty() || op.getType().getNumElements() == 0 || op->use_empty() || !op.getOperandA().hasOneUse())
    return failure();
  std::optional<int64_t> leading = axesBeforeFlattened(shapeOf(op.getOperandA()), flat.back());
  auto permutation = leading ? TrailingPermutation::endingWith(op.getOperandA(), *leading) : std::nullopt;
  if (!permutation || !llvm::all_of(op->getUses(), isReadByProjection))
    return failure();
  ImplicitLocOpBuilder b(withoutTrace(op.getLoc()), rewriter);
  for (Operation *user : op->getUsers()) {
    auto product = cast<MatmulOp>(user);
    b.setInsertionPoint(product);
    Value weights = permutation->withPermutedAxis(b, product.getOperandB(), /*axis=*/0, /*inverse=*/true);
    rewriter.modifyOpInPlace(product, [&] { product.getOperandBMutable().assign(weights); });
  }
  b.setInsertionPoint(op);
  rewriter.replaceOp(op, ReshapeOp::create(b, op.getType(), permutation->source(), flat));
  return success();
}

// `op` is the last of some transposes after a reshape that splits the columns of a product. The columns are permuted
// instead. That changes the values of the product, of the functions between the product and the reshape, and of the
// reshape, so that none of them may have other users. Functions of one operand compute each element alone, in any
// order.
LogicalResult forge::permuteFlattenedColumns(TransposeOp op, PatternRewriter &rewriter) {
  Value image = op;
  while (auto swap = image.getDefiningOp<TransposeOp>())
    image = swap.getOperandA();
  auto split = image.getDefiningOp<ReshapeOp>();
  // The pattern is tried on each transpose of a chain, and matches at the last one.
  bool isLastTranspose = !op->hasOneUse() || !isa<TransposeOp>(*op->user_begin());
  if (!split || !split->hasOneUse() || op.getType().getNumElements() == 0 || !isLastTranspose)
    return failure();
  ArrayRef<int64_t> flat = shapeOf(split.getOperandA()), shape = split.getShape();
  bool splitsLastAxis =
      !flat.empty() && shape.size() > flat.size() && shape.take_front(flat.size() - 1) == flat.drop_back();
  if (!splitsLastAxis)
    return failure();
  auto permutation = TrailingPermutation::endingWith(op, static_cast<int64_t>(flat.size()) - 1);
  auto [columns, functions] = withoutUnaryOps(split.getOperandA());
  std::optional<WeightProduct> product = columns.hasOneUse() ? WeightProduct::withSum(columns) : std::nullopt;
  bool hasAllTransposes = permutation && permutation->source() == split.getResult();
  // The columns of a matrix product are the trailing axis, which `split` splits. Those of a convolution are channels.
  if (!hasAllTransposes || !product || !isa<MatmulOp>(product->op()) || !product->mayReplaceBias())
    return failure();
  ImplicitLocOpBuilder b(withoutTrace(op.getLoc()), rewriter);
  Value value = withColumns(b, *product, [&](Value weight, int64_t axis) {
    return permutation->withPermutedAxis(b, weight, axis, /*inverse=*/false);
  });
  for (Operation *each : llvm::reverse(functions))
    value = cloneOn(rewriter, b.getLoc(), each, value);
  rewriter.replaceOp(op, ReshapeOp::create(rewriter, op.getLoc(), op.getType(), value, op.getType().getShape()));
  return success();
}
