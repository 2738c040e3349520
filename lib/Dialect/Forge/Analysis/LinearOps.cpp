//===- LinearOps.cpp - x * W + b, and the terms of linear ops -------------===//

#include "forge/Dialect/Forge/Analysis/LinearOps.h"

#include "Terms.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/Rounding.h"

using namespace mlir;
using namespace forge;

// The operand of an optional bias, or null.
static OpOperand *operandOf(MutableOperandRange bias) { return bias.empty() ? nullptr : &bias[0]; }

static int64_t lastAxis(Value value) { return tensorType(value).getRank() - 1; }

// `columns` is the axis of output channels of the filters, which are [out, in, H, W], or [in, out, H, W] if the
// convolution is transposed.
template <typename OpTy>
WeightProduct WeightProduct::ofConvolution(OpTy op, int64_t columns) {
  int64_t channels = op.getChannelLast() ? 3 : 1; // of x and of the result
  auto groups = static_cast<int64_t>(op.getGroups());
  return {&op.getActivationsMutable(),
          op.getWeightsMutable(),
          operandOf(op.getBiasMutable()),
          channels,
          columns,
          channels,
          groups};
}

// Matches `op` as x * W + b, where W may be any value.
std::optional<WeightProduct> WeightProduct::ofAnyRight(Operation *op) {
  if (auto conv = dyn_cast<Conv2dOp>(op))
    return ofConvolution(conv, /*columns=*/0);
  if (auto conv = dyn_cast<Conv2dTransposeOp>(op))
    return ofConvolution(conv, /*columns=*/1);
  if (auto rows = dyn_cast<EmbeddingOp>(op))
    return WeightProduct(/*x=*/nullptr, rows.getEmbeddingTableMutable(), /*bias=*/nullptr, lastAxis(rows),
                         /*columns=*/1, /*channels=*/0, /*groups=*/1);
  auto matmul = dyn_cast<MatmulOp>(op);
  if (!matmul || tensorType(matmul.getOperandB()).getRank() != 2)
    return std::nullopt;
  return WeightProduct(&matmul.getOperandAMutable(), matmul.getOperandBMutable(), operandOf(matmul.getBiasMutable()),
                       lastAxis(matmul), /*columns=*/1, lastAxis(matmul.getOperandA()), /*groups=*/1);
}

std::optional<WeightProduct> WeightProduct::of(Operation *op) {
  std::optional<WeightProduct> found = op ? ofAnyRight(op) : std::nullopt;
  // A weight without elements has no other form: a reshape has a positive shape.
  bool isMatch =
      found && mayBeStoredOtherwise(found->weights->get()) && tensorType(found->weights->get()).getNumElements() > 0;
  return isMatch ? found : std::nullopt;
}

std::optional<WeightProduct> WeightProduct::withSum(Value value) {
  auto sum = value.getDefiningOp<AddOp>();
  if (!sum)
    return of(value);
  for (unsigned index : {0, 1}) {
    Value own = sum->getOperand(index);
    OpOperand &bias = sum->getOpOperand(1 - index);
    std::optional<WeightProduct> product = ofReadOnce(own);
    if (!product || product->bias || own.getType() != value.getType() || !isWeight(bias.get()) ||
        product->axis != sum.getType().getRank() - 1)
      continue;
    product->bias = &bias;
    product->sum = sum;
    return product;
  }
  return std::nullopt;
}

bool WeightProduct::mayReplaceBias() const {
  if (!bias)
    return true;
  // The filters of a transposed convolution have the output channels of one group only.
  int64_t count = shapeOf(weights->get())[columns] * (isa<Conv2dTransposeOp>(op()) ? groups : 1);
  ArrayRef<int64_t> shape = shapeOf(bias->get());
  return !shape.empty() && shape.back() == count && tensorType(bias->get()).getNumElements() == count &&
         mayBeStoredOtherwise(bias->get()) && !mayRoundOnPurpose(bias->get());
}

bool WeightProduct::isUnpadded() const {
  auto isZero = [](int64_t size) { return size == 0; };
  auto conv = dyn_cast<Conv2dOp>(op());
  return isa<MatmulOp>(op()) || (conv && llvm::all_of(conv.getPadding(), isZero));
}

bool WeightProduct::isOfSinglePixels() const {
  auto conv = dyn_cast<Conv2dOp>(op());
  return isUnpadded() && (!conv || tensorType(conv.getWeights()).getNumElements() ==
                                       shapeOf(conv.getWeights())[0] * shapeOf(conv.getWeights())[1]);
}

SmallVector<Term, 2> forge::termsOf(Operation *op) {
  MutableArrayRef<OpOperand> operands = op->getOpOperands();
  SmallVector<Term, 2> terms;
  if (isa<AddOp, SubtractOp, ConcatenateOp, WhereOp>(op)) {
    for (OpOperand &operand : isa<WhereOp>(op) ? operands.drop_front() : operands) // not the condition
      terms.push_back({&operand});
  } else if (isa<MultiplyOp, MatmulOp, Conv2dOp, Conv2dTransposeOp>(op)) {
    terms.push_back({&operands[0], &operands[1]});
    if (operands.size() == 3)
      terms.push_back({&operands[2]});
  } else if (isa<EmbeddingOp>(op)) {
    terms.push_back({&operands[1]});
  } else if (isa<DivideOp, ReshapeOp, SqueezeOp, UnsqueezeOp, TransposeOp, IndexOp, RepeatOp, RepeatInterleaveOp,
                 BroadcastOp, AvgPool2dOp, ReduceAvgOp, ReduceSumOp>(op)) {
    terms.push_back({&operands[0]});
  }
  return terms;
}
