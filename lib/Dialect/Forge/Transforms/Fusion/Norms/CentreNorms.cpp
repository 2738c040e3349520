//===- CentreNorms.cpp - centres the inputs of layer norms ----------------===//
//
// A layer norm first subtracts the mean along the trailing axis. In a residual network its operand is a sum of
// products with weights, of rows of embedding tables, and of constants. If the mean along that axis is subtracted from
// the weights, tables and constants, the mean of the sum is 0, and the layer norm need not subtract it:
//
//     layernorm(add(matmul(%x, %W), %r))  ->  n(add(matmul(%x, %W - mean(%W)), %r - mean(%r)))
//
// where n are the steps of the layer norm after that subtraction.
//
//===----------------------------------------------------------------------===//

#define GEN_PASS_DEF_FORGECENTRENORMSPASS
#include "Fusion/Decompositions.h"
#include "Fusion/Rewrites.h"
#include "PassCommon.h"
#include "forge/Dialect/Forge/Analysis/AxisSums.h"
#include "forge/Dialect/Forge/Analysis/ZeroSigns.h"

using namespace mlir;
using namespace forge;

// x - mean(x), along `axis`.
static Value withoutMean(OpBuilder &b, Location loc, Value x, int64_t axis) {
  return SubtractOp::create(b, loc, tensorType(x), x, ReduceAvgOp::create(b, loc, x, axis, /*keep_dim=*/true));
}

// c / sqrt(mean(c * c) + epsilon) * scale + bias, for c = x - mean(x). Scales of 1 are left out, and so are biases of
// zeros that add nothing: a result of -0, as for a scale of 0, remains -0 only without an addition of +0.
void forge::decomposeLayerNorm(RewriterBase &rewriter, LayernormOp op, const ZeroSigns &signs, Value centred) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  ImplicitLocOpBuilder b(withoutTrace(op.getLoc()), rewriter);
  RankedTensorType type = op.getType();
  // A layer norm takes scales with more leading axes of size 1 than its operand has, and a product would keep them.
  auto perChannel = [&](Value x) { return reshaped(b, x, shapeOf(x).take_back(type.getRank())); };
  if (!centred)
    centred = withoutMean(b, b.getLoc(), op.getOperandA(), /*axis=*/-1);
  Value square = MultiplyOp::create(b, type, centred, centred);
  Value variance = ReduceAvgOp::create(b, square, int64_t(-1), /*keep_dim=*/true);
  auto scalar = RankedTensorType::get({1}, type.getElementType());
  Value epsilon = ScalarConstantOp::create(b, scalar, op.getEpsilon(), type.getElementType());
  Value deviation = SqrtOp::create(b, AddOp::create(b, variance.getType(), variance, epsilon));
  Value result = DivideOp::create(b, type, centred, deviation);
  if (!matchPattern(op.getWeights(), m_OneFloat()))
    result = MultiplyOp::create(b, type, result, perChannel(op.getWeights()));
  if (!addsNothing(op.getBias(), signs.matter(op)))
    result = AddOp::create(b, type, result, perChannel(op.getBias()));
  replaceOnnxValue(rewriter, op, result);
}

// Whether `use` is the operand of a layer norm in Float32: the norm has the same result if that operand is centred.
// Norms without elements are not decomposed.
static bool isOperandOfNorm(OpOperand &use) {
  auto norm = dyn_cast<LayernormOp>(use.getOwner());
  return norm && use.getOperandNumber() == 0 && isFloat32(norm) && norm.getType().getNumElements() != 0;
}

// Centres the sums of `part`, which have to change together, by centring their addends. The norms whose operands these
// sums are (`part.unaffectedUses`) then need no subtraction of means. To centre a weight costs nothing. Other addends
// that are no sums of the part (`part.fixed`) take a subtraction each, so that this is done only if there are more
// norms than such addends.
static void centre(const AxisSums &residuals, const AxisSums::Part &part, const ZeroSigns &signs, IRRewriter &rewriter,
                   ReportingPass &pass) {
  // An addend with a layer norm among its users costs nothing: the norm subtracts its mean anyway, and the two equal
  // subtractions are merged.
  auto takesSubtraction = [](Value addend) { return llvm::none_of(addend.getUses(), isOperandOfNorm); };
  if (static_cast<size_t>(llvm::count_if(part.fixed, takesSubtraction)) >= part.unaffectedUses.size() ||
      !pass.mayRewrite(part.unaffectedUses.front()->getOwner(), "sums-centred"))
    return;
  llvm::DenseMap<Value, Value> centredAddends;
  for (Value addend : part.fixed) {
    rewriter.setInsertionPointAfterValue(addend);
    centredAddends[addend] = withoutMean(rewriter, withoutTrace(addend.getLoc()), addend, /*axis=*/-1);
  }
  for (Operation *sum : part.sums) {
    rewriter.setInsertionPoint(sum);
    Location loc = withoutTrace(sum->getLoc());
    rewriter.modifyOpInPlace(sum, [&] {
      sum->setLoc(loc);
      for (auto [weights, axis] : residuals.addendsOf(sum).weights)
        weights->set(withoutMean(rewriter, loc, weights->get(), axis));
      // The addends that are not replaced here are sums of this part.
      for (OpOperand *addend : residuals.addendsOf(sum).values)
        if (Value replacement = centredAddends.lookup(addend->get()))
          addend->set(replacement);
    });
  }
  for (OpOperand *use : part.unaffectedUses) {
    auto norm = cast<LayernormOp>(use->getOwner());
    decomposeLayerNorm(rewriter, norm, signs, norm.getOperandA());
  }
}

namespace {
struct ForgeCentreNormsPass : forge::impl::ForgeCentreNormsPassBase<ForgeCentreNormsPass>, ReportingPass {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!deviceBlock(func))
      return;
    SmallVector<Value> inputs; // of norms
    func.walk([&](LayernormOp norm) {
      Value x = norm.getOperandA();
      // AxisSums takes a trailing axis of size 1 for one that is broadcast.
      bool hasRows = norm.getType().getRank() != 0 && norm.getType().getShape().back() != 1;
      if (isFloat32(norm) && hasRows && !isWeight(x))
        inputs.push_back(x);
    });
    IRRewriter rewriter(&getContext());
    ZeroSigns signs(func); // of the norms, which are only replaced
    AxisSums residuals(inputs, isOperandOfNorm);
    residuals.forEachPart([&](const AxisSums::Part &part) { centre(residuals, part, signs, rewriter, *this); });
  }
};
} // namespace
