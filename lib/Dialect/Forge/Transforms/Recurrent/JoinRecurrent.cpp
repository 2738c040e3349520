//===- JoinRecurrent.cpp - recurrent layers that are alike, in one --------===//
//
// Layers that do not depend on one another, such as those over the rows and the columns of an image, and that were
// unrolled to the same ops, take their steps together: values get an axis in front, of the layers.
//
//===----------------------------------------------------------------------===//

#include "forge/Dialect/Forge/Analysis/AxisSlice.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/Cost.h"
#include "forge/Dialect/Forge/IR/Constants.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/PassReport.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

#include <deque>
#include <map>
#include <set>

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGEJOINRECURRENTPASS
#include "forge/Dialect/Forge/Transforms/Passes.h.inc"
} // namespace forge

namespace {
/// The ops that an ONNX node became, in order, without weights and constants.
struct Layer {
  SmallVector<Operation *> ops;
  llvm::DenseMap<Operation *, size_t> places;

  explicit Layer(ArrayRef<Operation *> ops) : ops(ops) {
    for (auto [place, op] : llvm::enumerate(ops))
      places[op] = place;
  }

  std::optional<size_t> placeOf(Operation *op) const {
    auto found = places.find(op);
    return found == places.end() ? std::nullopt : std::optional(found->second);
  }
};
} // namespace

static bool isStored(Operation *op) { return op->hasTrait<OpTrait::ConstantLike>() || isa<ParameterOp>(op); }

// Whether both layers do the same, to operands of the same types.
static bool areAlike(const Layer &one, const Layer &other) {
  if (one.ops.size() != other.ops.size())
    return false;
  return llvm::all_of(llvm::zip_equal(one.ops, other.ops), [&](auto pair) {
    auto [a, b] = pair;
    return a->getName() == b->getName() && a->getNumOperands() == b->getNumOperands() &&
           a->getResultTypes() == b->getResultTypes() &&
           a->getPropertiesAsAttribute() == b->getPropertiesAsAttribute() &&
           llvm::all_of(llvm::zip_equal(a->getOperands(), b->getOperands()), [&](auto operands) {
             auto [x, y] = operands;
             return x.getType() == y.getType() && one.placeOf(x.getDefiningOp()) == other.placeOf(y.getDefiningOp());
           });
  });
}

// `op` along an axis in front, which its operands have too, is what it is for each element of that axis.
static bool worksInFront(Operation *op) {
  int64_t dims[2] = {-1, -1};
  if (auto slice = dyn_cast<IndexOp>(op))
    dims[0] = slice.getDim();
  else if (auto joined = dyn_cast<ConcatenateOp>(op))
    dims[0] = joined.getAxis();
  else if (auto transpose = dyn_cast<TransposeOp>(op))
    std::tie(dims[0], dims[1]) = std::pair(transpose.getDim0(), transpose.getDim1());
  else if (auto matmul = dyn_cast<MatmulOp>(op)) {
    // Batches that broadcast on both sides would be repeated.
    auto batches = [](Value value) {
      ArrayRef<int64_t> shape = shapeOf(value);
      return shape.size() < 2 ? ArrayRef<int64_t>() : shape.drop_back(2);
    };
    ArrayRef<int64_t> left = batches(matmul.getOperandA()), right = batches(matmul.getOperandB());
    auto isOne = [](int64_t size) { return size == 1; };
    return !matmul.getBias() && matmul.getType().getRank() >= 2 &&
           (left == right || (right.empty() && llvm::all_of(left, isOne)));
  } else if (!isa<ReshapeOp>(op) && !isElementwise(op))
    return false;
  return dims[0] < 0 && dims[1] < 0;
}

static std::vector<void *> keyOf(ArrayRef<Value> values) {
  std::vector<void *> key;
  for (Value value : values)
    key.push_back(value.getAsOpaquePointer());
  return key;
}

namespace {
/// Layers that are alike and do not depend on one another.
class Group {
public:
  explicit Group(ArrayRef<Layer *> layers) : layers(layers), model(*layers.front()) {
    for (size_t place = 0; place < model.ops.size(); ++place)
      joined.push_back(isFirstOfSteps(place) || readsJoined(place));
    // The product of the first state, which depends on nothing of the layer.
    for (size_t place = 0; place < model.ops.size(); ++place)
      if (isa<MatmulOp>(model.ops[place]) && worksInFront(model.ops[place]) && isReadByJoinedOnly(model, place))
        joined[place] = true;
    // What turns and reshapes the results at the end is left to those who read them.
    for (size_t place = model.ops.size(); place-- > 0;)
      if (joined[place] && isa<ReshapeOp, TransposeOp>(model.ops[place]) &&
          llvm::none_of(model.ops[place]->getUsers(), [&](Operation *user) { return isJoined(model.placeOf(user)); }))
        joined[place] = false;
  }

  bool isIndependent() const;
  struct Saved {
    int64_t calls = 0, kernels = 0;
    bool isWorthIt() const { return calls > 0 && kernels >= 0; }
  };
  Saved saved() const;
  size_t length() const { return llvm::count(joined, true); }
  void build();

private:
  bool isJoined(std::optional<size_t> place) const { return place && joined[*place]; }
  bool readsJoined(size_t place) const {
    return llvm::any_of(model.ops[place]->getOperands(), [&](Value operand) {
      std::optional<size_t> source = model.placeOf(operand.getDefiningOp());
      return source && *source < place && joined[*source];
    });
  }
  // A slice of what several steps have slices of, along an axis of whole matrices.
  bool isFirstOfSteps(size_t place) const {
    auto isStep = [](Operation *op) {
      auto slice = dyn_cast<IndexOp>(op);
      return slice && slice.getDim() < -2;
    };
    Value source = isStep(model.ops[place]) ? model.ops[place]->getOperand(0) : Value();
    return source && !isWeight(source) && llvm::count_if(source.getUsers(), isStep) > 1;
  }

  SmallVector<Value> operandsAt(size_t place, unsigned operand) const {
    return llvm::map_to_vector(layers, [&](Layer *layer) { return layer->ops[place]->getOperand(operand); });
  }
  bool isReadByJoinedOnly(const Layer &layer, size_t place) const {
    return !layer.ops[place]->use_empty() && !isRead(layer, place);
  }
  // Results that something else reads than the joined ops.
  bool isRead(const Layer &layer, size_t place) const {
    return llvm::any_of(layer.ops[place]->getUsers(), [&](Operation *user) { return !isJoined(layer.placeOf(user)); });
  }
  std::pair<Operation *, Operation *> ends() const;
  Value stacked(ArrayRef<Value> values, ImplicitLocOpBuilder &b);
  Value joinedOperand(size_t place, unsigned operand, ImplicitLocOpBuilder &b);
  Value joinedOp(size_t place, ImplicitLocOpBuilder &b);

  SmallVector<Layer *> layers;
  Layer &model; ///< the first
  SmallVector<bool> joined;
  SmallVector<Value> results; ///< of the joined ops
  std::map<std::vector<void *>, Value> stacks;
};
} // namespace

// The first and the last op of all layers.
std::pair<Operation *, Operation *> Group::ends() const {
  Operation *first = model.ops.front(), *last = model.ops.back();
  for (Layer *layer : layers) {
    first = layer->ops.front()->isBeforeInBlock(first) ? layer->ops.front() : first;
    last = last->isBeforeInBlock(layer->ops.back()) ? layer->ops.back() : last;
  }
  return {first, last};
}

bool Group::isIndependent() const {
  auto [first, last] = ends();
  llvm::DenseSet<Operation *> dependent; ///< of some layer, without being in one
  for (Operation *op = first;; op = op->getNextNode()) {
    Layer *own = nullptr;
    for (Layer *layer : layers)
      own = layer->placeOf(op) ? layer : own;
    bool depends = llvm::any_of(op->getOperands(), [&](Value operand) {
      Operation *producer = operand.getDefiningOp();
      return dependent.contains(producer) ||
             llvm::any_of(layers, [&](Layer *layer) { return layer != own && layer->placeOf(producer); });
    });
    if (depends && own)
      return false;
    if (depends)
      dependent.insert(op);
    if (op == last)
      return true;
  }
}

// A sum with a product of one row, which is a term of its kernel. With more rows it is a kernel.
static bool isRowOfProduct(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return isa<AddOp>(op) && type.getRank() > 0 && type.getNumElements() == type.getShape().back() &&
         llvm::any_of(op->getOperands(), [](Value operand) { return operand.getDefiningOp<MatmulOp>(); });
}

// Calls and kernels that are saved; nothing if one of the ops cannot have another axis.
Group::Saved Group::saved() const {
  auto count = static_cast<int64_t>(layers.size());
  Saved saved;
  std::set<std::vector<void *>> apart;
  for (size_t place = 0; place < joined.size(); ++place) {
    Operation *op = model.ops[place];
    if (!joined[place])
      continue;
    if (!worksInFront(op))
      return {};
    int64_t cuts = 2 * llvm::count_if(layers, [&](Layer *layer) { return isRead(*layer, place); });
    saved.calls += count - 1 - cuts;
    saved.kernels += (isRowOfProduct(op) ? -1 : (count - 1) * kernelsOf(op)) - cuts;
    for (unsigned operand = 0; operand < op->getNumOperands(); ++operand) {
      SmallVector<Value> values = operandsAt(place, operand);
      if (isJoined(model.placeOf(values[0].getDefiningOp())) || llvm::all_of(values, isWeight) ||
          !apart.insert(keyOf(values)).second)
        continue;
      // A reshape of each, and a concatenation.
      saved.calls -= count + 1;
      saved.kernels -= count + 3;
    }
  }
  return saved;
}

// The values side by side along an axis in front; numbers are the same for all.
Value Group::stacked(ArrayRef<Value> values, ImplicitLocOpBuilder &b) {
  RankedTensorType type = tensorType(values.front());
  Value &result = stacks[keyOf(values)];
  if (result)
    return result;
  SmallVector<int64_t> shape{1};
  llvm::append_range(shape, type.getShape());
  DenseElementsAttr first, other;
  bool areEqual = llvm::all_of(values, [&](Value value) {
    return matchPattern(values.front(), m_Constant(&first)) && matchPattern(value, m_Constant(&other)) &&
           first == other && first.isSplat();
  });
  if (areEqual && type.getRank() == 0)
    return result = values.front();
  if (areEqual) {
    shape[0] = values.size();
    RankedTensorType all = type.clone(shape);
    return result = ConstantOp::create(b, all, first.resizeSplat(all));
  }
  SmallVector<Value> parts =
      llvm::map_to_vector(values, [&](Value value) -> Value { return ReshapeOp::create(b, value, shape); });
  return result = ConcatenateOp::create(b, parts, -static_cast<int64_t>(shape.size()));
}

Value Group::joinedOperand(size_t place, unsigned operand, ImplicitLocOpBuilder &b) {
  Operation *op = model.ops[place];
  Value own = op->getOperand(operand);
  std::optional<size_t> source = model.placeOf(own.getDefiningOp());
  Value value = isJoined(source) ? results[*source] : stacked(operandsAt(place, operand), b);
  // Operands that broadcast have as many axes as the result, for the first one is that of the layers.
  int64_t missing = tensorType(op->getResult(0)).getRank() + 1 - tensorType(value).getRank();
  if (value == own || missing <= 0 || isa<ReshapeOp>(op))
    return value;
  SmallVector<int64_t> shape(shapeOf(value));
  shape.insert(shape.begin() + 1, missing, 1);
  return ReshapeOp::create(b, value, shape);
}

Value Group::joinedOp(size_t place, ImplicitLocOpBuilder &b) {
  Operation *op = model.ops[place];
  // Not a map of values: operands that are one value here may be two in another layer.
  SmallVector<Value> operands;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    operands.push_back(joinedOperand(place, i, b));
  RankedTensorType type = tensorType(op->getResult(0));
  SmallVector<int64_t> shape{static_cast<int64_t>(layers.size())};
  llvm::append_range(shape, type.getShape());
  if (isa<ReshapeOp>(op))
    return ReshapeOp::create(b, operands.front(), shape);
  Operation *copy = b.clone(*op);
  copy->setOperands(operands);
  copy->setLoc(b.getLoc());
  copy->getResult(0).setType(type.clone(shape));
  return copy->getResult(0);
}

void Group::build() {
  auto [first, last] = ends();
  SmallVector<Operation *> between;
  for (Operation *op = first; op != last; op = op->getNextNode())
    between.push_back(op);
  between.push_back(last);
  ImplicitLocOpBuilder b(withoutTrace(model.ops.front()->getLoc()), last->getContext());
  b.setInsertionPointAfter(last);
  results.resize(joined.size());
  llvm::DenseSet<Operation *> late, replaced;
  Operation *end = last;
  for (size_t place = 0; place < joined.size(); ++place)
    if (joined[place])
      results[place] = joinedOp(place, b);
  for (size_t place = 0; place < joined.size(); ++place) {
    for (auto [i, layer] : llvm::enumerate(layers)) {
      if (!joined[place])
        continue;
      Operation *op = layer->ops[place];
      replaced.insert(op);
      if (!isRead(*layer, place))
        continue;
      auto index = static_cast<int64_t>(i), dim = -tensorType(results[place]).getRank();
      Value part = IndexOp::create(b, results[place], dim, index, index + 1, int64_t(1));
      end = ReshapeOp::create(b, op->getLoc(), part, shapeOf(op->getResult(0)));
      late.insert(end);
      op->getResult(0).replaceUsesWithIf(end->getResult(0),
                                         [&](OpOperand &use) { return !isJoined(layer->placeOf(use.getOwner())); });
    }
  }
  // What reads the results follows them.
  for (Operation *op : between) {
    bool reads = !replaced.contains(op) &&
                 llvm::any_of(op->getOperands(), [&](Value operand) { return late.contains(operand.getDefiningOp()); });
    if (!reads)
      continue;
    op->moveAfter(end);
    late.insert(end = op);
  }
  for (Operation *op : llvm::reverse(between))
    if (replaced.contains(op))
      op->erase();
}

namespace {
struct ForgeJoinRecurrentPass : forge::impl::ForgeJoinRecurrentPassBase<ForgeJoinRecurrentPass>, ReportingPass {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!deviceBlock(func))
      return;
    llvm::MapVector<StringRef, SmallVector<Operation *, 0>> nodes;
    for (Operation &op : func.front())
      if (StringRef name = nodeName(op.getLoc()); !name.empty() && !isStored(&op) && op.getNumResults() == 1)
        nodes[name].push_back(&op);
    std::deque<Layer> layers;
    // Layers that are alike, in order.
    SmallVector<SmallVector<Layer *>> kinds;
    for (auto &[name, ops] : nodes) {
      constexpr size_t kFewest = 12;
      if (ops.size() < kFewest || llvm::count_if(ops, llvm::IsaPred<MatmulOp>) < 2)
        continue;
      Layer &layer = layers.emplace_back(ops);
      auto kind = llvm::find_if(kinds, [&](ArrayRef<Layer *> kind) { return areAlike(*kind.front(), layer); });
      if (kind == kinds.end())
        kind = kinds.insert(kinds.end(), SmallVector<Layer *>());
      kind->push_back(&layer);
    }
    for (ArrayRef<Layer *> kind : kinds)
      joinNeighbours(kind);
  }

private:
  // Each run of layers that do not depend on one another.
  void joinNeighbours(ArrayRef<Layer *> kind) {
    while (kind.size() > 1) {
      constexpr size_t kMost = 16;
      size_t count = 1;
      while (count < std::min(kind.size(), kMost) && Group(kind.take_front(count + 1)).isIndependent())
        ++count;
      Group group(kind.take_front(count));
      if (count > 1 && group.saved().isWorthIt() &&
          mayRewrite(kind.front()->ops.front(), "layers-joined",
                     Twine(count) + " layers have the same " + Twine(group.length()) + " ops"))
        group.build();
      kind = kind.drop_front(count);
    }
  }
};
} // namespace
