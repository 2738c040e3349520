//===- GatedScales.cpp - factors within gated activations -----------------===//
//
// x * f(c * x), as QuickGELU and hard swish compute, is (1 / c) * y * f(y) with y = c * x. Weights in front of it take
// the one factor and weights behind it the other.
//
//===----------------------------------------------------------------------===//

#include "Fusion/Scaling.h"

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/Constants.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Operands.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace forge;

// Whether `op` multiplies its first operand by weights of its own.
static bool hasOwnWeights(Operation *op) {
  auto matmul = dyn_cast<MatmulOp>(op);
  return (matmul ? tensorType(matmul.getOperandB()).getRank() == 2 : isa<Conv2dOp, Conv2dTransposeOp>(op)) &&
         isFloat32(op->getResult(0)) && mayBeStoredOtherwise(op->getOperand(1));
}

// Whether `op` gives such a product, and what it adds are weights, too.
static bool isProductWithWeights(Operation *op) {
  if (!op || !hasOwnWeights(op))
    return false;
  auto matmul = dyn_cast<MatmulOp>(op);
  return matmul ? isProjection(matmul) : op->getNumOperands() < 3 || mayBeStoredOtherwise(op->getOperand(2));
}

namespace {
/// What depends linearly on a value, up to the products with weights that take a factor of it.
class Readers {
public:
  /// Whether all that reads `value` is linear in it.
  bool collect(Value value) {
    return llvm::all_of(value.getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      // What reads it twice has the factor squared.
      if (ops.size() == kMost || !ops.insert(user))
        return false;
      if (use.getOperandNumber() == 0 && hasOwnWeights(user))
        return true;
      return isa<AvgPool2dOp, ReduceAvgOp, ReshapeOp, TransposeOp, MultiplyOp>(user) && collect(user->getResult(0));
    });
  }

  /// What is between is `factor` times the ONNX value from now on, which weights divide by.
  void divide(PatternRewriter &rewriter, float factor) const {
    for (Operation *op : ops) {
      if (!hasOwnWeights(op)) {
        rewriter.modifyOpInPlace(op, [&] { scaleTrace(op, factor); });
        continue;
      }
      rewriter.setInsertionPoint(op);
      Location loc = withoutTrace(op->getLoc());
      auto scalar = RankedTensorType::get({1}, rewriter.getF32Type());
      Value number = ScalarConstantOp::create(rewriter, loc, scalar, APFloat(1 / factor), scalar.getElementType());
      Value weights = product(rewriter, loc, op->getOperand(1), number);
      rewriter.modifyOpInPlace(op, [&] { op->setOperand(1, weights); });
    }
  }

private:
  static constexpr size_t kMost = 16;
  llvm::SetVector<Operation *> ops;
};

/// x * g with y = c * x, where nothing else reads x: y * g, with the weights behind it divided by c.
struct GateOfScaled : OpRewritePattern<MultiplyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MultiplyOp op, PatternRewriter &rewriter) const override {
    for (auto [x, gate] : bothWays(op)) {
      auto [scaled, factor] = onlyScaled(x, op);
      if (!scaled || x.getType() != op.getType() || !isProductWithWeights(x.getDefiningOp()))
        continue;
      Readers readers;
      if (!readers.collect(op))
        continue;
      readers.divide(rewriter, factor);
      rewriter.modifyOpInPlace(op, [&, x = x, y = scaled, factor = factor] {
        scaleTrace(op, factor);
        op->replaceUsesOfWith(x, y);
      });
      rewriter.modifyOpInPlace(scaled.getDefiningOp(), [&, x = x, y = scaled, factor = factor] {
        for (TracedName traced : tracedValues(x.getLoc()))
          traceValue(cast<OpResult>(y), {traced.name, traced.shape, traced.scale * factor});
      });
      return success();
    }
    return failure();
  }

private:
  // `x` times a number, and that number, if nothing else reads `x` but `gated`.
  static std::pair<Value, float> onlyScaled(Value x, MultiplyOp gated) {
    if (!x.getDefiningOp() || !x.hasNUses(2))
      return {};
    for (Operation *user : x.getUsers()) {
      if (user == gated || !isa<MultiplyOp, DivideOp>(user) || user->getResult(0).getType() != x.getType())
        continue;
      bool divides = isa<DivideOp>(user), isFirst = user->getOperand(0) == x;
      auto scalar = user->getOperand(isFirst ? 1 : 0).getDefiningOp<ScalarConstantOp>();
      if (!scalar || !isModest(scalar.getConstant()) || (divides && !isFirst) || !user->isBeforeInBlock(gated))
        continue;
      float number = scalar.getConstant().convertToFloat();
      return {user->getResult(0), divides ? 1 / number : number};
    }
    return {};
  }
};
} // namespace

void forge::populateGatedScales(RewritePatternSet &patterns) {
  patterns.addWithLabel<GateOfScaled>({"scales-folded"}, patterns.getContext());
}
