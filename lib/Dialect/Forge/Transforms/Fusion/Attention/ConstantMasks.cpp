//===- ConstantMasks.cpp - attention masks with a constant factor ---------===//

#include "Fusion/Monomial.h"
#include "Fusion/Rewrites.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Operands.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

// Evaluates where(mask, yes, no). Null if the mask has other elements than 0 and 1, or is large.
static DenseElementsAttr evaluateWhere(DenseElementsAttr mask, FloatType element, double yes, double no) {
  constexpr int64_t kMost = 1 << 20;
  if (!isa<IntegerType>(mask.getElementType()) || mask.getNumElements() > kMost ||
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
  // x may have more axes of size 1 than the condition, which the result would lose.
  if (tensorType(op.getX()).getRank() > both.getType().getRank())
    return failure();
  for (auto [constant, mask] : inEitherOrder(both)) {
    DenseElementsAttr elements;
    if (!matchPattern(constant, m_Constant(&elements)) || elements.isSplat())
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
