//===- JoinConvolutions.cpp - convolutions side by side, as one -----------===//
//
// Convolutions of one value whose results are concatenated along the channels are one convolution with all their
// filters. Filters of a smaller window get zeros around them, as in MetaFlow (Jia et al., "Optimizing DNN Computation
// with Relaxed Graph Substitutions", 2019), where the calls and the copy that this saves cost more than those zeros.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic/FastMath.h"
#include "DeadOps.h"
#include "Fusion/Convolutions/Taps.h"
#include "Fusion/Scaling.h"
#include "Layout/ChannelMixing.h"
#include "forge/Dialect/Forge/Analysis/AxisSlice.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/Cost.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/PassReport.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGEJOINCONVOLUTIONSPASS
#include "forge/Dialect/Forge/Transforms/Passes.h.inc"
} // namespace forge

namespace {
/// A convolution, and the functions of one operand between it and the concatenation, which alone reads the last.
struct Branch {
  Conv2dOp convolution;
  SmallVector<Operation *> functions;

  static std::optional<Branch> of(Value value);
  bool isLike(const Branch &other) const;
};

/// Neighbouring branches that become one convolution.
struct Run {
  SmallVector<Branch> branches;
  FilterWindow window;

  explicit Run(const Branch &first) : branches{first}, window(windowOf(first.convolution)) {}

  Conv2dOp first() const { return branches.front().convolution; }
  std::optional<Run> with(const Branch &next) const;
  int64_t filters() const;
  int64_t multiplyAdds() const;
  bool hasZeros() const;
  bool mayBeStored(const ComputedWeights &known) const;
};

struct ForgeJoinConvolutionsPass : forge::impl::ForgeJoinConvolutionsPassBase<ForgeJoinConvolutionsPass>,
                                   ReportingPass {
  using ForgeJoinConvolutionsPassBase::ForgeJoinConvolutionsPassBase;

  void runOnOperation() override;

private:
  void join(ConcatenateOp op, const ComputedWeights &known);
  static StringRef rewriteOf(const Run &run, ConcatenateOp place);
  Value build(const Run &run, ConcatenateOp place);

};
} // namespace

std::optional<Branch> Branch::of(Value value) {
  Branch branch;
  for (Operation *op = value.getDefiningOp(); op && op->hasOneUse(); op = op->getOperand(0).getDefiningOp()) {
    if ((branch.convolution = dyn_cast<Conv2dOp>(op)))
      return branch;
    if (!isElementwise(op) || op->getNumOperands() != 1)
      return std::nullopt;
    branch.functions.push_back(op);
  }
  return std::nullopt;
}

bool Branch::isLike(const Branch &other) const {
  Conv2dOp a = convolution, b = other.convolution;
  return a.getActivations() == b.getActivations() && a.getStride() == b.getStride() && a.getGroups() == 1 &&
         b.getGroups() == 1 && !a.getChannelLast() && !b.getChannelLast() && !a.getBias() == !b.getBias() &&
         a.getType().getElementType() == b.getType().getElementType() &&
         llvm::equal(functions, other.functions, [](Operation *one, Operation *two) {
           return one->getName() == two->getName() && one->getAttrDictionary() == two->getAttrDictionary() &&
                  getElementTypeOrSelf(one->getResult(0)) == getElementTypeOrSelf(two->getResult(0));
         });
}

std::optional<Run> Run::with(const Branch &next) const {
  std::optional<FilterWindow> joined = joinedWindow(window, windowOf(next.convolution));
  if (!joined || !branches.front().isLike(next))
    return std::nullopt;
  Run run = *this;
  run.branches.push_back(next);
  run.window = *joined;
  return run;
}

int64_t Run::filters() const {
  int64_t count = 0;
  for (Branch branch : branches)
    count += shapeOf(branch.convolution.getWeights())[0];
  return count;
}

int64_t Run::multiplyAdds() const {
  RankedTensorType type = first().getType(), weights = tensorType(first().getWeights());
  SmallVector<int64_t> outputs(type.getShape());
  outputs[1] = filters();
  return convolutionMultiplyAdds(
      type.clone(outputs), weights.clone({outputs[1], weights.getDimSize(1), window[0].size(), window[1].size()}));
}

// Whether filters get zeros around them.
bool Run::hasZeros() const {
  return llvm::any_of(branches, [&](const Branch &branch) {
    FilterWindow own = windowOf(branch.convolution);
    return own[0].size() != window[0].size() || own[1].size() != window[1].size();
  });
}

// Whether the filters of all can be computed with the weights.
bool Run::mayBeStored(const ComputedWeights &known) const {
  int64_t taps = window[0].size() * window[1].size(), sources = 0;
  for (const Branch &branch : branches) {
    Conv2dOp convolution = branch.convolution;
    Value weights = convolution.getWeights(), bias = convolution.getBias();
    std::optional<int64_t> elements = known.sourceElements(weights);
    if (!elements || !mayBeStoredOtherwise(weights) || (bias && !mayBeStoredOtherwise(bias)))
      return false;
    ArrayRef<int64_t> shape = shapeOf(weights);
    if (!mayBePassedThrough(shape[0] * shape[1] * taps, *elements))
      return false;
    sources += *elements;
  }
  return forge::mayBeStored(filters() * shapeOf(first().getWeights())[1] * taps, sources);
}

// What fewer calls, and a concatenation that goes, are worth in multiply-adds.
static int64_t worthOf(ConcatenateOp op, int64_t branches) {
  DeviceLayout layout;
  OpCost saved;
  if (branches == op.getNumOperands())
    saved = costOf(op, layout);
  int64_t bytes = addCounts(saved.bytes, multiplyCounts(saved.kernels + branches - 1, kKernelBytes));
  return multiplyCounts(bytes, kMultiplyAddsPerByte);
}

Value ForgeJoinConvolutionsPass::build(const Run &run, ConcatenateOp place) {
  // Where all weights are at hand.
  ImplicitLocOpBuilder b(withoutTrace(place.getLoc()), place);
  SmallVector<Value> weights, biases;
  for (const Branch &branch : run.branches) {
    Conv2dOp each = branch.convolution;
    weights.push_back(enlarged(b, b.getLoc(), each.getWeights(), windowOf(each), run.window));
    if (Value bias = each.getBias())
      biases.push_back(reshaped(b, b.getLoc(), bias, {tensorType(bias).getNumElements()}));
  }
  // One by one: C++ does not say in which order arguments are made.
  Value filters = concatenated(b, b.getLoc(), weights, 0);
  Value bias = biases.empty() ? Value() : concatenated(b, b.getLoc(), biases, 0);
  Value result = convolutionLike(b, b.getLoc(), run.first(), filters, bias, run.window);
  ArrayRef<int64_t> shape = shapeOf(result);
  for (Operation *function : llvm::reverse(run.branches.front().functions)) {
    Operation *joined = b.clone(*function);
    joined->setLoc(b.getLoc());
    joined->setOperand(0, result);
    result = joined->getResult(0);
    result.setType(tensorType(result).clone(shape));
  }
  return result;
}

// Along the channels, with at least two convolutions among them.
static bool joinsImages(ConcatenateOp op) {
  return op.getType().getRank() == 4 && fromFront(op.getAxis(), 4) == 1 &&
         llvm::count_if(op.getOperands(), [](Value operand) { return Branch::of(operand).has_value(); }) > 1;
}

// Filters may have zeros around them where what those make NaN beside an infinity is NaN or infinite anyway.
StringRef ForgeJoinConvolutionsPass::rewriteOf(const Run &run, ConcatenateOp place) {
  bool keeps =
      !run.hasZeros() || (llvm::all_of(run.branches.front().functions, keepsInfinities) && areChannelsMixed(place));
  return keeps ? "convolutions-joined" : "unlike-windows-joined";
}

void ForgeJoinConvolutionsPass::join(ConcatenateOp op, const ComputedWeights &known) {
  SmallVector<Value> operands;
  std::optional<Run> run;
  auto finish = [&] {
    if (run && run->branches.size() > 1 &&
        mayRewrite(op, rewriteOf(*run, op), Twine(run->branches.size()) + " of one value")) {
      operands.resize(operands.size() - run->branches.size());
      operands.push_back(build(*run, op));
    }
    run.reset();
  };
  for (Value operand : op.getOperands()) {
    std::optional<Branch> branch = Branch::of(operand);
    std::optional<Run> longer = run && branch ? run->with(*branch) : std::nullopt;
    int64_t separate = run && branch ? addCounts(run->multiplyAdds(), multiplyAdds(branch->convolution)) : 0;
    if (longer && longer->mayBeStored(known) &&
        longer->multiplyAdds() - separate <= worthOf(op, longer->branches.size()) && permits(rewriteOf(*longer, op))) {
      run = longer;
    } else {
      finish();
      if (branch)
        run.emplace(*branch);
    }
    operands.push_back(operand);
  }
  finish();
  if (operands.size() == op.getNumOperands())
    return;
  if (operands.size() > 1) {
    op->setOperands(operands);
    return;
  }
  takeTrace(operands.front(), op.getResult());
  op.getResult().replaceAllUsesWith(operands.front());
  op.erase();
}

void ForgeJoinConvolutionsPass::runOnOperation() {
  func::FuncOp func = getOperation();
  if (!deviceBlock(func))
    return;
  FailureOr<FastMath> parsed = FastMath::parse(func.getLoc(), fastMath);
  if (failed(parsed))
    return signalPassFailure();
  permissions = NumericPermissions(/*exact=*/false, fastMath);
  std::optional<ComputedWeights> known;
  for (ConcatenateOp op : llvm::make_early_inc_range(func.front().getOps<ConcatenateOp>())) {
    if (!joinsImages(op))
      continue;
    if (!known)
      known.emplace(func.front());
    join(op, *known);
  }
  if (known)
    eraseDeadOps(func.front());
}
