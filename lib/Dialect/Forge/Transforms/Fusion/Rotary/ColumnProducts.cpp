//===- ColumnProducts.cpp - rotary embeddings as matrix products ----------===//
//
// A rotary embedding slices the columns of queries and keys, concatenates them in another order, multiplies the
// original and the reordered columns by tables, and adds the results. A product with a constant matrix, which has at
// most one nonzero element per row and column, does the reordering and, with its bias, the addition in one call:
//
//     add(%x * %cos, concatenate(-%x[d/2:d], %x[0:d/2]) * %sin)  ->  matmul(%x * reordered(%sin), %M, %x * %cos)
//
//===----------------------------------------------------------------------===//

#define GEN_PASS_DEF_FORGECOLUMNPRODUCTSPASS
#include "Arithmetic/FastMath.h"
#include "Fusion/Rotary/ColumnMap.h"
#include "Fusion/Scaling.h"
#include "PassCommon.h"
#include "forge/Dialect/Forge/Analysis/Cost/Cost.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// The largest number of columns of the matrix, which is stored as a constant.
static constexpr int64_t kMostColumns = 256;

namespace {
/// x * a + (x * b) M, where x is a slice of neighbouring columns of the source, M is a constant matrix with at most one
/// nonzero element per row and column, and a and b have one factor per column of x: constants, or permuted columns of
/// one table each. The coefficients of b are in M, so that the multiplication by b is needed only for a table. (A
/// coefficient is then multiplied after the table, which is exact for -1.)
class ColumnProduct {
public:
  /// Sets this product to the one with the columns of `map`. Returns false if there is none, for one of these reasons:
  /// - x, from the first to the last source column that is used, is not as wide as the result.
  /// - A column of x is used twice at its own position, or twice at another one.
  /// - A column of the result has two summands from its own position, or two moved ones, which could be added in
  ///   another order.
  /// - No column is a sum, or none is moved.
  /// - A factor does not fit (Factors::set), or the reordered tables are too large for the weights file.
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
      factors->coefficients.assign(count, 0);
      factors->columns.assign(count, -1);
    }
    target.assign(count, -1);
    // A summand at the position of its column is a part of x * a, and any other one of (x * b) M.
    for (auto [column, sum] : llvm::enumerate(map.columns))
      for (const Summand &each : sum) {
        int64_t from = each.column - begin;
        bool moves = from != static_cast<int64_t>(column), hasMoved = llvm::is_contained(target, column);
        if (!(moves ? moved : unmoved).set(from, each) || (moves && hasMoved))
          return false;
        if (moves)
          target[from] = column;
      }
    return !moved.isZero() && unmoved.isStorable() && moved.isStorable();
  }

  /// The calls and kernels of build(): the product, the slice x, x * a, and x * b for a table b. A product with a bias
  /// is one call and two kernels.
  int64_t calls() const { return 1 + (readsAll() ? 0 : 1) + (unmoved.needsNoCall() ? 0 : 1) + (moved.table ? 1 : 0); }
  int64_t kernels() const { return calls() + (unmoved.isZero() ? 0 : 1); }

  /// Builds the product, of type `type`. x * a is its bias.
  Value build(ImplicitLocOpBuilder &b, RankedTensorType type) const {
    auto count = static_cast<int64_t>(target.size());
    auto constant = [&](ArrayRef<int64_t> shape, ArrayRef<float> elements) -> Value {
      return ConstantOp::create(b, DenseElementsAttr::get(RankedTensorType::get(shape, b.getF32Type()), elements));
    };
    Value x = source;
    if (!readsAll())
      x = IndexOp::create(b, x, int64_t(-1), begin, begin + count, int64_t(1));
    Value bias = unmoved.isZero() ? Value() : x;
    if (!unmoved.needsNoCall()) {
      Value row = unmoved.table ? unmoved.inOrder(b) : constant(count, unmoved.coefficients);
      if (unmoved.table && !unmoved.isAll(1))
        row = MultiplyOp::create(b, row, constant(count, unmoved.coefficients));
      bias = MultiplyOp::create(b, x, row);
    }
    SmallVector<float> matrix(count * count, 0);
    for (auto [from, to] : llvm::enumerate(target))
      if (to >= 0)
        matrix[from * count + to] = moved.coefficients[from];
    if (moved.table)
      x = MultiplyOp::create(b, x, moved.inOrder(b));
    return MatmulOp::create(b, type, x, constant({count, count}, matrix), bias);
  }

private:
  /// The factors of the columns of x: coefficients, some of them multiplied by a column of a table.
  struct Factors {
    SmallVector<float> coefficients; ///< 0 for a column that is not used
    SmallVector<int64_t> columns;    ///< the column of the table; -1 if the factor is the coefficient alone
    Value table;

    /// Sets the factor of `column`. Fails if it is set already, would need a second table, or is 0 or not finite.
    bool set(int64_t column, const Summand &summand) {
      if (coefficients[column] != 0 || summand.coefficient == 0 || !std::isfinite(summand.coefficient) ||
          (table && summand.table && summand.table != table))
        return false;
      coefficients[column] = summand.coefficient;
      if (summand.table) {
        table = summand.table;
        columns[column] = summand.tableColumn;
      }
      return true;
    }
    bool isAll(float coefficient) const { return llvm::all_equal(coefficients) && coefficients[0] == coefficient; }
    bool isZero() const { return isAll(0); }
    /// Whether x times these factors is 0, which is left out, or x.
    bool needsNoCall() const { return isZero() || (!table && isAll(1)); }
    /// The table with its columns in the order of those of x. Column `at` of the result is column columns[at] of the
    /// table. Where the factor is the coefficient alone, it is a one: the result then has the column `width`, of ones,
    /// which is appended to the table. Columns of x that are not used may have any factor. If there are no ones, they
    /// read the column at their own position, so that a table in order stays as it is.
    Value inOrder(ImplicitLocOpBuilder &b) const {
      int64_t count = columns.size(), width = shapeOf(table).back(), axis = tensorType(table).getRank() - 1;
      bool needsOnes =
          llvm::any_of(llvm::seq(count), [&](int64_t at) { return coefficients[at] != 0 && columns[at] < 0; });
      Value all = needsOnes ? padded(b, b.getLoc(), table, axis, /*before=*/0, /*after=*/1, /*fill=*/1) : table;
      SmallVector<int32_t> order;
      for (auto [at, column] : llvm::enumerate(columns)) {
        int64_t otherwise = needsOnes ? width : std::min<int64_t>(at, width - 1);
        order.push_back(column >= 0 ? column : otherwise);
      }
      if (count == shapeOf(all).back() && llvm::equal(order, llvm::seq<int32_t>(count)))
        return all;
      return AdvIndexOp::create(b, all, ConstantOp::create(b, b.getI32TensorAttr(order)), int64_t(-1));
    }
    /// Whether the weights file may contain the permuted table.
    bool isStorable() const {
      int64_t size = table ? tensorType(table).getNumElements() : 0, count = columns.size();
      return !table || mayBeStored(size / shapeOf(table).back() * count, size);
    }
  };

  /// Whether x is the whole source.
  bool readsAll() const { return shapeOf(source).back() == static_cast<int64_t>(target.size()); }

  Value source;
  int64_t begin = 0;           ///< the first column of x in the source
  Factors unmoved, moved;      ///< a and b
  SmallVector<int64_t> target; ///< the column of the result to which M moves a column of x; -1 for none
};

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
  // Replaces the result of `op` by a ColumnProduct, if it is one and that takes fewer calls and no more time.
  void rewrite(Operation *op) {
    Value root = op->getResult(0);
    RankedTensorType type = tensorType(root);
    if (!isFloat32(root) || isWeight(root) || type.getRank() < 2 || type.getNumElements() == 0 ||
        shapeOf(root).back() > kMostColumns)
      return;
    ColumnMap map(root);
    ColumnProduct product;
    if (!map.find() || !product.match(map))
      return;
    // What is saved is the cost of the ops that become dead: those without users besides each other.
    llvm::SmallPtrSet<Operation *, 16> dead;
    auto isDead = [&](Operation *user) { return dead.contains(user) || replaced.contains(user); };
    OpCost before, after;
    for (Operation *each : llvm::reverse(map.ops))
      if (each == op || llvm::all_of(each->getUsers(), isDead)) {
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

  llvm::DenseSet<Operation *> replaced; ///< the ops that are dead after the rewrites so far
};
} // namespace
