//===- CentreNorms.cpp - layer norms that need no mean --------------------===//
//
// A layer norm takes the mean of the last axis off first. What a residual network norms is a sum of products with
// weights, rows of tables and constants: with weights whose own mean along that axis is taken off, the sum has none.
//
//===----------------------------------------------------------------------===//

#include "Fusion/Norms/Norms.h"
#include "Fusion/Scaling.h"
#include "forge/Dialect/Forge/Analysis/AffineRegion.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/Rounding.h"
#include "forge/Dialect/Forge/IR/Constants.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/PassReport.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGECENTRENORMSPASS
#include "forge/Dialect/Forge/Transforms/Passes.h.inc"
} // namespace forge

void forge::spellNorm(RewriterBase &rewriter, LayernormOp op, Value centred) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  ImplicitLocOpBuilder b(withoutTrace(op.getLoc()), rewriter);
  RankedTensorType type = op.getType();
  auto mean = [&](Value x) { return ReduceAvgOp::create(b, x, int64_t(-1), true); };
  if (!centred)
    centred = SubtractOp::create(b, type, op.getOperandA(), mean(op.getOperandA()));
  Value variance = mean(MultiplyOp::create(b, type, centred, centred));
  auto scalar = RankedTensorType::get({1}, type.getElementType());
  Value epsilon = ScalarConstantOp::create(b, scalar, op.getEpsilon(), type.getElementType());
  Value deviation = SqrtOp::create(b, AddOp::create(b, variance.getType(), variance, epsilon));
  Value result = DivideOp::create(b, type, centred, deviation);
  if (!matchPattern(op.getWeights(), m_OneFloat()))
    result = MultiplyOp::create(b, type, result, op.getWeights());
  if (!matchPattern(op.getBias(), m_AnyZeroFloat()))
    result = AddOp::create(b, type, result, op.getBias());
  result.getDefiningOp()->setLoc(op.getLoc());
  rewriter.replaceOp(op, result);
}

namespace {
/// What the result of an op is a sum of, along its last axis, besides norms without scale and bias: it has no mean
/// there if none of these has.
struct Terms {
  SmallVector<OpOperand *> values;
  SmallVector<std::pair<OpOperand *, int64_t>> weights; ///< and the axis that becomes the last one
};
} // namespace

static int64_t lastSize(Value value) { return tensorType(value).getRank() == 0 ? 1 : shapeOf(value).back(); }

// Whether `value` is what a layer norm without scale and bias gives, which has no mean, moved or not.
static bool isOfNorm(Value value) {
  Operation *op = value.getDefiningOp();
  while (op && keepsLastAxis(op))
    op = op->getOperand(0).getDefiningOp();
  auto norm = dyn_cast_or_null<LayernormOp>(op);
  return norm && matchPattern(norm.getWeights(), m_OneFloat()) && matchPattern(norm.getBias(), m_AnyZeroFloat());
}

// Adds an operand that is added to the result as it is.
static bool addTerm(OpOperand &operand, int64_t size, Terms &terms) {
  Value value = operand.get();
  if (lastSize(value) != size)
    return false;
  if (isOfNorm(value))
    return true;
  if (!isWeight(value))
    terms.values.push_back(&operand);
  else if (mayBeStoredOtherwise(value) && !hasLargeConstant(value))
    terms.weights.push_back({&operand, tensorType(value).getRank() - 1});
  else
    return false;
  return true;
}

// The terms of what `op` gives along its last axis; none where it is no sum there.
static std::optional<Terms> sumOf(Operation *op) {
  if (op->getNumResults() != 1 || !isFloat32(op->getResult(0)))
    return std::nullopt;
  Value result = op->getResult(0);
  int64_t size = lastSize(result), last = tensorType(result).getRank() - 1;
  Terms terms;
  if (std::optional<WeightProduct> product = WeightProduct::of(op)) {
    // With groups no other channel can take part in a mean.
    if (product->axis != last || product->groups != 1)
      return std::nullopt;
    terms.weights.push_back({product->weights, product->columns});
    return !product->bias || addTerm(*product->bias, size, terms) ? std::optional(terms) : std::nullopt;
  }
  auto joined = dyn_cast<ConcatenateOp>(op);
  bool keeps = isElementwise(op) || keepsLastAxis(op) || (joined && fromFront(joined.getAxis(), last + 1) != last);
  SmallVector<Term, 2> products = keeps ? termsOf(op) : SmallVector<Term, 2>();
  // What else an op reads is the same along the axis: the other factor, a divisor, a condition.
  llvm::SmallPtrSet<OpOperand *, 2> rest;
  for (OpOperand &operand : op->getOpOperands())
    rest.insert(&operand);
  bool isSum = !products.empty() && llvm::all_of(products, [&](ArrayRef<OpOperand *> factors) {
    OpOperand *own = lastSize(factors.front()->get()) == 1 ? factors.back() : factors.front();
    rest.erase(own);
    return addTerm(*own, size, terms);
  });
  isSum = isSum && llvm::all_of(rest, [](OpOperand *operand) { return lastSize(operand->get()) == 1; });
  return isSum ? std::optional(terms) : std::nullopt;
}

namespace {
/// The values that layer norms read, and those that they are sums of or that are sums of them, in connected parts. A
/// value is centred where it is such a sum and nothing but norms and centred values is made of it.
class Residuals {
public:
  explicit Residuals(func::FuncOp func) {
    func.walk([&](LayernormOp norm) {
      if (isFloat32(norm) && lastSize(norm) > 1 && !isWeight(norm.getOperandA()))
        add(norm.getOperandA());
    });
    while (!pending.empty())
      explore(pending.pop_back_val());
    for (size_t next = 0; next < plain.size(); ++next)
      // What a value that stays is made of stays.
      if (auto made = terms.find(plain[next].getDefiningOp()); made != terms.end())
        for (OpOperand *term : made->second.values)
          plain.insert(term->get());
    for (Value value : values) {
      if (!isCentred(value))
        continue;
      parts.insert(value);
      for (OpOperand *term : terms.at(value.getDefiningOp()).values)
        if (isCentred(term->get()))
          parts.unionSets(value, term->get());
    }
  }

  /// Takes the means out of the weights of each part, and out of its norms, where fewer are left.
  void centre(IRRewriter &rewriter, ReportingPass &pass);

private:
  void add(Value value) {
    if (values.insert(value))
      pending.push_back(value);
  }

  // Notes how `value` is made, and what it is part of.
  void explore(Value value) {
    Operation *op = value.getDefiningOp();
    std::optional<Terms> made = op ? sumOf(op) : std::nullopt;
    if (made) {
      for (OpOperand *term : made->values)
        add(term->get());
      terms[op] = std::move(*made);
    } else {
      plain.insert(value);
    }
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (isNormOf(use))
        continue;
      std::optional<Terms> sum = sumOf(user);
      if (sum && llvm::is_contained(sum->values, &use))
        add(user->getResult(0));
      else
        plain.insert(value);
    }
  }

  static bool isNormOf(OpOperand &use) {
    auto norm = dyn_cast<LayernormOp>(use.getOwner());
    return norm && use.getOperandNumber() == 0 && isFloat32(norm);
  }

  bool isCentred(Value value) const { return values.contains(value) && !plain.contains(value); }

  llvm::SetVector<Value> values;
  llvm::SetVector<Value> plain; ///< those that stay what they are
  SmallVector<Value> pending;
  llvm::DenseMap<Operation *, Terms> terms;
  llvm::EquivalenceClasses<Value> parts;
};
} // namespace

// x less its mean along `axis`.
static Value centred(OpBuilder &b, Location loc, Value x, int64_t axis) {
  return SubtractOp::create(b, loc, tensorType(x), x, ReduceAvgOp::create(b, loc, x, axis, true));
}

void Residuals::centre(IRRewriter &rewriter, ReportingPass &pass) {
  for (const auto *leader : parts) {
    if (!leader->isLeader())
      continue;
    SmallVector<Operation *> sums;
    SmallVector<LayernormOp> norms;
    llvm::SetVector<Value> foreign; // terms that keep their means
    for (Value value : parts.members(*leader)) {
      sums.push_back(value.getDefiningOp());
      for (OpOperand *term : terms.at(sums.back()).values)
        if (!isCentred(term->get()))
          foreign.insert(term->get());
      for (OpOperand &use : value.getUses())
        if (isNormOf(use))
          norms.push_back(cast<LayernormOp>(use.getOwner()));
    }
    // A norm of such a term takes its mean off anyway.
    auto costs = [](Value term) { return llvm::none_of(term.getUses(), isNormOf); };
    if (static_cast<size_t>(llvm::count_if(foreign, costs)) >= norms.size() ||
        !pass.mayRewrite(norms.front(), "sums-centred"))
      continue;
    llvm::DenseMap<Value, Value> centredTerms;
    for (Value term : foreign) {
      rewriter.setInsertionPointAfterValue(term);
      centredTerms[term] = centred(rewriter, withoutTrace(term.getLoc()), term, -1);
    }
    for (Operation *sum : sums) {
      rewriter.setInsertionPoint(sum);
      Location loc = withoutTrace(sum->getLoc());
      rewriter.modifyOpInPlace(sum, [&] {
        sum->setLoc(loc);
        for (auto [weights, axis] : terms.at(sum).weights)
          weights->set(centred(rewriter, loc, weights->get(), axis));
        for (OpOperand *term : terms.at(sum).values)
          if (Value replacement = centredTerms.lookup(term->get()))
            term->set(replacement);
      });
    }
    for (LayernormOp norm : norms) {
      pass.did(RemarkPlace::of(norm), "means-dropped");
      spellNorm(rewriter, norm, norm.getOperandA());
    }
  }
}

namespace {
struct ForgeCentreNormsPass : forge::impl::ForgeCentreNormsPassBase<ForgeCentreNormsPass>, ReportingPass {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!deviceBlock(func))
      return;
    IRRewriter rewriter(&getContext());
    Residuals(func).centre(rewriter, *this);
  }
};
} // namespace
