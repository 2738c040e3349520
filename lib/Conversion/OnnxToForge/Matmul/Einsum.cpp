//===- Einsum.cpp - ONNX Einsum as permutations and matrix products -------===//

#include "Matmul.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace forge;

// A label per axis: letters, and negative numbers for the axes of an ellipsis, -1 for the last one.
using Labels = SmallVector<int64_t>;

namespace {
struct Term {
  Value value;
  Labels labels;
};

// An equation, checked against the shapes of its inputs.
struct Einsum {
  SmallVector<Term> terms;
  DenseMap<int64_t, int64_t> sizes; // by label; axes of size 1 broadcast
  int64_t ellipsisRank = 0;
  Labels output;

  Type elementType() const { return elementOf(terms.front().value); }
  SmallVector<int64_t> sizesOf(ArrayRef<int64_t> labels) const {
    return llvm::map_to_vector(labels, [&](int64_t label) { return sizes.lookup(label); });
  }
  // Whether the output, or an input from `position` on, has the label.
  bool isNeeded(int64_t label, size_t position) const {
    auto hasLabel = [&](const Term &term) { return llvm::is_contained(term.labels, label); };
    return llvm::is_contained(output, label) || llvm::any_of(ArrayRef(terms).drop_front(position), hasLabel);
  }
};
} // namespace

static Refused invalid(OnnxNode &n, const Twine &why) {
  return n.refuse(Code::AttributeValue, "attribute 'equation' is not valid: " + why);
}

// The labels of one term of the equation; `ellipsisRank` is the number of axes of its "...".
static FailureOr<Labels> parseTerm(StringRef text, int64_t ellipsisRank) {
  Labels labels;
  bool sawEllipsis = false;
  while (!text.empty()) {
    if (text.consume_front("...")) {
      if (sawEllipsis)
        return failure();
      sawEllipsis = true;
      for (int64_t i = ellipsisRank; i > 0; --i)
        labels.push_back(-i);
    } else if (llvm::isAlpha(text.front())) {
      labels.push_back(text.front());
      text = text.drop_front();
    } else {
      return failure();
    }
  }
  return labels;
}

// Parses the term of one input and records the sizes of its labels.
static LogicalResult addTerm(OnnxNode &n, Einsum &einsum, StringRef text, Value operand) {
  ArrayRef<int64_t> shape = shapeOf(operand);
  int64_t rank = shape.size(), letters = llvm::count_if(text, llvm::isAlpha);
  int64_t ellipsisRank = text.contains("...") ? rank - letters : 0;
  FailureOr<Labels> labels = parseTerm(text, ellipsisRank);
  if (failed(labels) || static_cast<int64_t>(labels->size()) != rank)
    return invalid(n, "a term does not name the " + Twine(rank) + " dims of its input");
  einsum.ellipsisRank = std::max(einsum.ellipsisRank, ellipsisRank);
  for (auto [label, size] : llvm::zip_equal(*labels, shape)) {
    int64_t &known = einsum.sizes.try_emplace(label, size).first->second;
    if (known != size && known != 1 && size != 1)
      return invalid(n, "one label has the sizes " + Twine(known) + " and " + Twine(size));
    known = known == 1 ? size : known;
  }
  for (auto [i, label] : llvm::enumerate(*labels))
    for (size_t j = 0; j < i; ++j)
      if ((*labels)[j] == label && shape[i] != shape[j])
        return invalid(n, "a diagonal needs equal sizes");
  einsum.terms.push_back({operand, *labels});
  return success();
}

// The output of an equation without "->": the ellipsis, then the labels that occur once, in alphabetical order.
static std::string impliedOutput(StringRef inputs) {
  std::string output = inputs.contains("...") ? "..." : "";
  for (char label = 'A'; label <= 'z'; ++label)
    if (llvm::isAlpha(label) && inputs.count(label) == 1)
      output.push_back(label);
  return output;
}

static FailureOr<Einsum> readEinsum(OnnxNode &n) {
  std::string equation = n.stringAttr("equation").str();
  llvm::erase(equation, ' ');
  Values operands = n.inputs();
  if (n.failed())
    return failure();
  auto [left, right] = StringRef(equation).split("->");
  SmallVector<StringRef> inputs;
  left.split(inputs, ',');
  if (inputs.size() != operands.size() || operands.empty())
    return invalid(n, "it has " + Twine(inputs.size()) + " terms for " + Twine(operands.size()) + " inputs");
  Type element = elementOf(operands.front());
  if (element.isUnsignedInteger() || (isa<IntegerType>(element) && element.getIntOrFloatBitWidth() < 32))
    return n.refuse(Code::IntegerRange,
                    "a product of narrow or unsigned integers may not fit Int32 on the device; cast to int32 first");
  Einsum einsum;
  for (auto [text, operand] : llvm::zip_equal(inputs, operands))
    if (failed(addTerm(n, einsum, text, operand)))
      return failure();
  std::string output = StringRef(equation).contains("->") ? right.str() : impliedOutput(left);
  FailureOr<Labels> labels = parseTerm(output, einsum.ellipsisRank);
  if (failed(labels))
    return invalid(n, "its output has a character that is no label, or two ellipses");
  for (int64_t label : *labels)
    if (!einsum.sizes.count(label) || llvm::count(*labels, label) != 1)
      return invalid(n, "its output names a label twice or one that no input has");
  einsum.output = *labels;
  return einsum;
}

// Replaces axes i < j, which have the same label and size, by their diagonal as the trailing axis: every (size + 1)-th
// element of the flattened square.
static void takeDiagonal(ForgeBuilder &b, Term &term, int64_t i, int64_t j) {
  int64_t size = shapeOf(term.value)[i], label = term.labels[i];
  auto withoutBoth = [&](ArrayRef<int64_t> all) { return withoutAxis(withoutAxis(all, j), i); };
  SmallVector<int64_t> perm = concatShapes(withoutBoth(allAxes(term.labels.size())), {i, j});
  SmallVector<int64_t> shape = concatShapes(withoutBoth(shapeOf(term.value)), size * size);
  int64_t last = shape.size() - 1;
  Value flat = b.reshape(b.transpose(term.value, perm), shape);
  term.value =
      b.create<StridedSliceOp>(flat, ArrayRef{last}, ArrayRef<int64_t>{0}, ArrayRef{size * size}, ArrayRef{size + 1});
  term.labels = concatShapes(withoutBoth(term.labels), label);
}

// Replaces axes with a repeated label by one axis.
static void takeDiagonals(ForgeBuilder &b, Term &term) {
  for (size_t i = 0; i < term.labels.size() && term.value;) {
    auto again = std::find(term.labels.begin() + i + 1, term.labels.end(), term.labels[i]);
    if (again == term.labels.end()) {
      ++i;
    } else {
      takeDiagonal(b, term, i, again - term.labels.begin());
      i = 0; // The axes have moved.
    }
  }
}

static void sumOut(ForgeBuilder &b, Term &term, llvm::function_ref<bool(int64_t)> isNeeded) {
  SmallVector<int64_t> axes;
  Labels kept;
  for (auto [axis, label] : llvm::enumerate(term.labels)) {
    if (isNeeded(label))
      kept.push_back(label);
    else
      axes.push_back(axis);
  }
  term.value = b.reduce<ReduceSumOp>(term.value, axes, /*keepDims=*/false);
  term.labels = kept;
}

// Permutes `term` to the labels in `order`, which are the same in another order.
static void permute(ForgeBuilder &b, Term &term, ArrayRef<int64_t> order) {
  SmallVector<int64_t> perm;
  for (int64_t label : order)
    perm.push_back(llvm::find(term.labels, label) - term.labels.begin());
  term.value = b.transpose(term.value, perm);
  term.labels.assign(order.begin(), order.end());
}

// The product of two terms, summed over the labels that both have and that no later term needs.
static Term contract(ForgeBuilder &b, const Einsum &einsum, const Term &left, const Term &right, size_t position) {
  auto isShared = [&](int64_t label) {
    return llvm::is_contained(left.labels, label) && llvm::is_contained(right.labels, label);
  };
  auto isNeeded = [&](int64_t label) { return einsum.isNeeded(label, position); };
  Labels batch = llvm::filter_to_vector(left.labels, [&](int64_t label) { return isShared(label) && isNeeded(label); });
  Labels inner =
      llvm::filter_to_vector(left.labels, [&](int64_t label) { return isShared(label) && !isNeeded(label); });
  Labels rows = llvm::filter_to_vector(left.labels, [&](int64_t label) { return !isShared(label); });
  Labels columns = llvm::filter_to_vector(right.labels, [&](int64_t label) { return !isShared(label); });
  // Broadcasts shared axes of size 1, and merges each group of axes.
  auto matrix = [&](Term term, ArrayRef<int64_t> order, ArrayRef<int64_t> shape) {
    permute(b, term, order);
    return Expr(b, b.reshape(term.value ? b.expand(term.value, einsum.sizesOf(order)) : Value(), shape));
  };
  auto count = [&](ArrayRef<int64_t> labels) { return ShapedType::getNumElements(einsum.sizesOf(labels)); };
  int64_t batches = count(batch), m = count(rows), k = count(inner), p = count(columns);
  Labels leftOrder = concatShapes(concatShapes(batch, rows), inner);
  Labels rightOrder = concatShapes(concatShapes(batch, inner), columns);
  Value result;
  if (inner.empty() || !isa<FloatType>(einsum.elementType())) {
    // Elementwise if nothing is summed, and for integers, for which the device has no matrix product.
    Expr x = matrix(left, leftOrder, {batches, m, k, 1}), y = matrix(right, rightOrder, {batches, 1, k, p});
    result = inner.empty() ? b.reshape(x * y, {batches, m, p})
                           : b.create<ReduceSumOp>(Value(x * y), int64_t(-2), /*keep_dim=*/false);
  } else {
    SmallVector<int64_t> leftShape{batches, m, k}, rightShape{batches, k, p};
    size_t dropped = batch.empty() ? 1 : 0;
    Value y = matrix(right, rightOrder, ArrayRef(rightShape).drop_front(dropped));
    Value x = matrix(left, leftOrder, ArrayRef(leftShape).drop_front(dropped));
    result = b.matmul(x, y);
  }
  Labels labels = concatShapes(concatShapes(batch, rows), columns);
  return {b.reshape(result, einsum.sizesOf(labels)), labels};
}

// Contracts from left to right. Labels that no other term needs are summed before the product.
static Term contractAll(ForgeBuilder &b, const Einsum &einsum) {
  ArrayRef<Term> terms = einsum.terms;
  Term result = terms.front();
  for (size_t i = 1; i < terms.size() && result.value; ++i) {
    sumOut(b, result, [&](int64_t label) { return einsum.isNeeded(label, i); });
    Term next = terms[i];
    sumOut(b, next,
           [&](int64_t label) { return einsum.isNeeded(label, i + 1) || llvm::is_contained(result.labels, label); });
    if (!result.value || !next.value)
      return {};
    result = contract(b, einsum, result, next, i + 1);
  }
  if (result.value)
    sumOut(b, result, [&](int64_t label) { return llvm::is_contained(einsum.output, label); });
  return result;
}

Values forge::convertEinsum(OnnxNode &n, ForgeBuilder &b) {
  FailureOr<Einsum> einsum = readEinsum(n);
  if (failed(einsum))
    return {};
  if (llvm::is_contained(llvm::make_second_range(einsum->sizes), 0))
    return {b.splat(RankedTensorType::get(einsum->sizesOf(einsum->output), einsum->elementType()), 0)};
  for (Term &term : einsum->terms)
    takeDiagonals(b, term);
  Term result = contractAll(b, *einsum);
  if (!result.value)
    return {};
  permute(b, result, einsum->output);
  return {result.value};
}
