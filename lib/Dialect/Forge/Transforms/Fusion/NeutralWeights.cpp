//===- NeutralWeights.cpp - removes x + 0, x * 1 and biases of 0 ----------===//

#include "Fusion/Rewrites.h"
#include "MixedTypes.h"
#include "PassCommon.h"
#include "forge/Dialect/Forge/Analysis/ZeroSigns.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace forge;

bool forge::addsNothing(Value weight, bool signMatters) {
  if (auto scalar = weight.getDefiningOp<ScalarConstantOp>())
    return scalar.getConstant().isZero() && (!signMatters || scalar.getConstant().isNegative());
  return matchPattern(weight, signMatters ? m_NegZeroFloat() : m_AnyZeroFloat()) ||
         matchPattern(weight, m_Zero()); // of integers
}

// x if `op`, an addition or a multiplication, is x + 0 or x * 1 and has the type of x; else null.
static Value neutralOperand(Operation *op, const ZeroSigns &signs) {
  Value result = op->getResult(0);
  for (auto [x, other] : inEitherOrder(op)) {
    Value weight = withoutMoves(other);
    bool isNeutral = isa<AddOp>(op) ? addsNothing(weight, signs.matter(result)) : matchPattern(weight, m_OneFloat());
    if (isNeutral && x.getType() == result.getType())
      return x;
  }
  return {};
}

// A bias is an addend: +0 changes results of -0 to 0 (addsNothing). A bias that makes the result float32 remains
// (hasTypeOfFactors).
void forge::dropNeutralWeights(func::FuncOp func, ReportingPass &pass) {
  ZeroSigns signs(func);
  auto mayDrop = [&](Operation *op) { return pass.mayRewrite(op, "neutral-weights-dropped"); };
  for (Operation &op : llvm::make_early_inc_range(func.front()))
    llvm::TypeSwitch<Operation *>(&op)
        .Case<AddOp, MultiplyOp>([&](auto sumOrProduct) {
          Value x = neutralOperand(sumOrProduct, signs);
          if (!x || !mayDrop(&op))
            return;
          sumOrProduct.replaceAllUsesWith(x);
          op.erase();
        })
        .Case<MatmulOp, Conv2dOp, Conv2dTransposeOp>([&](auto product) {
          if (product.getBias() && addsNothing(withoutMoves(product.getBias()), signs.matter(product.getResult())) &&
              hasTypeOfFactors(product) && mayDrop(&op))
            product.getBiasMutable().clear();
        });
}
