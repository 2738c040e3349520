//===- ColumnProducts.cpp - rotary embeddings as matrix products ----------===//
//
// A rotary embedding slices the columns of queries and keys, concatenates them in another order, multiplies the
// original and the reordered columns by tables, and adds the results. A product with a constant matrix, which has at
// most one nonzero element per column, does the reordering and, with its bias, the addition in one call:
//
//     add(%x * %cos, concatenate(-%x[d/2:d], %x[0:d/2]) * %sin)  ->  matmul(%x * reordered(%sin), %M, %x * %cos)
//
//===----------------------------------------------------------------------===//

#include "Arithmetic/FastMath.h"
#include "DeadOps.h"
#include "Fusion/Rotary/ColumnMap.h"
#include "Fusion/Scaling.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/Cost.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/Rewriting/PassReport.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGECOLUMNPRODUCTSPASS
#include "forge/Dialect/Forge/Transforms/Passes.h.inc"
} // namespace forge

// The largest number of columns of the matrix, which is stored as a constant.
static constexpr int64_t kMostColumns = 256;

namespace {
/// x * a + (x * b) M, where x is a slice of neighbouring columns of the source, M is a constant matrix, and a and b are
/// rows of constants or permuted columns of one table.
class ColumnProduct {
public:
  /// Whether the columns of `map` have this form, and the reordered tables are small enough for the weights file.
  /// The matched columns of the source have to be `count` neighbours, each with at most one summand at its own position
  /// and one at another position.
  bool match(const ColumnMap &map) {
    int64_t count = map.columns.size(), end = 0;
    source = map.source;
    begin = shapeOf(source).back();
    bool isSum = false;
    for (ArrayRef<Summand> sum : map.columns) {
      isSum |= sum.size() > 1;
      for (const Summand &each : sum) {
        begin = std::min(begin, each.column);
        end = std::max(end, each.column + 1);
      }
    }
    // Movement alone may be that of a mask, whose infinities times the zeros of the matrix would be NaN.
    if (!isSum || end - begin != count)
      return false;
    for (Factors *factors : {&unmoved, &moved}) {
      factors->numbers.assign(count, 0);
      factors->columns.assign(count, -1);
    }
    target.assign(count, -1);
    // A summand at the position of its column is a part of x * a, and any other one of (x * b) M.
    for (auto [column, sum] : llvm::enumerate(map.columns))
      for (const Summand &each : sum) {
        int64_t from = each.column - begin;
        bool stays = from == static_cast<int64_t>(column);
        if (!(stays ? unmoved : moved).set(from, each))
          return false;
        if (!stays)
          target[from] = column;
      }
    return !moved.isZero() && (!moved.table || moved.isOfTable()) && unmoved.isStorable() && moved.isStorable();
  }

  /// The numbers of calls and of kernels. A product with a bias is one call and two kernels.
  int64_t calls() const { return 1 + (isWhole() ? 0 : 1) + (unmoved.needsNoCall() ? 0 : 1) + (moved.table ? 1 : 0); }
  int64_t kernels() const { return calls() + (unmoved.isZero() ? 0 : 1); }

  Value build(ImplicitLocOpBuilder &b, RankedTensorType type) const {
    auto count = static_cast<int64_t>(target.size());
    auto constant = [&](ArrayRef<int64_t> shape, ArrayRef<float> numbers) -> Value {
      return ConstantOp::create(b, DenseElementsAttr::get(RankedTensorType::get(shape, b.getF32Type()), numbers));
    };
    Value x = source;
    if (!isWhole())
      x = IndexOp::create(b, x, int64_t(-1), begin, begin + count, int64_t(1));
    Value bias = unmoved.isZero() ? Value() : x;
    if (!unmoved.needsNoCall()) {
      Value row = unmoved.table ? unmoved.inOrder(b) : constant(count, unmoved.numbers);
      if (unmoved.table && !unmoved.isAll(1))
        row = multiplied(b, b.getLoc(), row, constant(count, unmoved.numbers));
      bias = multiplied(b, b.getLoc(), x, row);
    }
    SmallVector<float> matrix(count * count, 0);
    for (int64_t from = 0; from < count; ++from)
      if (target[from] >= 0)
        matrix[from * count + target[from]] = moved.numbers[from];
    if (moved.table)
      x = multiplied(b, b.getLoc(), x, moved.inOrder(b));
    return MatmulOp::create(b, type, x, constant({count, count}, matrix), bias);
  }

private:
  /// The factors of the columns of x: numbers, some of them multiplied by a column of a table.
  struct Factors {
    SmallVector<float> numbers;
    SmallVector<int64_t> columns; ///< the column of the table; -1 if the factor is the number alone
    Value table;

    /// Sets the factor of `column`. Fails if it is set already, or would need a second table.
    bool set(int64_t column, const Summand &summand) {
      if (numbers[column] != 0 || summand.number == 0 || (table && summand.table && summand.table != table))
        return false;
      numbers[column] = summand.number;
      if (summand.table) {
        table = summand.table;
        columns[column] = summand.tableColumn;
      }
      return true;
    }
    bool isAll(float number) const { return llvm::all_equal(numbers) && numbers[0] == number; }
    bool isZero() const { return isAll(0); }
    bool needsNoCall() const { return isZero() || (!table && isAll(1)); }
    /// Whether every factor has a column of the table.
    bool isOfTable() const {
      return llvm::all_of(llvm::zip_equal(numbers, columns),
                          [](auto each) { return std::get<0>(each) == 0 || std::get<1>(each) >= 0; });
    }
    /// Permutes the columns of the table to the order of those of x, with 1 for columns whose factor is a number alone.
    Value inOrder(ImplicitLocOpBuilder &b) const {
      int64_t count = numbers.size(), width = shapeOf(table).back();
      bool isWhole = isOfTable();
      Value all = isWhole ? table : padded(b, b.getLoc(), table, tensorType(table).getRank() - 1, 0, 1, 1);
      SmallVector<int32_t> order;
      for (auto [at, column] : llvm::enumerate(columns))
        order.push_back(column >= 0 ? column : isWhole ? std::min<int64_t>(at, width - 1) : width);
      if (count == shapeOf(all).back() && llvm::equal(order, llvm::seq<int32_t>(count)))
        return all;
      auto type = RankedTensorType::get({count}, b.getI32Type());
      return AdvIndexOp::create(b, all, ConstantOp::create(b, DenseElementsAttr::get(type, ArrayRef(order))),
                                int64_t(-1));
    }
    bool isStorable() const {
      int64_t size = table ? tensorType(table).getNumElements() : 0, count = numbers.size();
      return !table || mayBeStored(size / shapeOf(table).back() * count, size);
    }
  };

  bool isWhole() const { return shapeOf(source).back() == static_cast<int64_t>(target.size()); }

  Value source;
  int64_t begin = 0;           ///< the first column of x in the source
  Factors unmoved, moved;      ///< a and b
  SmallVector<int64_t> target; ///< the column of the result to which M moves a column of x; -1 for none
};
} // namespace

namespace {
struct ForgeColumnProductsPass : forge::impl::ForgeColumnProductsPassBase<ForgeColumnProductsPass>, ReportingPass {
  using ForgeColumnProductsPassBase::ForgeColumnProductsPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (failed(checkFastMath(func.getLoc(), fastMath)))
      return signalPassFailure();
    permissions = NumericPermissions(/*exact=*/false, fastMath);
    if (!deviceBlock(func) || !permits("columns-as-products"))
      return;
    // In reverse order, so that the last op of an embedding is tried before its operands.
    for (Operation &op : llvm::reverse(func.front()))
      if (isa<AddOp, SubtractOp, ConcatenateOp>(op) && !replaced.contains(&op))
        rewrite(&op);
    eraseDeadOps(func.front());
    replaced.clear();
  }

private:
  void rewrite(Operation *op) {
    Value root = op->getResult(0);
    RankedTensorType type = tensorType(root);
    if (!isFloat32(root) || isWeight(root) || type.getRank() < 2 || type.getNumElements() == 0 ||
        shapeOf(root).back() < 2 || shapeOf(root).back() > kMostColumns)
      return;
    ColumnMap map(root);
    ColumnProduct product;
    if (!map.find() || !product.match(map))
      return;
    // The cost of the ops that become dead is saved.
    llvm::SmallPtrSet<Operation *, 16> dead;
    OpCost before, after;
    for (Operation *each : llvm::reverse(map.ops))
      if (each == op || llvm::all_of(each->getUsers(),
                                     [&](Operation *user) { return dead.contains(user) || replaced.contains(user); })) {
        dead.insert(each);
        before.calls += 1;
        before.addKernels(kernelsOf(each));
      }
    after.calls = product.calls();
    after.addKernels(product.kernels());
    if (after.calls >= before.calls || !pays(before, after) || !mayRewrite(op, "columns-as-products"))
      return;
    ImplicitLocOpBuilder b(withoutTrace(op->getLoc()), op);
    Value result = product.build(b, type);
    result.getDefiningOp()->setLoc(op->getLoc());
    op->replaceAllUsesWith(ValueRange(result));
    replaced.insert(dead.begin(), dead.end());
  }

  llvm::DenseSet<Operation *> replaced;
};
} // namespace
