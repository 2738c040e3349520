//===- CastPlacement.cpp - where casts between formats are placed ---------===//
//
// Each float value is in Float32 ("wide") or in the 16-bit format. FloatPrecision fixes the format of most ops. For
// those that may be in either one (`freeOps`), and for inputs, a minimum cut chooses it, so that few casts are needed.
//
//===----------------------------------------------------------------------===//

#include "FloatPrecision.h"
#include "MinCut.h"
#include "forge/Dialect/Forge/Analysis/LinearOps.h"

using namespace mlir;
using namespace forge;

// In the minimum cut, one cast costs more than the bytes of any number of elements (at most kMostElements), so that the
// number of casts is minimised first and the bytes second. An element has 4 bytes in Float32 and 2 in the 16-bit
// format.
static constexpr int64_t kCast = int64_t(1) << 40, kMostElements = int64_t(1) << 36, kWideBytes = 4, kNarrowBytes = 2;

// Whether rounding commutes with `op`: its results are elements of its operands, magnitudes of them, or zeros, and
// rounding does not reverse the order by which they are selected. (A dropout in training multiplies by 1 / (1 - p).)
static bool selectsElements(Operation *op) {
  auto dropout = dyn_cast<DropoutOp>(op);
  return isMovement(op) || (dropout && !dropout.getTraining()) ||
         isa<ReluOp, AbsOp, MaxOp, MinOp, WhereOp, ReduceMaxOp, MaxPool1dOp, MaxPool2dOp>(op);
}

namespace {
/// Chooses the formats of the ops that accept either one (CastPlacement).
class CastPlacer {
public:
  CastPlacer(func::FuncOp func, const FloatPrecision &precision, bool nativeOutputs)
      : outputs(func.getResultTypes()), block(func.front()), precision(precision), nativeOutputs(nativeOutputs) {}

  /// Minimises the number of casts, and then the bytes that are read and written, as a minimum cut. The source is
  /// for Float32, the sink for the 16-bit format, and each value that may be in either format is a node: it is in
  /// Float32 if it is on the side of the source. An edge from it to the sink costs the additional bytes of Float32.
  CastPlacement place() {
    for (Operation &op : block.without_terminator())
      if (isFree(&op))
        freeOps.insert(&op);
    findWideUses();
    dropRounded();
    SmallVector<Value> values(llvm::make_filter_range(block.getArguments(), isFloat));
    for (Operation &op : block.without_terminator())
      if (op.getNumResults() == 1 && isFloat(op.getResult(0)) && !isWeightOrConstant(op.getResult(0)))
        values.push_back(op.getResult(0));
    llvm::for_each(values, [&](Value value) { addNode(value); });
    llvm::for_each(values, [&](Value value) { addCostOfCast(value); });
    cut.solve();
    auto isWide = [&](Value value) {
      auto found = nodes.find(value);
      return found == nodes.end() ? keptWide.contains(value) : cut.isOfSource(found->second);
    };
    CastPlacement placement;
    for (Operation &op : block.without_terminator())
      if (freeOps.contains(&op) ? isWide(op.getResult(0)) : precision.isFloat32(&op))
        placement.wide.insert(&op);
    for (BlockArgument argument : block.getArguments())
      if (nodes.contains(argument) && !isWide(argument))
        placement.narrow.insert(argument);
    return placement;
  }

private:
  /// No cast is placed for a weight or constant: its bytes are stored in the format in which it is used.
  bool isWeightOrConstant(Value value) const { return precision.isWeightOrConstant(value); }

  /// Whether the result of `op` may be in either format, so that the minimum cut decides. Ops that the user named,
  /// weights and ops without a float operand that is computed at run time have a fixed format.
  bool isFree(Operation *op) const {
    // A sum or a mean that does not need Float32 may be in Float32, to save a cast: its result has few bytes.
    bool mayBeWide = isa<ReduceAvgOp, ReduceSumOp>(op) && !precision.isFloat32(op);
    bool mayBeEither = selectsElements(op) || mayBeWide || precision.mayBeNarrow(op);
    return mayBeEither && !precision.isNamed(op) && !precision.isComputedWeight(op) && op->getNumResults() == 1 &&
           isFloat(op->getResult(0)) && llvm::any_of(op->getOperands(), [&](Value operand) {
             return isFloat(operand) && !isWeightOrConstant(operand);
           });
  }

  /// Whether `value` is in Float32 whatever the minimum cut decides.
  bool isFixedWide(Value value) const {
    return keptWide.contains(value) ||
           (precision.isFloat32(value.getDefiningOp()) && !freeOps.contains(value.getDefiningOp()));
  }

  /// Whether `use` reads its value in Float32 whatever the minimum cut decides. A free op does so if it selects
  /// elements for such a use of its result (`keptWide`).
  bool isReadWide(OpOperand &use) const {
    Operation *op = use.getOwner();
    if (op->hasTrait<OpTrait::IsTerminator>())
      return !nativeOutputs && cast<RankedTensorType>(outputs[use.getOperandNumber()]).getElementType().isF32();
    if (freeOps.contains(op))
      return selectsElements(op) && keptWide.contains(op->getResult(0));
    return precision.isFloat32(op) && !precision.staysNarrow(use);
  }

  /// Whether `operand` is in Float32 without a cast, whatever the minimum cut decides. The bytes of a weight are stored
  /// in the format in which it is used.
  bool isWideWithoutCast(OpOperand &operand) const {
    Value value = operand.get();
    return isFloat(value) && (isWeightOrConstant(value) ? !precision.staysNarrow(operand) : isFixedWide(value));
  }

  /// Whether the user of `operand`, an op in Float32, reads it in the 16-bit format without a cast: the call promotes
  /// it, because another operand is in Float32.
  bool isPromoted(OpOperand &operand) const {
    Operation *op = operand.getOwner();
    unsigned at = operand.getOperandNumber();
    if (!FloatPrecision::promotes(op))
      return false;
    // A bias (operand 2) is promoted if one of the first two operands is in Float32. If both stay in the 16-bit format,
    // the bias alone makes the sum Float32.
    if (at == 2)
      return !(precision.staysNarrow(op->getOpOperand(0)) && precision.staysNarrow(op->getOpOperand(1)));
    // Of two operands in the 16-bit format, operand 0 is cast (FloatFormatter::leaveNarrow), and then operand 1 is
    // promoted. So operand 1 is always promoted, and operand 0 if operand 1 is in Float32 without a cast. If both are
    // one value, there is a cast of it in any case.
    OpOperand &other = op->getOpOperand(1 - at);
    return other.get() != operand.get() && (at == 1 || isWideWithoutCast(other));
  }

  /// The node of `value` in the minimum cut: the source for values in Float32, the sink for those in the 16-bit format,
  /// and a node of its own for a value that may be either.
  int nodeOf(Value value) const {
    if (auto found = nodes.find(value); found != nodes.end())
      return found->second;
    return isFixedWide(value) ? MinCut::kSource : MinCut::kSink;
  }

  /// The node for the format in which `use` reads its value; none for an output that need not be Float32.
  std::optional<int> readerOf(OpOperand &use) const {
    Operation *op = use.getOwner();
    if (op->hasTrait<OpTrait::IsTerminator>())
      return isReadWide(use) ? std::optional(MinCut::kSource) : std::nullopt;
    if (freeOps.contains(op))
      return nodeOf(op->getResult(0));
    return isReadWide(use) ? MinCut::kSource : MinCut::kSink;
  }

  /// Adds to `keptWide` the arguments, and the results of free ops that select elements, that some use reads in
  /// Float32: rounded to the 16-bit format and cast back, they would have lost digits without need. In reverse order,
  /// so that the users of an op are visited first (isReadWide).
  void findWideUses() {
    auto hasWideUse = [&](Value value) {
      return llvm::any_of(value.getUses(), [&](OpOperand &use) { return isReadWide(use); });
    };
    for (Operation &op : llvm::reverse(block.without_terminator()))
      if (freeOps.contains(&op) && selectsElements(&op) && hasWideUse(op.getResult(0)))
        keptWide.insert(op.getResult(0));
    for (BlockArgument argument : block.getArguments())
      if (isFloat32(argument) && hasWideUse(argument))
        keptWide.insert(argument);
  }

  /// Removes from `keptWide` results that have been rounded already. The others are carriers of the precision of
  /// Float32: a free op carries it if it selects elements of a carrier, any other op if it is computed in Float32.
  void dropRounded() {
    DenseSet<Value> carriers(llvm::from_range, llvm::make_filter_range(block.getArguments(), isFloat32));
    for (Operation &op : block.without_terminator()) {
      if (op.getNumResults() != 1 || !isFloat(op.getResult(0)) || isWeightOrConstant(op.getResult(0)))
        continue;
      // Weights that an op in Float32 reads are stored in Float32.
      auto carries = [&](Value operand) {
        return carriers.contains(operand) ||
               (precision.isFloat32(&op) && isFloat(operand) && isWeightOrConstant(operand));
      };
      bool isCarrier = freeOps.contains(&op) ? selectsElements(&op) && llvm::any_of(op.getOperands(), carries)
                                             : precision.isFloat32(&op);
      if (isCarrier)
        carriers.insert(op.getResult(0));
      else
        keptWide.erase(op.getResult(0));
    }
  }

  /// Adds a node for `value` if the minimum cut decides its format: it is an argument, or the result of a free op. An
  /// edge to the sink has the cost of Float32: the additional bytes that the op reads and writes.
  void addNode(Value value) {
    Operation *op = value.getDefiningOp();
    bool mayBeEither = op ? freeOps.contains(op) : isFloat32(value);
    if (!mayBeEither || keptWide.contains(value))
      return;
    int node = nodes[value] = cut.addNode();
    if (!op)
      return;
    int64_t elements = tensorType(value).getNumElements();
    for (Value operand : op->getOperands())
      elements += isFloat(operand) ? tensorType(operand).getNumElements() : 0;
    cut.addEdge(node, MinCut::kSink, (kWideBytes - kNarrowBytes) * std::min(elements, kMostElements));
  }

  /// Adds the cost of a cast of `value`, which all readers in the other format share: kCast, and the bytes that it
  /// reads and writes. A cut costs its edges from the side of Float32 to that of the 16-bit format, none of which is
  /// unlimited.
  /// - The node `down` is `value` cast to the 16-bit format, with the edges value -> down, which costs the cast, and
  ///   down -> reader, unlimited. If any reader is in the 16-bit format, so is `down`, and the cast is paid once if
  ///   `value` is in Float32.
  /// - The node `up` is `value` cast to Float32, with the edges reader -> up, unlimited, and up -> value. If any reader
  ///   is in Float32, so is `up`, and the cast is paid once if `value` is in the 16-bit format.
  void addCostOfCast(Value value) {
    int node = nodeOf(value);
    SmallVector<std::pair<int, bool>> readers; // the node of a reader, and whether it promotes `value` to Float32
    for (OpOperand &use : value.getUses())
      if (std::optional<int> reader = readerOf(use); reader && *reader != node)
        readers.push_back({*reader, isPromoted(use)});
    if (readers.empty())
      return;
    llvm::sort(readers);
    readers.erase(llvm::unique(readers), readers.end());
    int64_t elements = std::min(tensorType(value).getNumElements(), kMostElements);
    int64_t cost = kCast + (kWideBytes + kNarrowBytes) * elements;
    int down = cut.addNode(), up = cut.addNode();
    cut.addEdge(node, down, cost);
    cut.addEdge(up, node, cost);
    for (auto [reader, promotes] : readers) {
      cut.addEdge(down, reader, MinCut::kUnlimited);
      if (!promotes) // A reader that promotes `value` needs no cast of it to Float32.
        cut.addEdge(reader, up, MinCut::kUnlimited);
    }
  }

  ArrayRef<Type> outputs;
  Block &block;
  const FloatPrecision &precision;
  bool nativeOutputs;
  DenseSet<Operation *> freeOps; ///< ops that may be computed in either format (isFree)
  DenseSet<Value> keptWide;      ///< arguments and results of free ops that stay in Float32
  MinCut cut;
  DenseMap<Value, int> nodes; ///< in the cut, of arguments and results of free ops that are not in `keptWide`
};
} // namespace

CastPlacement CastPlacement::of(func::FuncOp func, const FloatPrecision &precision, bool nativeOutputs) {
  return CastPlacer(func, precision, nativeOutputs).place();
}
