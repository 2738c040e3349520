//===- Einsum.cpp - ONNX Einsum as permutations and matrix products -------===//

#include "Reduction.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace forge;

// A label per dim: letters, and negative numbers for the dims behind an ellipsis, -1 for the last one.
using Labels = SmallVector<int64_t>;

namespace {
struct Term {
  Value value;
  Labels labels;
};

struct Equation {
  SmallVector<StringRef> inputs;
  std::optional<StringRef> output;
};
} // namespace

static bool contains(ArrayRef<int64_t> labels, int64_t label) { return llvm::is_contained(labels, label); }

// The labels of one term of the equation; `ellipsisRank` is how many dims its "..." stands for.
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

// Brings repeated labels down to one axis: the diagonal of a square is every (size + 1)th of its elements.
static void takeDiagonals(ForgeBuilder &b, Term &term) {
  for (size_t i = 0; i < term.labels.size() && term.value; ++i) {
    size_t j = i + 1;
    while (j < term.labels.size() && term.labels[j] != term.labels[i])
      ++j;
    if (j == term.labels.size())
      continue;
    // Both axes go last.
    SmallVector<int64_t> perm, shape;
    int64_t size = shapeOf(term.value)[i];
    for (size_t axis = 0; axis < term.labels.size(); ++axis)
      if (axis != i && axis != j) {
        perm.push_back(axis);
        shape.push_back(shapeOf(term.value)[axis]);
      }
    perm.append({static_cast<int64_t>(i), static_cast<int64_t>(j)});
    shape.push_back(size * size);
    int64_t last = shape.size() - 1;
    Value flat = b.reshape(b.transpose(term.value, perm), shape);
    term.value =
        b.create<StridedSliceOp>(flat, ArrayRef{last}, ArrayRef<int64_t>{0}, ArrayRef{size * size}, ArrayRef{size + 1});
    int64_t label = term.labels[i];
    term.labels.erase(term.labels.begin() + j);
    term.labels.erase(term.labels.begin() + i);
    term.labels.push_back(label);
    i = -1; // Axes moved: start over.
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

// Permutes `term` to `order`, whose labels it has in any order.
static void permute(ForgeBuilder &b, Term &term, ArrayRef<int64_t> order) {
  SmallVector<int64_t> perm;
  for (int64_t label : order)
    perm.push_back(llvm::find(term.labels, label) - term.labels.begin());
  term.value = b.transpose(term.value, perm);
  term.labels.assign(order.begin(), order.end());
}

// The product of two terms, summed over what only they share and nothing else needs.
static Term contract(ForgeBuilder &b, Term left, Term right, llvm::function_ref<bool(int64_t)> isNeeded,
                     llvm::function_ref<int64_t(int64_t)> sizeOf) {
  Labels batch, inner, rows, columns;
  for (int64_t label : left.labels)
    (!contains(right.labels, label) ? rows : isNeeded(label) ? batch : inner).push_back(label);
  for (int64_t label : right.labels)
    if (!contains(left.labels, label))
      columns.push_back(label);
  auto sizes = [&](ArrayRef<int64_t> labels) { return llvm::map_to_vector(labels, sizeOf); };
  auto count = [&](ArrayRef<int64_t> labels) { return ShapedType::getNumElements(sizes(labels)); };
  // Shared dims of size 1 grow to the common size, and each group becomes one dim.
  auto matrix = [&](Term &term, Labels order, ArrayRef<int64_t> shape) {
    permute(b, term, order);
    return Expr(b, b.reshape(term.value ? b.expand(term.value, sizes(order)) : Value(), shape));
  };
  Labels leftOrder = batch, rightOrder = batch, resultLabels = batch;
  llvm::append_range(leftOrder, rows);
  llvm::append_range(leftOrder, inner);
  llvm::append_range(rightOrder, inner);
  llvm::append_range(rightOrder, columns);
  llvm::append_range(resultLabels, rows);
  llvm::append_range(resultLabels, columns);
  int64_t batches = count(batch), m = count(rows), k = count(inner), p = count(columns);
  bool isFloat = isa<FloatType>(tensorType(left.value).getElementType());
  Value result;
  if (inner.empty() || !isFloat) {
    // Without a sum, and for integers, whose matrix product the device does not have: elementwise.
    Expr x = matrix(left, leftOrder, {batches, m, k, 1}), y = matrix(right, rightOrder, {batches, 1, k, p});
    result = b.create<ReduceSumOp>(Value(x * y), int64_t(-2), /*keep_dim=*/false);
    if (inner.empty())
      result = b.reshape(x * y, {batches, m, p});
  } else if (batch.empty()) {
    result = b.create<MatmulOp>(Value(matrix(left, leftOrder, {m, k})), Value(matrix(right, rightOrder, {k, p})),
                                OptionalOperand());
  } else {
    result = b.create<MatmulOp>(Value(matrix(left, leftOrder, {batches, m, k})),
                                Value(matrix(right, rightOrder, {batches, k, p})), OptionalOperand());
  }
  return {b.reshape(result, sizes(resultLabels)), resultLabels};
}

static Equation splitEquation(StringRef text) {
  Equation equation;
  auto [left, right] = text.split("->");
  if (text.contains("->"))
    equation.output = right;
  left.split(equation.inputs, ',');
  return equation;
}

// Einsum (since 12, 28).
Values forge::convertEinsum(OnnxNode &n, ForgeBuilder &b) {
  std::string text = n.stringAttr("equation").str();
  llvm::erase(text, ' ');
  Values operands = n.inputs();
  if (n.failed())
    return {};
  auto invalid = [&](const Twine &why) {
    n.refuse(Code::AttributeValue, "attribute 'equation' is not valid: " + why);
    return Values();
  };
  Equation equation = splitEquation(text);
  if (equation.inputs.size() != operands.size() || operands.empty())
    return invalid("it has " + Twine(equation.inputs.size()) + " terms for " + Twine(operands.size()) + " inputs");
  Type element = tensorType(operands.front()).getElementType();
  if (element.isUnsignedInteger() || (isa<IntegerType>(element) && element.getIntOrFloatBitWidth() < 32)) {
    n.refuse(Code::IntegerRange,
             "a product of narrow or unsigned integers may not fit Int32 on the device; cast to int32 first");
    return {};
  }

  SmallVector<Term> terms;
  DenseMap<int64_t, int64_t> sizes;
  SmallVector<int64_t> seen; // Every occurrence of a label.
  int64_t ellipsisRank = 0;
  for (auto [text, operand] : llvm::zip_equal(equation.inputs, operands)) {
    int64_t rank = tensorType(operand).getRank(), letters = llvm::count_if(text, llvm::isAlpha);
    int64_t behind = text.contains("...") ? rank - letters : 0;
    FailureOr<Labels> labels = parseTerm(text, behind);
    if (failed(labels) || static_cast<int64_t>(labels->size()) != rank)
      return invalid("a term does not name the " + Twine(rank) + " dims of its input");
    ellipsisRank = std::max(ellipsisRank, behind);
    for (auto [label, size] : llvm::zip_equal(*labels, shapeOf(operand))) {
      int64_t &known = sizes.try_emplace(label, size).first->second;
      if (known != size && known != 1 && size != 1)
        return invalid("one label has the sizes " + Twine(known) + " and " + Twine(size));
      known = known == 1 ? size : known;
      seen.push_back(label);
    }
    for (auto [i, label] : llvm::enumerate(*labels))
      for (size_t j = 0; j < i; ++j)
        if ((*labels)[j] == label && shapeOf(operand)[i] != shapeOf(operand)[j])
          return invalid("a diagonal needs equal sizes");
    terms.push_back({operand, *labels});
  }

  Labels output;
  if (equation.output) {
    FailureOr<Labels> labels = parseTerm(*equation.output, ellipsisRank);
    if (failed(labels))
      return invalid("its output");
    output = *labels;
  } else {
    // The ellipsis, then the labels that occur once, in alphabetical order.
    for (int64_t i = ellipsisRank; i > 0; --i)
      output.push_back(-i);
    Labels once =
        llvm::filter_to_vector(seen, [&](int64_t label) { return label > 0 && llvm::count(seen, label) == 1; });
    llvm::sort(once);
    llvm::append_range(output, once);
  }
  for (int64_t label : output)
    if (!sizes.count(label) || llvm::count(output, label) != 1)
      return invalid("its output names a label twice or one that no input has");
  if (llvm::any_of(operands, [](Value operand) { return tensorType(operand).getNumElements() == 0; })) {
    auto shape = llvm::map_to_vector(output, [&](int64_t label) { return sizes[label]; });
    return {b.splat(RankedTensorType::get(shape, element), 0)};
  }

  for (Term &term : terms)
    takeDiagonals(b, term);
  auto neededBehind = [&](size_t position) {
    return [&terms, &output, position](int64_t label) {
      return contains(output, label) || llvm::any_of(ArrayRef(terms).drop_front(position),
                                                     [&](const Term &later) { return contains(later.labels, label); });
    };
  };
  Term result = terms.front();
  for (size_t i = 1; i <= terms.size() && result.value; ++i) {
    sumOut(b, result, neededBehind(i));
    if (i == terms.size())
      break;
    Term next = terms[i];
    auto later = neededBehind(i + 1);
    sumOut(b, next, [&](int64_t label) { return later(label) || contains(result.labels, label); });
    if (result.value && next.value)
      result = contract(b, result, next, later, [&](int64_t label) { return sizes[label]; });
  }
  if (!result.value)
    return {};
  permute(b, result, output);
  return {result.value};
}
