//===- PadWeights.cpp - heads padded to whole tiles in the weights --------===//
//
// A weight [K, n * D] becomes [K, n * D'] with zero columns after each head, where D' is a multiple of the tile size,
// and the weight that reads the heads gets zero rows. This is legal if all ops in between keep the zeros; results are
// equal for finite activations. It pays if whole tiles move then, and this saves more tiles than are added to the
// weights.
//
//===----------------------------------------------------------------------===//

#include "Fusion/Monomial.h"
#include "Layout/Rewrites.h"
#include "Layout/Weights/Projection.h"
#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"
#include "forge/Dialect/Forge/IR/ProgramOrder.h"

#include <numeric>
#include <set>

using namespace mlir;
using namespace forge;

// Whether `op` is a function of one operand with f(0) = 0.
static bool keepsZero(Operation *op) {
  return isa<AbsOp, SqrtOp, ReluOp, SineOp, AtanOp, TanhOp, ErfOp, LeakyReluOp, GeluOp>(op);
}

// Whether `op` multiplies matrices and adds no bias, which it would also add to columns of zeros.
static bool isMatrixProduct(Operation *op) {
  auto matmul = dyn_cast<MatmulOp>(op);
  return matmul && !matmul.getBias() && shapeOf(matmul.getOperandA()).size() >= 2 &&
         shapeOf(matmul.getOperandB()).size() >= 2;
}

namespace {
/// The ops that depend on a value whose trailing axis is padded with zeros after each block (a head), up to the
/// products that contract the padded axis. All ops before these must keep zeros zero and not change other elements.
class PaddedRegion {
public:
  PaddedRegion(Value root, int64_t block, int64_t padded) : root(root), block(block), padded(padded) {}

  /// Collects the ops. Returns false if a user does not keep zeros, if no op contracts the padded axis, or if the
  /// region is too large.
  bool grow() {
    constexpr size_t kMostOps = 512;
    // In program order, so that the padded operands of an op are known when it is visited.
    std::set<Operation *, decltype(&isBefore)> waiting(isBefore);
    axes[root] = tensorType(root).getRank() - 1;
    waiting.insert(root.user_begin(), root.user_end());
    bool hasContraction = false;
    while (!waiting.empty()) {
      Operation *op = *waiting.begin();
      waiting.erase(waiting.begin());
      if (ops.size() == kMostOps || op->getNumResults() != 1)
        return false;
      ops.push_back(op);
      if (contractsPadding(op)) {
        hasContraction = true;
        continue;
      }
      std::optional<int64_t> axis = axisOfResult(op);
      if (!axis)
        return false;
      axes[op->getResult(0)] = *axis;
      waiting.insert(op->user_begin(), op->user_end());
    }
    return hasContraction;
  }

  /// The tiles that reshapes and slices move, and those of the weights that get rows of zeros, in the padded program
  /// (`isPadded`) or in the present one.
  int64_t traffic(const DeviceLayout &layout, bool isPadded) const {
    auto typeOf = [&](Value value) { return isPadded ? paddedType(value) : tensorType(value); };
    int64_t total = 0;
    for (Operation *op : ops) {
      Value result = op->getResult(0);
      if (std::optional<AxisSlice> slice = AxisSlice::of(result)) {
        AxisRange range{slice->axis, isPadded ? paddedRange(*slice) : slice->range};
        total = addCounts(total, layout.traffic(typeOf(slice->source), ArrayRef(range)));
      } else if (auto reshape = dyn_cast<ReshapeOp>(op)) {
        auto [from, to] = withTransposes(reshape);
        int64_t written = multiplyCounts(2, layout.tiles(typeOf(to)));
        // Padded heads are whole tiles, each of which is read and written once. Otherwise, the operand is converted to
        // rows, and the result is moved and converted to tiles, each of which reads and writes tiles.
        int64_t moved = multiplyCounts(2, addCounts(layout.tiles(typeOf(from)), written));
        total = addCounts(total, isPadded ? written : moved);
      } else if (Value weight = paddedWeight(op)) {
        int64_t size = isPadded ? padded : block;
        total = addCounts(total, layout.tiles(withDim(weight, 0, shapeOf(weight)[0] / block * size)));
      }
    }
    return total;
  }

  /// Rewrites the ops of the region to read `newRoot`, the padded root.
  void rewrite(Value newRoot) const {
    IRMapping mapping;
    mapping.map(root, newRoot);
    for (Operation *op : ops) {
      OpBuilder builder(op);
      Value result = op->getResult(0), made;
      bool isResultPadded = axes.contains(result);
      Location loc = isResultPadded ? withoutTrace(op->getLoc()) : op->getLoc(); // Padded values are no ONNX values.
      if (std::optional<AxisSlice> slice = AxisSlice::of(result)) {
        made = AxisSlice{mapping.lookup(slice->source), slice->axis, paddedRange(*slice)}.build(builder, loc);
      } else if (isa<ReshapeOp>(op)) {
        made = ReshapeOp::create(builder, loc, mapping.lookup(op->getOperand(0)), paddedType(result).getShape());
      } else if (Value weight = paddedWeight(op)) {
        Value rows = deriveWeight(builder, weight, {/*axis=*/0, /*begin=*/0, shapeOf(weight)[0], block, padded});
        made = MatmulOp::create(builder, loc, result.getType(), mapping.lookup(op->getOperand(0)), rows, Value());
      } else {
        Operation *copy = builder.clone(*op, mapping);
        copy->setLoc(loc);
        made = copy->getResult(0);
        made.setType(paddedType(result));
      }
      mapping.map(result, made);
      if (!isResultPadded)
        result.replaceAllUsesWith(made);
    }
  }

private:
  /// The operand and the result of `reshape` and of the transposes next to it, which count as one movement with it.
  static std::pair<Value, Value> withTransposes(ReshapeOp reshape) {
    auto before = reshape.getOperandA().getDefiningOp<TransposeOp>();
    auto after = reshape->hasOneUse() ? dyn_cast<TransposeOp>(*reshape->user_begin()) : TransposeOp();
    return {before ? before.getOperandA() : reshape.getOperandA(), after ? after.getResult() : reshape.getResult()};
  }

  /// The padded axis of `value`; none if it has none.
  std::optional<int64_t> axisOf(Value value) const {
    auto found = axes.find(value);
    return found == axes.end() ? std::nullopt : std::optional(found->second);
  }

  /// Whether the padded axis of `value` is `axis`, which is counted from the back.
  bool isPaddedAlong(Value value, int64_t axis) const { return axisOf(value) == tensorType(value).getRank() + axis; }

  /// The type of `value` in the padded program.
  RankedTensorType paddedType(Value value) const {
    std::optional<int64_t> axis = axisOf(value);
    return axis ? withDim(value, *axis, shapeOf(value)[*axis] / block * padded) : tensorType(value);
  }

  /// The range of `slice` in its padded source. A slice along the padded axis has the same blocks, of another size.
  itd::SliceSpec paddedRange(const AxisSlice &slice) const {
    return slice.axis == axisOf(slice.source)
               ? itd::SliceSpec{slice.range.begin / block * padded, slice.range.end / block * padded}
               : slice.range;
  }

  /// Whether `op` is a product that contracts the padded axis of its left operand, and whose right operand is a weight,
  /// whose rows can be padded, or has the same padding along its rows already: [M, n * D'] times [n * D', N].
  bool contractsPadding(Operation *op) const {
    return isMatrixProduct(op) && isPaddedAlong(op->getOperand(0), -1) &&
           (WeightProduct::of(op) || isPaddedAlong(op->getOperand(1), -2));
  }

  /// The weight that gets rows of zeros, if `op`, one of `ops`, is a product that contracts the padded axis with a
  /// weight: neither its right operand nor its result is padded. Null for other ops.
  Value paddedWeight(Operation *op) const {
    bool contractsWithWeight = isa<MatmulOp>(op) && !axisOf(op->getResult(0)) && !axisOf(op->getOperand(1));
    return contractsWithWeight ? op->getOperand(1) : Value();
  }

  /// The padded axis of the result of `op`, which reads a padded value, if the padding of the result is zeros again,
  /// and its other elements do not change; none if that is not known.
  std::optional<int64_t> axisOfResult(Operation *op) const {
    std::optional<int64_t> axis = axisOf(op->getOperand(0));
    if (isa<StridedSliceOp>(op))
      return keepsBlocks(AxisSlice::of(op->getResult(0))) ? axis : std::nullopt;
    if (auto reshape = dyn_cast<ReshapeOp>(op))
      return axisOfReshape(reshape);
    if (auto transpose = dyn_cast<TransposeOp>(op))
      return transposedAxis(transpose, *axis);
    if (auto matmul = dyn_cast<MatmulOp>(op)) {
      // The columns of the right operand become those of the result.
      bool keepsColumns = isMatrixProduct(op) && !axis && isPaddedAlong(matmul.getOperandB(), -1);
      return keepsColumns ? std::optional(matmul.getType().getRank() - 1) : std::nullopt;
    }
    return isElementwise(op) ? axisOfElementwise(op) : std::nullopt;
  }

  /// Whether `slice` is along another axis than the padded one, or of whole blocks.
  bool keepsBlocks(std::optional<AxisSlice> slice) const {
    return slice && (slice->axis != axisOf(slice->source) ||
                     (slice->isContiguous() && slice->range.begin % block == 0 && slice->range.length() % block == 0));
  }

  /// A reshape has to keep each block contiguous in the row-major sequence: the result needs an axis of whole blocks
  /// with as many elements in the axes after it as the operand has. With D = 8, [N, 24] to [N, 3, 8] or [N, 1, 24].
  std::optional<int64_t> axisOfReshape(ReshapeOp op) const {
    int64_t axis = *axisOf(op.getOperandA());
    int64_t wanted = ShapedType::getNumElements(shapeOf(op.getOperandA()).drop_front(axis + 1)), elementsAfter = 1;
    ArrayRef<int64_t> shape = op.getType().getShape();
    for (int64_t i = static_cast<int64_t>(shape.size()) - 1; i >= 0; --i) {
      if (elementsAfter == wanted && shape[i] % block == 0)
        return i;
      elementsAfter *= shape[i];
    }
    return std::nullopt;
  }

  /// The padding stays zero in a function with f(0) = 0; in a sum, difference or product of two padded operands; and in
  /// a product with a finite scalar, or a quotient by one that is not 0: 0 * infinity and 0 / 0 are NaN.
  std::optional<int64_t> axisOfElementwise(Operation *op) const {
    Value left = op->getOperand(0);
    if (keepsZero(op))
      return axisOf(left);
    if (!isa<AddOp, SubtractOp, MultiplyOp, DivideOp>(op))
      return std::nullopt;
    Value right = op->getOperand(1);
    if (axisOf(left) && axisOf(right)) {
      bool areAlike = left.getType() == right.getType() && axisOf(left) == axisOf(right);
      return areAlike && !isa<DivideOp>(op) ? axisOf(left) : std::nullopt;
    }
    auto [x, factor] = axisOf(left) ? std::pair(left, right) : std::pair(right, left);
    std::optional<double> scalar = scalarValue(factor);
    bool isProduct = isa<MultiplyOp>(op), isQuotient = isa<DivideOp>(op) && x == left && scalar != 0.0;
    bool isScaled = scalar && std::isfinite(*scalar) && (isProduct || isQuotient);
    return isScaled && x.getType() == op->getResult(0).getType() ? axisOf(x) : std::nullopt;
  }

  Value root;
  int64_t block, padded;
  llvm::DenseMap<Value, int64_t> axes; ///< the padded axis of each value that has one
  SmallVector<Operation *> ops;        ///< in program order
};
} // namespace

// The size of a head: the trailing axis of a reshape that splits the trailing axis of the projection or of its slices;
// without such a reshape, the greatest common divisor of the bounds of all slices. 0 if there is no such size.
// PaddedRegion::keepsBlocks refuses slices that cut a head in two.
static int64_t headSize(const Projection &projection) {
  if (SmallVector<int64_t> sizes = headSizes(projection.result); !sizes.empty())
    return sizes.front();
  for (Operation *user : projection.result.getUsers())
    if (isa<StridedSliceOp>(user))
      if (SmallVector<int64_t> sizes = headSizes(user->getResult(0)); !sizes.empty())
        return sizes.front();
  int64_t common = 0;
  for (const AxisSlice &slice : projection.slices())
    common = std::gcd(std::gcd(common, slice.range.begin), slice.range.length());
  return common;
}

// Pads each head to whole tiles if the weights do not grow too much, and fewer tiles move then.
static void padWeight(Projection projection, const RewriteContext &context) {
  int64_t block = headSize(projection), features = projection.features();
  // Not if there are no heads of one size, or they fill whole tiles already.
  if (block < 1 || features % block != 0 || block % kTile == 0)
    return;
  int64_t padded = llvm::alignTo(block, kTile);
  if (static_cast<double>(padded) > context.maxWeightGrowth * static_cast<double>(block))
    return;
  PaddedRegion region(projection.result, block, padded);
  if (!region.grow())
    return;
  const DeviceLayout &layout = context.layout;
  Value weight = projection.product.weights->get();
  int64_t before = addCounts(region.traffic(layout, /*isPadded=*/false), layout.tiles(tensorType(weight)));
  int64_t after =
      addCounts(region.traffic(layout, /*isPadded=*/true), layout.tiles(withDim(weight, 1, features / block * padded)));
  if (!context.mayRewrite(projection.product.op(), "pad-weights",
                          "heads of " + Twine(block) + " padded to " + Twine(padded) + " with zeros in the weights",
                          before, after))
    return;
  OpBuilder builder(projection.result.getContext());
  builder.setInsertionPointAfterValue(projection.result);
  region.rewrite(projection.build(builder, {/*axis=*/0, /*begin=*/0, /*end=*/features, block, padded}));
}

void forge::padWeights(Block &block, const RewriteContext &context) {
  for (MatmulOp op : llvm::to_vector(block.getOps<MatmulOp>()))
    // A product without users was replaced by an earlier rewrite.
    if (std::optional<Projection> projection = op->use_empty() ? std::nullopt : Projection::of(op))
      padWeight(*projection, context);
}
