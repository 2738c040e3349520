//===- SVMClassifier.cpp - support vectors of ai.onnx.ml ------------------===//

#include "Onnx.h"

#include "../../Reduction/Reduction.h"
#include "forge/Conversion/OnnxToForge/Expr.h"

using namespace mlir;
using namespace forge;

namespace {
struct Kernel {
  StringRef kind;
  double gamma, offset;
  int64_t degree;
};
} // namespace

// Attributes 'kernel_type' and 'kernel_params', of which a linear kernel needs none.
static Kernel readKernel(OnnxNode &n) {
  StringRef kind = n.choiceAttr("kernel_type", {"LINEAR", "POLY", "RBF", "SIGMOID"});
  SmallVector<double> params = n.floatsAttr("kernel_params", ArrayRef<double>());
  if (kind == "LINEAR")
    return {kind, 0, 0, 0};
  if (params.size() != 3) {
    n.refuse(Code::AttributeMismatch,
             "expected 3 numbers in attribute 'kernel_params', but got " + Twine(params.size()));
    return {kind, 0, 0, 0};
  }
  constexpr double kMostFactors = 16;
  bool isCount = params[2] == std::trunc(params[2]) && params[2] >= 1 && params[2] <= kMostFactors;
  if (kind == "POLY" && !isCount)
    n.refuse(Code::VariantUnsupported, "attribute 'kernel_params': a degree that is not an integer between 1 and " +
                                           Twine(static_cast<int64_t>(kMostFactors)) + " is not supported");
  return {kind, params[0], params[1], isCount ? static_cast<int64_t>(params[2]) : 0};
}

// The kernel of each row of `x` with each of the support vectors: [rows, vectors].
static Expr kernelOf(OnnxNode &n, ForgeBuilder &b, Expr x, const Kernel &kernel, ArrayRef<double> numbers,
                     int64_t vectors) {
  int64_t rows = shapeOf(x)[0], features = shapeOf(x)[1];
  checkLength(n, vectors * features, "support_vectors", numbers.size());
  if (n.failed())
    return {b, {}};
  SmallVector<float> narrow(numbers.begin(), numbers.end());
  if (kernel.kind == "RBF") {
    // A sum of products would cancel for vectors that are close to each other.
    constexpr int64_t kMostDifferences = 1 << 24;
    if (rows * features > kMostDifferences / vectors)
      return {b, n.refuse(Code::TooManyElements, "the differences of " + Twine(rows) + " rows and " + Twine(vectors) +
                                                     " support vectors are more than " + Twine(kMostDifferences) +
                                                     " elements")};
    Expr left(b, b.reshape(x, {rows, 1, features})), right(b, b.floats({1, vectors, features}, narrow));
    Expr difference = left - right;
    Expr squares(b, b.reduce<ReduceSumOp>(difference * difference, {2}, /*keepDims=*/false));
    return exp(squares * -kernel.gamma);
  }
  Expr product(b, b.matmul(x, b.transpose(b.floats({vectors, features}, narrow), {1, 0})));
  if (kernel.kind == "LINEAR")
    return product;
  Expr shifted = product * kernel.gamma + kernel.offset;
  if (kernel.kind == "SIGMOID")
    return tanh(shifted);
  Expr power = shifted;
  for (int64_t i = 1; i < kernel.degree; ++i)
    power = power * shifted;
  return power;
}

// Operand 0, [rows, features].
static Expr readRows(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  if (x && (!elementOf(x).isF32() || rankOf(x) != 2 || numElements(x) == 0))
    n.refuse(Code::OperandType, "only operands of float32 of rank 2 with elements are supported");
  return {b, n.failed() ? Value() : x};
}

// ai.onnx.ml.SVMRegressor (since 1): a weighted sum of kernels; without support vectors, of the features.
Values forge::convertSVMRegressor(OnnxNode &n, ForgeBuilder &b) {
  Expr x = readRows(n, b);
  Kernel kernel = readKernel(n);
  SmallVector<double> weights = n.floatsAttr("coefficients"), rho = n.floatsAttr("rho");
  SmallVector<double> supports = n.floatsAttr("support_vectors", ArrayRef<double>());
  int64_t vectors = n.intAttr("n_supports", 0);
  bool isOneClass = n.flagAttr("one_class", false);
  if (n.stringAttr("post_transform", "NONE") != "NONE")
    n.refuse(Code::VariantUnsupported, "attribute 'post_transform' is not supported");
  if (vectors < 0 || vectors > INT32_MAX)
    n.refuse(Code::AttributeValue, "attribute 'n_supports' is " + Twine(vectors));
  if (n.failed())
    return {};
  Expr terms = vectors == 0 ? x : kernelOf(n, b, x, kernel, supports, vectors);
  checkLength(n, 1, "rho", rho.size());
  if (!terms || n.failed())
    return {};
  checkLength(n, shapeOf(terms)[1], "coefficients", weights.size());
  if (n.failed())
    return {};
  SmallVector<float> narrow(weights.begin(), weights.end());
  Expr product(b, b.matmul(terms, b.floats({static_cast<int64_t>(narrow.size()), 1}, narrow)));
  Expr sum = product + rho.front();
  if (!isOneClass)
    return {sum};
  return {select(sum > 0.0, 1.0, sum.number(-1))};
}

// ai.onnx.ml.SVMClassifier (since 1) with support vectors: each pair of classes has a score, which is a vote for one of
// them. Two classes have the score and its negation as results.
Values forge::convertSVMClassifier(OnnxNode &n, ForgeBuilder &b) {
  Expr x = readRows(n, b);
  SmallVector<int64_t> labels = readLabels(n, "classlabels_ints");
  Kernel kernel = readKernel(n);
  SmallVector<double> weights = n.floatsAttr("coefficients"), rho = n.floatsAttr("rho");
  SmallVector<double> supports = n.floatsAttr("support_vectors", ArrayRef<double>());
  SmallVector<int64_t> counts = n.intsAttr("vectors_per_class", ArrayRef<int64_t>());
  Transform transform = readTransform(n, /*isNumber=*/false);
  if (n.hasAttr("prob_a") || n.hasAttr("prob_b"))
    n.refuse(Code::VariantUnsupported, "attributes 'prob_a' and 'prob_b': probabilities are found by iteration; "
                                       "--fallback=cpu runs it there");
  if (transform == Transform::Probit)
    n.refuse(Code::VariantUnsupported, "attribute 'post_transform' PROBIT is not supported");
  bool isSoftmax = transform == Transform::Softmax || transform == Transform::SoftmaxZero;
  if (labels.size() == 2 && isSoftmax)
    n.refuse(Code::ResultUndefined, "attribute 'post_transform' of two classes: onnx.reference and onnxruntime differ "
                                    "unless it is NONE or LOGISTIC");
  if (n.failed())
    return {};
  int64_t classes = labels.size(), vectors = 0;
  constexpr int64_t kMostClasses = 64;
  if (classes > kMostClasses)
    return n.refuse(Code::TooMuchToUnroll, "more than " + Twine(kMostClasses) + " classes are not supported");
  for (int64_t count : counts) {
    if (count < 1 || count > INT32_MAX)
      return n.refuse(Code::VariantUnsupported, "a class without support vectors is not supported");
    vectors += count;
    if (vectors > INT32_MAX)
      return n.refuse(Code::TooManyElements, "there are more than 2^31 support vectors");
  }
  if (vectors == 0)
    return n.refuse(Code::VariantUnsupported, "without support vectors it is not supported; a linear model can be a "
                                              "LinearClassifier");
  checkLength(n, classes, "vectors_per_class", counts.size());
  checkLength(n, (classes - 1) * vectors, "coefficients", weights.size());
  checkLength(n, classes * (classes - 1) / 2, "rho", rho.size());
  if (llvm::all_of(weights, [](double weight) { return weight >= 0; }))
    n.refuse(Code::VariantUnsupported, "without a negative number in attribute 'coefficients' it is not supported");
  Expr kernels = n.failed() ? Expr(b, {}) : kernelOf(n, b, x, kernel, supports, vectors);
  if (!kernels)
    return {};
  // Row r of the coefficients of class c is for the pair with class r, or with r + 1 from c on. The sums of each class,
  // [rows, classes - 1], are concatenated.
  SmallVector<Value> parts;
  int64_t begin = 0;
  for (int64_t count : counts) {
    SmallVector<float> own;
    for (int64_t vector = begin; vector < begin + count; ++vector)
      for (int64_t row = 0; row < classes - 1; ++row)
        own.push_back(static_cast<float>(weights[row * vectors + vector]));
    parts.push_back(b.matmul(b.slice(kernels, 1, begin, begin + count), b.floats({count, classes - 1}, own)));
    begin += count;
  }
  Value sums = b.concatenate(parts, 1);
  SmallVector<int64_t> first, second;
  SmallVector<float> votes, offsets(rho.begin(), rho.end()), always(classes, 0);
  for (int64_t i = 0; i < classes; ++i)
    for (int64_t j = i + 1; j < classes; ++j) {
      first.push_back(i * (classes - 1) + j - 1);
      second.push_back(j * (classes - 1) + i);
      for (int64_t k = 0; k < classes; ++k)
        votes.push_back(k == i ? 1 : k == j ? -1 : 0);
      ++always[j];
    }
  int64_t pairs = first.size();
  // One statement for each constant: C++ leaves the order of operands open.
  Expr ofFirst(b, b.take(sums, 1, first)), ofSecond(b, b.take(sums, 1, second)), added(b, b.floats(pairs, offsets));
  Expr scores = ofFirst + ofSecond + added;
  // A positive score is a vote for the first class of the pair, any other one for the second class.
  Expr isFirst = (scores > 0.0).cast(b.getF32Type());
  Expr difference(b, b.matmul(isFirst, b.floats({pairs, classes}, votes))), least(b, b.floats(classes, always));
  Expr count = difference + least;
  if (classes == 2)
    scores = {b, b.concatenate({Value(-scores), Value(scores)}, 1)};
  return {labelsOf(n, b, argMax(count, 1), labels), transformed(n, b, scores, transform)};
}
