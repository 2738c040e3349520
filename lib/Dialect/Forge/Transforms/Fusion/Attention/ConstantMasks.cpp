//===- ConstantMasks.cpp - attention masks with a constant factor ---------===//
//
// For scalars x and y, and a constant C of zeros and ones, such as a causal mask next to a padding mask,
//
//     where(C * mask, x, y)  ->  where(mask, where(C, x, y), y)
//
// The inner op is a constant. Both forms give x where C and the mask are not 0, and y elsewhere.
//
//===----------------------------------------------------------------------===//

#include "Fusion/Rewrites.h"

using namespace mlir;
using namespace forge;

// The value of where(mask, yes, no), with elements of type `element`. Null if the mask has other elements than 0 and 1,
// or more elements than a new constant may have.
static DenseElementsAttr evaluateWhere(DenseElementsAttr mask, FloatType element, double yes, double no) {
  constexpr int64_t kMostElements = 1 << 20;
  if (!isa<IntegerType>(mask.getElementType()) || mask.getNumElements() > kMostElements ||
      !Interval::boolean().contains(Interval::ofConstant(mask)))
    return {};
  HostTensor selected{cast<RankedTensorType>(mask.getType()).clone(element), {}, {}};
  for (int64_t each : HostTensor::fromAttr(mask).ints)
    selected.floats.push_back(each == 0 ? no : yes);
  return selected.toAttr();
}

LogicalResult forge::foldConstantMask(WhereOp op, PatternRewriter &rewriter) {
  auto both = op.getCondition().getDefiningOp<MultiplyOp>();
  auto element = dyn_cast<FloatType>(op.getType().getElementType());
  std::optional<double> yes = scalarValue(op.getX()), no = scalarValue(op.getY());
  // With other users the product remains, and nothing is saved.
  if (!both || !element || !yes || !no || !llvm::all_of(both->getUsers(), llvm::IsaPred<WhereOp>))
    return failure();
  // x may have more axes of size 1 than the condition, which the result would lose, because only y remains.
  if (tensorType(op.getX()).getRank() > both.getType().getRank())
    return failure();
  for (auto [constant, mask] : inEitherOrder(both)) {
    DenseElementsAttr elements;
    if (!matchPattern(constant, m_Constant(&elements)) || elements.isSplat()) // A splat masks all elements or none.
      continue;
    DenseElementsAttr values = evaluateWhere(elements, element, *yes, *no);
    if (!values)
      continue;
    Value z = ConstantOp::create(rewriter, withoutTrace(op.getLoc()), values);
    rewriter.replaceOpWithNewOp<WhereOp>(op, op.getType(), mask, z, op.getY());
    return success();
  }
  return failure();
}
