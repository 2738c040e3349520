//===- Heads.cpp - queries, keys and values as heads together -------------===//

#include "Fusion/Slices/Heads.h"

#include "Fusion/Scaling.h"
#include "forge/Dialect/Forge/Analysis/AxisSlice.h"
#include "forge/Dialect/Forge/Analysis/TiledMatrix.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/PassReport.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace forge;

namespace {
/// Columns of a value [B, S, N] that a reshape makes heads [B, S, H, D], or [B * S, H, D].
struct Heads {
  ReshapeOp split;
  Value source;      ///< what the columns are a slice of, or what is multiplied by `product`
  MatmulOp product;  ///< null for a slice
  int64_t first = 0; ///< column of a slice
  int64_t size;      ///< D

  int64_t columns() const { return const_cast<ReshapeOp &>(split).getShape().take_back(2)[0] * size; }
};
} // namespace

static std::optional<Heads> headsOf(ReshapeOp op) {
  Value columns = op.getOperandA();
  ArrayRef<int64_t> from = shapeOf(columns), to = op.getShape();
  bool areHeads = to.size() == 4 ? from.size() == 3 && from.drop_back() == to.drop_back(2)
                                 : to.size() == 3 && !from.empty() && from.back() == to[1] * to[2];
  if (!areHeads || to.back() == 1 || !columns.hasOneUse())
    return std::nullopt;
  Heads heads{op, columns, {}, 0, to.back()};
  if (auto product = columns.getDefiningOp<MatmulOp>()) {
    heads.source = product.getOperandA();
    heads.product = product;
    return isProjection(product) ? std::optional(heads) : std::nullopt;
  }
  auto slice = columns.getDefiningOp<IndexOp>();
  int64_t last = from.size() - 1;
  if (!slice || fromFront(slice.getDim(), last + 1) != last || slice.getStride() != 1 ||
      slice.getStart() % heads.size != 0 || shapeOf(slice.getOperandA()).back() % heads.size != 0)
    return std::nullopt;
  heads.source = slice.getOperandA();
  heads.first = slice.getStart();
  return heads;
}

// All products of the group as one, whose columns are theirs in order.
static Value joinedProduct(MutableArrayRef<Heads> group, ImplicitLocOpBuilder &b, Operation *front) {
  SmallVector<Value> weights, terms;
  int64_t column = 0;
  for (Heads &heads : group) {
    heads.first = column;
    column += heads.columns();
    weights.push_back(heads.product.getOperandB());
    if (Value term = heads.product.getBias())
      terms.push_back(term);
  }
  for (Value value : llvm::concat<Value>(weights, terms))
    makeAvailable(value, front);
  for (Value &term : terms)
    term = reshaped(b, b.getLoc(), term, {tensorType(term).getNumElements()});
  Value matrix = ConcatenateOp::create(b, weights, int64_t(-1));
  Value term = terms.empty() ? Value() : ConcatenateOp::create(b, terms, int64_t(-1)).getResult();
  return MatmulOp::create(b, group.front().source, matrix, term);
}

// The transposes of rows and heads, where nothing else reads the heads; none where something does. Keys that are turned
// once more, in front of their product, are so in the form in which the compiler behind Forge recognises an attention.
static SmallVector<TransposeOp> turnsOf(const Heads &heads) {
  SmallVector<TransposeOp> turns;
  int64_t rank = ReshapeOp(heads.split).getType().getRank();
  for (Operation *user : heads.split->getUsers()) {
    auto turn = dyn_cast<TransposeOp>(user);
    if (!turn || std::minmax({fromFront(turn.getDim0(), rank), fromFront(turn.getDim1(), rank)}) !=
                     std::pair<int64_t, int64_t>(rank - 3, rank - 2))
      return {};
    turns.push_back(turn);
  }
  return turns;
}

static void joinGroup(MutableArrayRef<Heads> group) {
  Operation *front = group.front().split.getOperandA().getDefiningOp();
  for (Heads &heads : group)
    if (Operation *columns = heads.split.getOperandA().getDefiningOp(); columns->isBeforeInBlock(front))
      front = columns;
  ImplicitLocOpBuilder b(withoutTrace(front->getLoc()), front);
  Value whole = group.front().product ? joinedProduct(group, b, front) : group.front().source;
  int64_t size = group.front().size;
  SmallVector<int64_t> shape(group.front().split.getShape());
  shape[shape.size() - 2] = shapeOf(whole).back() / size;
  Value split = ReshapeOp::create(b, tensorType(whole).clone(shape), whole, shape);
  SmallVector<int64_t> turnedAxes = llvm::to_vector(llvm::seq<int64_t>(shape.size()));
  std::swap(turnedAxes[shape.size() - 3], turnedAxes[shape.size() - 2]);
  // One transpose for all that have one.
  Value turned;
  if (llvm::count_if(group, [](const Heads &heads) { return !turnsOf(heads).empty(); }) > 1)
    turned = TransposeOp::create(b, split, int64_t(-3), int64_t(-2));
  for (Heads &heads : group) {
    SmallVector<TransposeOp> turns = turned ? turnsOf(heads) : SmallVector<TransposeOp>();
    int64_t first = heads.first / size, last = first + heads.columns() / size;
    Value part = turns.empty() ? IndexOp::create(b, split, int64_t(-2), first, last, int64_t(1))
                               : IndexOp::create(b, turned, int64_t(-3), first, last, int64_t(1));
    part.getDefiningOp()->setLoc(turns.empty() ? heads.split.getLoc() : turns.front().getLoc());
    for (TransposeOp turn : turns)
      turn.replaceAllUsesWith(part);
    if (turns.empty()) {
      takeTrace(part, heads.split.getOperandA());
      heads.split.replaceAllUsesWith(part);
    } else if (tracedValues(part.getLoc()).empty()) {
      // The model turns keys once, and its value in front of that is the one there is.
      for (Value before : {heads.split.getResult(), heads.split.getOperandA()})
        takeTrace(part, before, turnedAxes);
    }
  }
}

void forge::joinHeads(func::FuncOp func, bool keepTiles, ReportingPass &pass) {
  // By source, size of heads, rank, and whether there is a product, with a term.
  llvm::MapVector<std::tuple<Value, int64_t, size_t, int>, SmallVector<Heads>> groups;
  for (ReshapeOp op : func.front().getOps<ReshapeOp>())
    if (std::optional<Heads> heads = headsOf(op); heads && !(keepTiles && heads->size % kTile == 0)) {
      int kind = !heads->product ? 0 : heads->product.getBias() ? 2 : 1;
      groups[{heads->source, heads->size, op.getShape().size(), kind}].push_back(*heads);
    }
  for (auto &[key, group] : groups) {
    if (group.size() > 1 && pass.mayRewrite(group.front().split, "heads-joined"))
      joinGroup(group);
  }
}
