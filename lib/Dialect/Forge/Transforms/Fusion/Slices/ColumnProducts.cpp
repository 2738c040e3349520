//===- ColumnProducts.cpp - rotary embeddings as matrix products ----------===//
//
// A rotary embedding cuts the columns of queries and keys, puts them together in another order, multiplies both by
// tables and adds them. A product with a matrix of zeros and ones does the reordering and the sum in one call; devices
// have their own kernel for it in this form.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic/FastMath.h"
#include "DeadOps.h"
#include "Fusion/Scaling.h"
#include "Fusion/Slices/ColumnMap.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/Cost.h"
#include "forge/Dialect/Forge/IR/Constants.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/PassReport.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGECOLUMNPRODUCTSPASS
#include "forge/Dialect/Forge/Transforms/Passes.h.inc"
} // namespace forge

// Columns of a matrix that is stored for this.
static constexpr int64_t kMostColumns = 256;

namespace {
/// Builds weights, each once: embeddings of queries and keys have the same ones.
class WeightBuilder {
public:
  Value constant(ImplicitLocOpBuilder &b, RankedTensorType type, ArrayRef<float> numbers) {
    return constant(b, DenseElementsAttr::get(type, numbers));
  }
  Value constant(ImplicitLocOpBuilder &b, DenseElementsAttr value) {
    return once(b, {Value(), value}, [&] { return ConstantOp::create(b, value); });
  }

  /// `table` with one more column, of ones.
  Value widened(ImplicitLocOpBuilder &b, Value table) {
    return once(b, {table, UnitAttr::get(b.getContext())}, [&] {
      SmallVector<int64_t> shape(shapeOf(table));
      shape.back() = 1;
      Value ones = constant(b, splatAttr(tensorType(table).clone(shape), 1));
      return ConcatenateOp::create(b, ValueRange{table, ones}, int64_t(-1));
    });
  }

  /// The columns of `table` that `order` names.
  Value gathered(ImplicitLocOpBuilder &b, Value table, ArrayRef<int32_t> order) {
    auto type = RankedTensorType::get({static_cast<int64_t>(order.size())}, b.getI32Type());
    auto columns = DenseElementsAttr::get(type, order);
    SmallVector<int64_t> shape(shapeOf(table));
    shape.back() = order.size();
    return once(b, {table, columns}, [&] {
      return AdvIndexOp::create(b, tensorType(table).clone(shape), table, constant(b, columns), int64_t(-1));
    });
  }

private:
  template <typename Create>
  Value once(ImplicitLocOpBuilder &b, std::pair<Value, Attribute> key, Create create) {
    if (Value known = weights.lookup(key)) {
      makeAvailable(known, &*b.getInsertionPoint());
      return known;
    }
    Value made = create();
    weights[key] = made;
    return made;
  }

  llvm::DenseMap<std::pair<Value, Attribute>, Value> weights;
};

/// x * a + (x * b) M, where a and b are of a table each, if of any, and M is a matrix of numbers.
class ColumnProduct {
public:
  /// Whether the columns of `map` are of this form, and the weights file may hold the tables.
  bool match(const ColumnMap &map);

  /// Calls of the program, and kernels: a product and its term are two.
  int64_t calls() const { return 1 + (isWhole() ? 0 : 1) + (own.isOne() ? 0 : 1) + (moved.table ? 1 : 0); }
  int64_t kernels() const { return calls() + (own.isZero() ? 0 : 1); }

  Value build(ImplicitLocOpBuilder &b, RankedTensorType type, WeightBuilder &weights) const;

private:
  /// A factor for each column of x.
  struct Factors {
    SmallVector<float> numbers;
    SmallVector<std::optional<int64_t>> columns; ///< of the table; none where a number is all
    Value table;

    bool add(int64_t column, const Factor &factor) {
      if (numbers[column] != 0 || factor.number == 0 || (table && factor.table && factor.table != table))
        return false;
      numbers[column] = factor.number;
      if (!factor.table)
        return true;
      table = factor.table;
      columns[column] = factor.column;
      return true;
    }
    bool isZero() const {
      return llvm::all_of(numbers, [](float number) { return number == 0; });
    }
    bool isOne() const {
      return isZero() || (!table && llvm::all_of(numbers, [](float number) { return number == 1; }));
    }
    /// Whether no column has a number without the table.
    bool isOfTable() const {
      return llvm::all_of(llvm::zip_equal(numbers, columns),
                          [](auto each) { return std::get<0>(each) == 0 || std::get<1>(each); });
    }
    Value inOrder(ImplicitLocOpBuilder &b, WeightBuilder &weights) const;
    bool isStorable() const {
      int64_t size = table ? tensorType(table).getNumElements() : 0, count = numbers.size();
      return !table || mayBeStored(size / shapeOf(table).back() * count, size);
    }
  };

  bool isWhole() const { return shapeOf(source).back() == static_cast<int64_t>(target.size()); }

  Value source;
  int64_t begin = 0;           ///< of x in the source
  Factors own, moved;          ///< a and b
  SmallVector<int64_t> target; ///< of the columns that move; -1 for others
};
} // namespace

bool ColumnProduct::match(const ColumnMap &map) {
  int64_t count = map.terms.size(), most = 0;
  source = map.source;
  begin = shapeOf(source).back();
  bool isSum = false;
  for (ArrayRef<Term> sum : map.terms) {
    isSum |= sum.size() > 1;
    for (const Term &term : sum) {
      begin = std::min(begin, term.column);
      most = std::max(most, term.column + 1);
    }
  }
  // Movement alone stays movement: it may be of masks, whose infinities are NaN times the zeros of a matrix.
  if (!isSum || most - begin != count)
    return false;
  for (Factors *factors : {&own, &moved}) {
    factors->numbers.assign(count, 0);
    factors->columns.assign(count, std::nullopt);
  }
  target.assign(count, -1);
  for (int64_t column = 0; column < count; ++column)
    for (const Term &term : map.terms[column]) {
      int64_t from = term.column - begin;
      if (!(from == column ? own : moved).add(from, term.factor))
        return false;
      if (from != column)
        target[from] = column;
    }
  return !moved.isZero() && (!moved.table || moved.isOfTable()) && own.isStorable() && moved.isStorable();
}

// The columns of the table for each column of x; 1 where there is a number alone.
Value ColumnProduct::Factors::inOrder(ImplicitLocOpBuilder &b, WeightBuilder &weights) const {
  int64_t count = numbers.size(), width = shapeOf(table).back();
  Value wide = isOfTable() ? table : weights.widened(b, table);
  SmallVector<int32_t> order;
  for (int64_t column = 0; column < count; ++column)
    order.push_back(columns[column].value_or(isOfTable() ? std::min(column, width - 1) : width));
  bool isInOrder = count == shapeOf(wide).back() && llvm::equal(order, llvm::seq<int32_t>(count));
  return isInOrder ? wide : weights.gathered(b, wide, order);
}

Value ColumnProduct::build(ImplicitLocOpBuilder &b, RankedTensorType type, WeightBuilder &weights) const {
  auto count = static_cast<int64_t>(target.size());
  auto floats = [&](ArrayRef<int64_t> shape) { return RankedTensorType::get(shape, b.getF32Type()); };
  Value x = source;
  if (!isWhole())
    x = IndexOp::create(b, x, int64_t(-1), begin, begin + count, int64_t(1));
  Value term = own.isZero() ? Value() : x;
  if (!own.isOne()) {
    Value row = own.table ? own.inOrder(b, weights) : Value();
    if (llvm::any_of(own.numbers, [](float number) { return number != 1; })) {
      Value numbers = weights.constant(b, floats(count), own.numbers);
      row = row ? product(b, b.getLoc(), row, numbers) : numbers;
    }
    term = product(b, b.getLoc(), x, row);
  }
  SmallVector<float> matrix(count * count, 0);
  for (int64_t from = 0; from < count; ++from)
    if (target[from] >= 0)
      matrix[from * count + target[from]] = moved.numbers[from];
  if (moved.table)
    x = product(b, b.getLoc(), x, moved.inOrder(b, weights));
  return MatmulOp::create(b, type, x, weights.constant(b, floats({count, count}), matrix), term);
}

namespace {
struct ForgeColumnProductsPass : forge::impl::ForgeColumnProductsPassBase<ForgeColumnProductsPass>, ReportingPass {
  using ForgeColumnProductsPassBase::ForgeColumnProductsPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    FailureOr<FastMath> allowed = FastMath::parse(func.getLoc(), fastMath);
    if (failed(allowed))
      return signalPassFailure();
    if (!deviceBlock(func))
      return;
    permissions = NumericPermissions(/*exact=*/false, fastMath);
    if (!permits("columns-as-products"))
      return;
    // The last op of an embedding comes before those that it is made of.
    for (Operation &op : llvm::reverse(func.front()))
      if (isa<AddOp, SubtractOp, ConcatenateOp>(op) && !replaced.contains(&op))
        rewrite(&op);
    eraseDeadOps(func.front());
    replaced.clear();
    weights = {};
  }

private:
  void rewrite(Operation *op) {
    Value root = op->getResult(0);
    RankedTensorType type = tensorType(root);
    if (!isFloat32(root) || isWeight(root) || type.getRank() < 2 || type.getNumElements() == 0 ||
        shapeOf(root).back() < 2 || shapeOf(root).back() > kMostColumns)
      return;
    ColumnMap map(root);
    if (!map.follow())
      return;
    ColumnProduct product;
    if (!product.match(map))
      return;
    // Those that nothing else reads go.
    llvm::SmallPtrSet<Operation *, 16> gone;
    OpCost before, after;
    SmallVector<Operation *> ops(map.ops.begin(), map.ops.end());
    llvm::sort(ops, [](Operation *a, Operation *b) { return b->isBeforeInBlock(a); });
    for (Operation *each : ops)
      if (each == op || llvm::all_of(each->getUsers(),
                                     [&](Operation *user) { return gone.contains(user) || replaced.contains(user); })) {
        gone.insert(each);
        before.calls += 1;
        before.kernels += kernelsOf(each);
      }
    after.calls = product.calls();
    after.kernels = product.kernels();
    if (after.calls >= before.calls || !pays(before, after) || !mayRewrite(op, "columns-as-products"))
      return;
    ImplicitLocOpBuilder b(withoutTrace(op->getLoc()), op);
    Value result = product.build(b, type, weights);
    result.getDefiningOp()->setLoc(op->getLoc());
    op->replaceAllUsesWith(ValueRange(result));
    replaced.insert(gone.begin(), gone.end());
  }

  llvm::DenseSet<Operation *> replaced;
  WeightBuilder weights;
};
} // namespace
