//===- SeparateProducts.cpp - products that the device may merge ----------===//
//
// The device's compiler merges matrix products with the same left operand: it concatenates their right operands, and
// their biases if all of them have one. It checks neither whether the biases can be concatenated, nor whether one of
// the products depends on another one (docs/device-limits.md). It treats an add after a product as a bias, but not a
// subtraction.
//
// A *sum* is a product with a bias or a later add, whose other operand is the *addend*. The compiler does not merge
// sums with products without an addend, so that each of the two kinds has groups of its own.
//
// Merging two products may be slower: the result has to be sliced into two, and a function of a product is no longer
// fused into it. The compiler merges only products whose right operands have equal rank. Therefore, to keep two
// products apart, one of the right operands is reshaped to the rank of the left operand. In all, three rewrites prevent
// a merge:
//
//     matmul(%x, %W), matmul(%x, %V)              ->  matmul(%x, %W), matmul(%x, reshape(%V))    if merging is slower
//     %p = matmul(%x, %W), matmul(%x, relu(%p))   ->  %p, matmul(%x, relu(%p) * 1)               if one depends on it
//     add(matmul(%x, %W), %a)                     ->  subtract(matmul(%x, %W), -%a)              if %a cannot be merged
//
// A trace (Location.h) records which ONNX value a result holds. Rewrites keep traces, and do not depend on them.
//
//===----------------------------------------------------------------------===//

#include "Casts.h"
#include "MixedTypes.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/Cost/Cost.h"
#include "forge/Dialect/Forge/Analysis/LinearOps.h"
#include "forge/Dialect/Forge/Analysis/ZeroSigns.h"
#include "forge/Dialect/Forge/IR/Constants/Constants.h"
#include "forge/Dialect/Forge/IR/Operands.h"
#include "mlir/IR/Matchers.h"

#define GEN_PASS_DEF_FORGESEPARATEPRODUCTSPASS
#include "forge/Dialect/Forge/Transforms/Passes.h"

using namespace mlir;
using namespace forge;

namespace {
/// A sum, left * right + addend: `op` is the product with a bias, or an add of `value` and `addend`, where `value` is
/// the product or a reshape of it.
struct ProductWithAddend {
  Operation *op;
  MatmulOp product;
  Value value, addend; ///< `value` is null for a product with a bias

  /// Whether a reshape is between the product and the addition.
  bool isReshaped() const { return value && value.getDefiningOp() != product; }
  int64_t columns() const { return shapeOf(product->getResult(0)).back(); }
  /// Whether the addend has the columns of the product: it is not broadcast along the trailing axis.
  bool isAddendWithColumns() const { return !shapeOf(addend).empty() && shapeOf(addend).back() == columns(); }
  /// Whether the addend has one element for each column, and is broadcast along all other axes, as a bias.
  bool isAddendPerColumn() const { return isAddendWithColumns() && tensorType(addend).getNumElements() == columns(); }
};

/// The left operand of a product, and the batch sizes of its right operand (keyOf).
using Key = std::pair<Value, Attribute>;
} // namespace

// Whether the device multiplies by a matrix, or batches of them, for `product`, which may be null. A product of weights
// is evaluated when the weights file is written.
static bool multipliesOnDevice(MatmulOp product) {
  return product && tensorType(product.getOperandB()).getRank() >= 2 && !isWeight(product);
}

// Whether `product`, which may be null, has no bias and a single user. If that is an addition, the device's compiler
// treats the other operand of the addition as the bias.
static bool takesBias(MatmulOp product) {
  return multipliesOnDevice(product) && !product.getBias() && product->hasOneUse();
}

// Whether the device's compiler treats the addend of the addition `sum` as the bias of its product. It sinks a reshape
// of the product below the addition of a bias or a scalar, but not of other addends.
static bool isSumOfProduct(const ProductWithAddend &sum) {
  return takesBias(sum.product) && sum.value.hasOneUse() && sum.value.getType() == sum.op->getResult(0).getType() &&
         (!sum.isReshaped() || sum.isAddendPerColumn() || tensorType(sum.addend).getNumElements() == 1);
}

// Matches `op` as a product with a bias, or as an addition that the device's compiler treats as one. If both operands
// of an addition are such products, the first one is `product`, and the second one is the addend. A Float32 bias of
// 16-bit factors (hasTypeOfFactors) is left out, because without it the product would be rounded to 16 bits.
static std::optional<ProductWithAddend> sumOf(Operation *op) {
  if (auto product = dyn_cast<MatmulOp>(op);
      multipliesOnDevice(product) && product.getBias() && hasTypeOfFactors(product))
    return ProductWithAddend{op, product, Value(), product.getBias()};
  if (!isa<AddOp>(op))
    return std::nullopt;
  for (auto [value, addend] : inEitherOrder(op)) {
    auto reshape = value.getDefiningOp<ReshapeOp>();
    ProductWithAddend sum = {op, (reshape ? reshape.getOperandA() : value).getDefiningOp<MatmulOp>(), value, addend};
    if (isSumOfProduct(sum))
      return sum;
  }
  return std::nullopt;
}

// The device's compiler may merge products with the same key: the left operand and the batches of the right operand.
static Key keyOf(MatmulOp product) {
  ArrayRef<int64_t> batches = shapeOf(product.getOperandB()).drop_back(2);
  return {product.getOperandA(), DenseI64ArrayAttr::get(product.getContext(), batches)};
}

// Whether the addend of one of `sums`, which are in program order, depends on the result of another one. Visits the ops
// that compute addends, back to the first sum. (To visit all ops between the sums would take quadratic time for
// interleaved groups.)
static bool dependOnOneAnother(ArrayRef<ProductWithAddend> sums) {
  llvm::SmallPtrSet<Operation *, 16> opsOfSums, visited;
  SmallVector<Value> pending;
  for (const ProductWithAddend &sum : sums) {
    opsOfSums.insert(sum.op);
    pending.push_back(sum.addend);
  }
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val().getDefiningOp();
    if (opsOfSums.contains(op))
      return true;
    if (op && !op->isBeforeInBlock(sums.front().op) && visited.insert(op).second)
      llvm::append_range(pending, op->getOperands());
  }
  return false;
}

// The op of `sources` from which ops of one operand, if any, compute `value`; null if there is none. The device's
// compiler moves ops of one operand out of the way when it merges products, but not those of two.
static Operation *sourceAmong(Value value, const llvm::SmallPtrSetImpl<Operation *> &sources) {
  Operation *op = value.getDefiningOp();
  while (op && !sources.contains(op) && op->getNumOperands() == 1)
    op = op->getOperand(0).getDefiningOp();
  return sources.contains(op) ? op : nullptr;
}

// Whether the device's compiler can concatenate the addends: their shapes are equal except for the trailing axis, and
// none of them depends on another sum.
static bool canConcatenate(ArrayRef<ProductWithAddend> sums) {
  auto canJoinFirst = [&](const ProductWithAddend &sum) {
    return sum.isAddendWithColumns() && shapeOf(sum.addend).drop_back() == shapeOf(sums.front().addend).drop_back();
  };
  return llvm::all_of(sums, canJoinFirst) && !dependOnOneAnother(sums);
}

// `weight` in `shape`: itself, a constant, or a reshape that is evaluated when the weights file is written. Null,
// without a new op, if the reshape would run on the device, or if there are no elements, which forge.reshape does not
// accept.
static Value reshapedWeight(Value weight, ArrayRef<int64_t> shape, ImplicitLocOpBuilder &b) {
  RankedTensorType type = tensorType(weight).clone(shape);
  if (type == weight.getType())
    return weight;
  if (type.getNumElements() == 0)
    return {};
  DenseElementsAttr elements;
  if (matchPattern(weight, m_Constant(&elements)))
    return ConstantOp::create(b, type, elements.reshape(type));
  Value reshaped = ReshapeOp::create(b, type, weight, shape);
  if (isWeight(reshaped))
    return reshaped;
  reshaped.getDefiningOp()->erase();
  return {};
}

// A scalar constant of the element type of `value`.
static Value scalarLike(Value value, float number, ImplicitLocOpBuilder &b) {
  RankedTensorType type = tensorType(value).clone({1});
  if (isa<Float32Type, Float16Type, BFloat16Type>(type.getElementType()))
    return ScalarConstantOp::create(b, type, llvm::APFloat(number), type.getElementType());
  return ConstantOp::create(b, type, splatAttr(type, number));
}

// -value, folded if `value` is a constant of floats.
static Value negated(Value value, ImplicitLocOpBuilder &b) {
  if (auto scalar = value.getDefiningOp<ScalarConstantOp>())
    return ScalarConstantOp::create(b, scalar.getType(), -scalar.getConstant(), scalar.getDtype());
  DenseFPElementsAttr elements;
  auto negate = [](const llvm::APFloat &element) { return (-element).bitcastToAPInt(); };
  if (matchPattern(value, m_Constant(&elements)))
    return ConstantOp::create(b, elements.getType(), elements.mapValues(elements.getElementType(), negate));
  return MultiplyOp::create(b, value, scalarLike(value, -1, b));
}

// The sum as a difference, in one of two forms: x W - (-addend), or addend - x (-W). Both are exact, except that in 16
// bits the product is rounded before the difference, as in ONNX, if the addend was its bias. The first form negates the
// addend on the device, unless that is a weight. The second form stores -W instead of W, which costs nothing at run
// time, but needs a matrix W of weights, and no reshape between product and addition. It may change the sign of a zero:
// x W and x (-W) may both be +0, and with the addend -0 the sum is 0 + -0 = +0, but the difference is -0 - 0 = -0. With
// `signOfZeroMatters` the first form is used.
static Value differenceOf(ProductWithAddend sum, bool signOfZeroMatters, ImplicitLocOpBuilder &b) {
  Value left = sum.product.getOperandA(), right = sum.product.getOperandB();
  auto productWith = [&](Value factor) -> Value { return MatmulOp::create(b, left, factor, /*bias=*/Value()); };
  bool mayNegateWeight = !sum.isReshaped() && !signOfZeroMatters && WeightProduct::of(sum.product.getOperation());
  if (mayNegateWeight && !isWeight(sum.addend))
    return SubtractOp::create(b, sum.addend, productWith(negated(right, b)));
  Value product = sum.value ? sum.value : productWith(right); // The product of the program may have the bias.
  return SubtractOp::create(b, product, negated(sum.addend, b));
}

// The product of `op`, which is a sum or a product without an addend.
static MatmulOp productOf(Operation *op) {
  std::optional<ProductWithAddend> sum = sumOf(op);
  return sum ? sum->product : cast<MatmulOp>(op);
}

// Whether two products with the same left operand take at most the time of the merged product and of two slices of its
// result. Right operands count as matrices, [depth, columns], because keepSeparate() changes no others.
static bool isFasterSeparate(MatmulOp first, MatmulOp second) {
  DeviceLayout layout;
  OpCost separate, merged;
  RankedTensorType left = tensorType(first.getOperandA());
  int64_t depth = left.getShape().back(), mergedColumns = 0, mergedMultiplyAdds = 0;
  auto addProduct = [&](OpCost &cost, RankedTensorType result, int64_t multiplyAdds) {
    RankedTensorType right = result.clone({depth, result.getShape().back()});
    int64_t bytes = addCounts(layout.bytes(left), addCounts(layout.bytes(right), layout.bytes(result)));
    cost.addKernels(1, bytes, multiplyAdds, layout);
  };
  for (MatmulOp product : {first, second}) {
    addProduct(separate, product.getType(), multiplyAdds(product));
    mergedColumns += shapeOf(product).back();
    mergedMultiplyAdds = addCounts(mergedMultiplyAdds, multiplyAdds(product));
  }
  RankedTensorType mergedType = withDim(first, first.getType().getRank() - 1, mergedColumns);
  addProduct(merged, mergedType, mergedMultiplyAdds);
  for (MatmulOp product : {first, second})
    merged.addMove(mergedType, product.getType(), layout);
  return separate.time <= merged.time;
}

namespace {
struct ForgeSeparateProductsPass : forge::impl::ForgeSeparateProductsPassBase<ForgeSeparateProductsPass>,
                                   ReportingPass {
  void runOnOperation() override {
    Block *block = deviceBlock(getOperation());
    if (!block)
      return;
    const auto &signs = getAnalysis<ZeroSigns>();
    // The device's compiler does not merge a group that is kept separate, which needs nothing else.
    for (ArrayRef<Operation *> sums : groupsOfSums(*block)) {
      if (keepSeparate(sums))
        continue;
      separateRightOperands(sums);
      separateAddends(sums, signs);
    }
    for (ArrayRef<Operation *> products : groupsOfProducts(*block))
      if (!keepSeparate(products))
        separateRightOperands(products);
  }

private:
  using Group = SmallVector<Operation *>;

  // Groups of at least two sums that the device's compiler may merge.
  static SmallVector<Group> groupsOfSums(Block &block) {
    llvm::MapVector<Key, Group> groups;
    for (Operation &op : block)
      // A sum of two products that take biases is left as it is: each of them could be the addend of the other one.
      if (std::optional<ProductWithAddend> sum = sumOf(&op); sum && !takesBias(sum->addend.getDefiningOp<MatmulOp>()))
        groups[keyOf(sum->product)].push_back(&op);
    return withoutSingles(groups);
  }

  // Groups of at least two products without an addend that the device's compiler may merge.
  static SmallVector<Group> groupsOfProducts(Block &block) {
    llvm::SmallPtrSet<Operation *, 16> productsOfSums;
    for (Operation &op : block)
      if (std::optional<ProductWithAddend> sum = sumOf(&op))
        productsOfSums.insert(sum->product);
    llvm::MapVector<Key, Group> groups;
    for (auto product : block.getOps<MatmulOp>())
      if (multipliesOnDevice(product) && !product.getBias() && !productsOfSums.contains(product))
        groups[keyOf(product)].push_back(product);
    return withoutSingles(groups);
  }

  static SmallVector<Group> withoutSingles(llvm::MapVector<Key, Group> &groups) {
    groups.remove_if([](auto &group) { return group.second.size() < 2; });
    return llvm::to_vector(llvm::make_second_range(groups));
  }

  // Prevents the merge of two products, or sums, if they are faster separate, and returns whether it did: the right
  // operand of one of them, a matrix of weights (WeightProduct), is reshaped to the rank of the left operand, by
  // leading axes of size 1, so that the ranks of the right operands differ. The left operand needs rank 3 or more, and
  // the reshape must not run on the device; the last product for which that holds is changed. Other users of the weight
  // still read the matrix. Larger groups are left to the compiler, because isFasterSeparate() compares two products
  // only.
  bool keepSeparate(ArrayRef<Operation *> ops) {
    if (ops.size() != 2 || !isFasterSeparate(productOf(ops[0]), productOf(ops[1])))
      return false;
    for (Operation *op : llvm::reverse(ops)) {
      MatmulOp product = productOf(op);
      Value right = product.getOperandB();
      int64_t rank = tensorType(product.getOperandA()).getRank();
      if (rank < 3 || !WeightProduct::of(product.getOperation()))
        continue;
      ImplicitLocOpBuilder b(withoutTrace(product.getLoc()), product);
      Value reshaped = reshapedWeight(right, withRank(shapeOf(right), rank), b);
      if (!reshaped)
        continue;
      if (!mayRewrite(product, "products-kept-apart",
                      "the device's compiler would merge it with another one, and slice the result")) {
        reshaped.getDefiningOp()->erase(); // Not permitted, or the limit of rewrites is reached.
        return false;
      }
      product.getOperandBMutable().assign(reshaped);
      return true;
    }
    return false;
  }

  // Multiplies by 1 each right operand of a product of `ops` that is the result of another one of `ops`, maybe with ops
  // of one operand after it. The multiplication has two operands, and therefore prevents the merge (sourceAmong).
  // Nothing is done if such right operands are computed by several of `ops`, because the device's compiler itself then
  // notices that it cannot merge.
  void separateRightOperands(ArrayRef<Operation *> ops) {
    llvm::SmallPtrSet<Operation *, 16> group(ops.begin(), ops.end());
    llvm::SmallSetVector<Operation *, 2> sources;
    SmallVector<MatmulOp> dependents;
    for (Operation *op : ops) {
      MatmulOp product = productOf(op);
      if (Operation *source = sourceAmong(product.getOperandB(), group)) {
        sources.insert(source);
        dependents.push_back(product);
      }
    }
    if (sources.size() > 1)
      return;
    for (MatmulOp product : dependents) {
      Value right = product.getOperandB();
      ImplicitLocOpBuilder b(withoutTrace(product.getLoc()), product);
      product.getOperandBMutable().assign(MultiplyOp::create(b, right, scalarLike(right, 1, b)));
      recordRewrite(RemarkPlace::of(product), "right-sides-multiplied",
                    "the device's compiler would merge it with the product that computes its right operand");
    }
  }

  // If the device's compiler cannot concatenate the addends of a group, replaces additions by subtractions, which it
  // does not take for biases, so that it does not merge their products with those of additions. Additions of weights
  // with one element per column remain, because these can be concatenated once they have rank 1. If there is none of
  // these, the first addition remains: a single one is not merged.
  void separateAddends(ArrayRef<Operation *> ops, const ZeroSigns &signs) {
    if (canConcatenate(llvm::map_to_vector(ops, [](Operation *op) { return *sumOf(op); })))
      return;
    SmallVector<Operation *> others;
    for (Operation *op : ops)
      if (!reshapeToBias(*sumOf(op)))
        others.push_back(op);
    bool keepsFirst = others.size() == ops.size();
    // sumOf is evaluated again for each op, because its addend may be a sum that was replaced just before.
    for (Operation *op : ArrayRef(others).drop_front(keepsFirst ? 1 : 0))
      subtract(*sumOf(op), signs.matter(op->getResult(0)));
  }

  // Reshapes the addend to rank 1 if it is a weight with one element per column, and the reshape does not run on the
  // device. Returns whether it has rank 1 now.
  bool reshapeToBias(const ProductWithAddend &sum) {
    if (!sum.isAddendPerColumn() || !isWeight(sum.addend))
      return false;
    ImplicitLocOpBuilder b(withoutTrace(sum.op->getLoc()), sum.op);
    Value bias = reshapedWeight(sum.addend, sum.columns(), b);
    if (!bias)
      return false;
    if (bias != sum.addend) {
      // The weights of a product may be its bias, too.
      if (auto product = dyn_cast<MatmulOp>(sum.op))
        product.getBiasMutable().assign(bias);
      else
        sum.op->replaceUsesOfWith(sum.addend, bias);
      recordRewrite(RemarkPlace::of(sum.op), "biases-reshaped");
    }
    return true;
  }

  // Replaces the sum by a difference, and erases what it leaves without users.
  void subtract(ProductWithAddend sum, bool signOfZeroMatters) {
    ImplicitLocOpBuilder b(withoutTrace(sum.op->getLoc()), sum.op);
    Value difference = differenceOf(sum, signOfZeroMatters, b);
    difference.getDefiningOp()->setLoc(sum.op->getLoc());
    recordRewrite(RemarkPlace::of(sum.op), "sums-as-differences",
                  "the device's compiler cannot concatenate its addend with those of other products");
    sum.op->getResult(0).replaceAllUsesWith(difference);
    sum.op->erase();
    if (sum.value && sum.product->use_empty()) // Without `value`, the product was `op`.
      sum.product.erase();
    if (auto scalar = sum.addend.getDefiningOp<ScalarConstantOp>(); scalar && scalar->use_empty())
      scalar.erase();
  }
};
} // namespace
