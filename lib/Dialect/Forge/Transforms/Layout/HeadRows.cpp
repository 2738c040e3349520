//===- HeadRows.cpp - splits attention heads from rows, not from columns --===//
//
//     [N, H D] -> reshape [N, H, D] -> transpose [H, N, D]
//
// splits the H * D columns of a product into H heads of D columns. In the tensor between the two ops, H is one of the
// two trailing axes and is padded to whole tiles: 3 heads take the memory of 32. If the columns first become rows, the
// same result needs no such tensor:
//
//     [N, H D] -> transpose [H D, N] -> reshape [H, D, N] -> transpose [H, D, N] to [H, N, D]
//
// The first transpose and the reshape are done once for all columns. Slices of columns, such as queries, keys and
// values, become slices of heads after the reshape. The last transpose is fused into a matrix product that uses its
// result, and cancels with the transpose of the keys.
//
// Heads are merged by the inverse sequence: [H, N, D] -> [N, H, D] -> [N, H D] becomes a transpose to [H, D, N], a
// reshape to [H D, N] and a transpose. If the heads are a product of attention weights and values, its transpose is
// computed by exchanging the operands, (A B)^T = B^T A^T.
//
// Each rewrite replaces a value by an equal one, so that it is legal whatever the users are. They only decide whether
// it is faster. A trace (Location.h) records which ONNX value a result holds, maybe transposed.
//
//===----------------------------------------------------------------------===//

#include "DeadOps.h"
#include "Layout/RowRewrites.h"
#include "forge/Dialect/Forge/Analysis/Cost/TrialCopy.h"

#define GEN_PASS_DEF_FORGEHEADROWSPASS
#include "forge/Dialect/Forge/Transforms/Passes.h"

using namespace mlir;
using namespace forge;

// Whether `op`, which may be null, exchanges the axes N and H of [..., N, H, D] or [..., H, N, D].
static bool isHeadTranspose(Operation *op) { return swapsAxes(op, -3, -2); }

// The permutation of axes of a matrix transpose, for takeTrace, which records that a value is a transposed ONNX value.
static SmallVector<int64_t> transposedAxes(int64_t rank) {
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(axes.end()[-1], axes.end()[-2]);
  return axes;
}

// The transpose of `value`: a new op, or the operand of `value` if that is a matrix transpose itself. If `value` has no
// other user, that operand gets its trace.
static Value transposed(ImplicitLocOpBuilder &b, Value value) {
  Operation *op = value.getDefiningOp();
  if (!isMatrixTranspose(op))
    return matrixTranspose(b, value);
  if (value.hasOneUse())
    takeTrace(op->getOperand(0), value, transposedAxes(tensorType(value).getRank()));
  return op->getOperand(0);
}

// The op that computes `columns`, if it slices whole heads of `size` columns each from the trailing axis of a value
// that consists of such heads; else null.
static IndexOp sliceOfHeads(Value columns, int64_t size) {
  auto slice = columns.getDefiningOp<IndexOp>();
  int64_t rank = tensorType(columns).getRank();
  bool isOfWholeHeads = slice && slice.getStride() == 1 && fromFront(slice.getDim(), rank) == rank - 1 &&
                        slice.getStart() % size == 0 && slice.getStop() % size == 0 &&
                        shapeOf(slice->getOperand(0)).back() % size == 0;
  return isOfWholeHeads ? slice : IndexOp();
}

// Whether a reshape between `columns`, [..., N, H D], and `heads`, [..., N, H, D], splits or merges the trailing axis
// alone. The leading axes have as many elements, but may be other axes, such as additional ones of size 1.
static bool areColumnsAndHeads(ArrayRef<int64_t> columns, ArrayRef<int64_t> heads) {
  return columns.size() >= 2 && heads.size() >= 3 && columns.end()[-2] == heads.end()[-3] &&
         columns.back() == heads.end()[-2] * heads.end()[-1] && columns.back() != 0;
}

// If a reshape and `transpose` split columns into heads, [..., N, H D] -> [..., N, H, D] -> [..., H, N, D]: the value
// whose columns are split, and the type [..., W / D, D, N] of its W columns as rows of heads. If the columns are a
// slice of whole heads, the value is the one that is sliced, so that queries, keys and values are found to be heads of
// one value. None if the ops do something else, or must not be rewritten.
static std::optional<std::pair<Value, RankedTensorType>> valueSplitIntoHeads(TransposeOp transpose) {
  auto reshape = isHeadTranspose(transpose) ? transpose.getOperandA().getDefiningOp<ReshapeOp>() : ReshapeOp();
  // With other users, the padded result of the reshape would remain. Weights are split when the program is compiled.
  if (!reshape || !reshape->hasOneUse() || transpose->use_empty() || isWeight(transpose))
    return std::nullopt;
  Value columns = reshape.getOperandA();
  ArrayRef<int64_t> heads = shapeOf(reshape->getResult(0));
  if (!areColumnsAndHeads(shapeOf(columns), heads))
    return std::nullopt;
  int64_t size = heads.back();
  if (IndexOp slice = sliceOfHeads(columns, size))
    columns = slice->getOperand(0);
  SmallVector<int64_t> rows(heads.drop_back(3));
  rows.append({shapeOf(columns).back() / size, size, heads.end()[-3]});
  return std::pair(columns, tensorType(columns).clone(rows));
}

namespace {
/// The heads that the result of `op` contains, [..., count, N, D]. By rows, these are computed transposed,
/// [..., count, D, N].
struct Heads {
  Operation *op; ///< a transpose that splits columns into heads, or a slice of its result along the axis of heads
  int64_t first; ///< the index of the first head among those of the source

  RankedTensorType type() const { return tensorType(op->getResult(0)); }
  int64_t count() const { return type().getShape().end()[-3]; }
  RankedTensorType rowsType() const { return transposedType(type()); }
  /// Whether all users are matrix transposes.
  bool areTransposed() const { return llvm::all_of(op->getUsers(), isMatrixTranspose); }
};

/// The heads of one size D, such as queries, keys and values, that are split from the columns of `source`, [..., N, W].
/// As rows, these columns have the type `rowsType`, [..., W / D, D, N].
class HeadsOfColumns {
public:
  HeadsOfColumns(Value source, RankedTensorType rowsType)
      : source(source), rowsType(rowsType), size(rowsType.getShape().end()[-2]) {}

  /// Adds the heads that `transpose`, which valueSplitIntoHeads() accepts, splits. If all of its users slice the axis
  /// of heads, the heads of each slice are added separately, so that the transpose of all of them becomes dead.
  void addHeadsOf(TransposeOp transpose) {
    auto reshape = transpose.getOperandA().getDefiningOp<ReshapeOp>();
    int64_t first = 0;
    if (IndexOp slice = sliceOfHeads(reshape.getOperandA(), size)) {
      first = slice.getStart() / size;
      if (slice->hasOneUse())
        replacedOps.push_back(slice);
    }
    replacedOps.append({reshape, transpose});
    int64_t rank = transpose.getType().getRank();
    auto slicesHeads = [rank](Operation *user) {
      auto slice = dyn_cast<IndexOp>(user);
      return slice && slice.getStride() == 1 && fromFront(slice.getDim(), rank) == rank - 3 && !slice->use_empty();
    };
    if (!llvm::all_of(transpose->getUsers(), slicesHeads)) {
      heads.push_back({transpose, first});
      return;
    }
    for (Operation *user : transpose->getUsers()) {
      heads.push_back({user, first + static_cast<int64_t>(cast<IndexOp>(user).getStart())});
      replacedOps.push_back(user);
    }
  }

  /// The op at which the rewrite is reported.
  Operation *anchor() const { return heads.front().op; }

  /// Whether rewrite() saves time on a copy.
  bool isFasterByRows() const {
    return isFasterOnCopy(replacedOps, [&](const TrialCopy &copy) {
      HeadsOfColumns copied(copy.valueOf(source), rowsType);
      for (const Heads &part : heads)
        copied.heads.push_back({copy.of(part.op), part.first});
      copied.rewrite();
      return true;
    });
  }

  /// Builds %all = reshape(transpose(%source)) of `rowsType`. Then, for each of `heads`, %rows is the slice of %all
  /// with these heads. Matrix transposes of the heads are replaced by %rows; other users read a transpose of %rows.
  void rewrite() const {
    ImplicitLocOpBuilder b(withoutTrace(anchor()->getLoc()), anchor());
    b.setInsertionPointAfterValue(source);
    Value all = ReshapeOp::create(b, matrixTranspose(b, source), rowsType.getShape());
    for (const Heads &part : heads) {
      b.setInsertionPoint(part.op);
      b.setLoc(withoutTrace(part.op->getLoc()));
      Value rows = all;
      if (part.rowsType() != rowsType)
        rows = IndexOp::create(b, all, /*dim=*/int64_t(-3), part.first, part.first + part.count(),
                               /*stride=*/int64_t(1));
      for (Operation *user : part.op->getUsers())
        if (isMatrixTranspose(user)) {
          takeTrace(rows, user->getResult(0));
          user->getResult(0).replaceAllUsesWith(rows);
        }
      Value value = part.op->getResult(0);
      if (part.areTransposed()) {
        // Only the transpose of the ONNX value remains.
        takeTrace(rows, value, transposedAxes(rowsType.getRank()));
      } else {
        b.setLoc(part.op->getLoc());
        value.replaceAllUsesWith(matrixTranspose(b, rows));
      }
    }
  }

private:
  Value source;
  RankedTensorType rowsType;
  int64_t size;                         ///< D
  SmallVector<Operation *> replacedOps; ///< become dead
  SmallVector<Heads> heads;
};
} // namespace

// Collects all heads that are split from one value before any is rewritten, because they share the first two new ops.
static void splitHeads(Block &block, ReportingPass &pass) {
  llvm::MapVector<std::pair<Value, RankedTensorType>, HeadsOfColumns> found;
  for (TransposeOp transpose : block.getOps<TransposeOp>())
    if (auto key = valueSplitIntoHeads(transpose)) {
      HeadsOfColumns &heads = found.try_emplace(*key, /*source=*/key->first, /*rowsType=*/key->second).first->second;
      heads.addHeadsOf(transpose);
    }
  for (auto &[key, heads] : found)
    if (heads.isFasterByRows() && pass.mayRewrite(heads.anchor(), "heads-as-rows"))
      heads.rewrite();
}

// The matrix product that computes `heads`, if these have one use and the transposed heads can be computed by
// exchanging its operands, (A B)^T = B^T A^T; else null. Required is:
// - there is no bias, which would be added along the other axis;
// - the batch axes are equal, because the device broadcasts the right operand over a batch, but not the left one;
// - the element types are equal, because the precision of a product of two types may depend on their order.
static MatmulOp exchangeableProduct(Value heads) {
  auto product = heads.getDefiningOp<MatmulOp>();
  if (!product || !product->hasOneUse() || product.getBias())
    return {};
  RankedTensorType left = tensorType(product.getOperandA()), right = tensorType(product.getOperandB());
  bool areAlike = left.getRank() >= 2 && right.getRank() == left.getRank() &&
                  left.getShape().drop_back(2) == right.getShape().drop_back(2) &&
                  left.getElementType() == right.getElementType();
  return areAlike ? product : MatmulOp();
}

namespace {
/// [..., H, N, D] -> transpose [..., N, H, D] -> reshape [..., N, H D]
struct ColumnsOfHeads {
  Operation *transpose;
  ReshapeOp reshape;

  /// Matches a transpose and `reshape`, which reads it, that merge heads into columns.
  static std::optional<ColumnsOfHeads> of(ReshapeOp reshape) {
    Operation *transpose = reshape.getOperandA().getDefiningOp();
    // As in valueSplitIntoHeads(): with other users, the padded result of the transpose would remain, and weights are
    // reordered when the program is compiled.
    if (!isHeadTranspose(transpose) || !transpose->hasOneUse() || reshape->use_empty() || isWeight(reshape))
      return std::nullopt;
    if (!areColumnsAndHeads(shapeOf(reshape->getResult(0)), shapeOf(reshape.getOperandA())))
      return std::nullopt;
    return ColumnsOfHeads{transpose, reshape};
  }

  /// Whether rewrite() saves time on a copy, on which `reshape` is matched again.
  bool isFasterByRows() {
    return isFasterOnCopy({transpose, reshape}, [&](const TrialCopy &copy) {
      std::optional<ColumnsOfHeads> copied = of(cast<ReshapeOp>(copy.of(reshape)));
      if (copied)
        copied->rewrite();
      return copied.has_value();
    });
  }

  /// Replaces the transpose and the reshape by other ops:
  ///
  ///     [..., H, N, D] -> transpose [..., H, D, N] -> reshape [..., H D, N] -> transpose [..., N, H D]
  ///
  /// If a product computes the heads, it reads transposed operands instead, and there is no first transpose.
  void rewrite() {
    Value heads = transpose->getOperand(0);
    ImplicitLocOpBuilder b(withoutTrace(heads.getLoc()), transpose);
    Value rows;
    if (MatmulOp old = exchangeableProduct(heads)) {
      b.setInsertionPoint(old);
      Value left = transposed(b, old->getOperand(1)), right = transposed(b, old->getOperand(0));
      rows = MatmulOp::create(b, transposedType(old.getType()), left, right, /*bias=*/Value());
      takeTrace(rows, heads, transposedAxes(old.getType().getRank()));
    } else {
      rows = transposed(b, heads);
    }
    b.setInsertionPoint(reshape);
    b.setLoc(withoutTrace(reshape->getLoc()));
    Value columns = ReshapeOp::create(b, rows, transposedType(reshape.getType()).getShape());
    b.setLoc(reshape->getLoc());
    reshape.getResult().replaceAllUsesWith(matrixTranspose(b, columns));
  }
};
} // namespace

// Rewrites the ops that merge heads into columns (ColumnsOfHeads) where that saves time.
static void mergeHeads(Block &block, ReportingPass &pass) {
  for (ReshapeOp reshape : llvm::make_early_inc_range(block.getOps<ReshapeOp>()))
    if (auto columns = ColumnsOfHeads::of(reshape);
        columns && columns->isFasterByRows() && pass.mayRewrite(reshape, "merged-heads-as-rows"))
      columns->rewrite();
}

namespace {
struct ForgeHeadRowsPass : forge::impl::ForgeHeadRowsPassBase<ForgeHeadRowsPass>, ReportingPass {
  // shuffleAsRows() rewrites the shuffles that shuffleAfterFilters() leaves. moveBlocks() is last, because it also
  // improves ops that the others create.
  void runOnOperation() override {
    if (Block *block = deviceBlock(getOperation()))
      for (auto *rewrites :
           {splitHeads, mergeHeads, shuffleAfterFilters, shuffleAsRows, splitRows, stackAsColumns, moveBlocks}) {
        rewrites(*block, *this);
        eraseDeadOps(*block);
      }
  }
};
} // namespace
