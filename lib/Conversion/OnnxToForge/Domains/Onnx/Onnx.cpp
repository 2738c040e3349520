//===- Onnx.cpp - ONNX's own smaller domains ------------------------------===//

#include "Onnx.h"

#include "../../Indexing/Indexing.h"
#include "../../Reduction/Reduction.h"
#include "../../RegisterAll.h"
#include "forge/Conversion/OnnxToForge/Expr.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// ai.onnx.ml.ArrayFeatureExtractor (since 1): selects columns of the last axis; a vector gives one row.
static Values convertArrayFeatureExtractor(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), indices = n.input(1);
  if (n.failed())
    return {};
  int64_t rank = rankOf(x);
  if (rank == 0)
    return n.refuse(Code::RankWrong, "the operand must have rank 1 or more");
  SmallVector<int64_t> shape(shapeOf(x));
  int64_t size = shape.back(), count = numElements(indices);
  SmallVector<int64_t> order = concatShapes(rank - 1, allAxes(rank - 1));
  Value columns = takeRows(b, b.transpose(x, order), wrappedIndices(n, b, b.reshape(indices, {count}), size));
  SmallVector<int64_t> back = concatShapes(withoutAxis(allAxes(rank), 0), 0);
  shape.back() = count;
  if (rank == 1)
    shape.insert(shape.begin(), 1);
  return {b.reshape(b.transpose(columns, back), shape)};
}

// ai.onnx.ml.Binarizer (since 1): 1 above the threshold, else 0.
static Values convertBinarizer(OnnxNode &n, ForgeBuilder &b) {
  Expr x(b, n.input(0));
  double threshold = n.floatAttr("threshold", 0);
  if (n.failed())
    return {};
  if (!x.isFloat()) {
    // An integer is above a threshold if it is above its floor. The floor may be beyond the range of the type.
    double limit = std::ldexp(1.0, x.elementType().getIntOrFloatBitWidth() - 1);
    if (!(threshold >= -limit && threshold < limit))
      return {b.splat(tensorType(x), threshold < -limit)};
    threshold = std::floor(threshold);
  }
  return {(x > threshold).cast(x.elementType())};
}

// Numbers of an attribute as float32.
static Value row(ForgeBuilder &b, ArrayRef<int64_t> shape, ArrayRef<double> numbers) {
  return b.floats(shape, SmallVector<float>(numbers.begin(), numbers.end()));
}

// ai.onnx.ml.Imputer (since 1): replaces one number, or NaN, by a value for all columns or one per column. Integers
// have attributes of their own, of which those for floats have to be absent.
static Values convertImputer(OnnxNode &n, ForgeBuilder &b) {
  Expr x(b, n.input(0));
  bool isFloat = x.isFloat();
  double replacedFloat = n.floatAttr("replaced_value_float", 0);
  int64_t replacedInt = n.intAttr("replaced_value_int64", 0);
  SmallVector<double> floats;
  SmallVector<int64_t> ints;
  if (isFloat || n.hasAttr("imputed_value_floats"))
    floats = n.floatsAttr("imputed_value_floats");
  if (isFloat)
    n.ignoreAttr("imputed_value_int64s");
  else
    ints = n.intsAttr("imputed_value_int64s");
  if (x && !isFloat && !floats.empty())
    n.refuse(Code::ResultUndefined,
             "attribute 'imputed_value_floats' of integers: onnx.reference and onnxruntime differ");
  if (n.failed())
    return {};
  int64_t rank = rankOf(x), count = isFloat ? floats.size() : ints.size();
  if (rank < 1 || rank > 2 || (count != 1 && count != shapeOf(x).back()))
    return n.refuse(Code::ShapeMismatch, "expected an operand of rank 1 or 2, and one value or one per column");
  auto isReplaced = [&] {
    if (!isFloat)
      return x == Expr(b, b.cast(b.reshape(b.ints(replacedInt), {}), x.elementType()));
    return std::isnan(replacedFloat) ? x != x : x == replacedFloat;
  };
  Expr replaced = isReplaced();
  return {select(replaced, Expr(b, b.cast(isFloat ? row(b, count, floats) : b.ints(ints), x.elementType())), x)};
}

// x times the coefficients of each of `count` targets, plus its intercept, in float32.
static Value linearScores(OnnxNode &n, ForgeBuilder &b, int64_t count) {
  Value x = n.input(0);
  SmallVector<double> weights = n.floatsAttr("coefficients");
  SmallVector<double> offsets = n.floatsAttr("intercepts", ArrayRef<double>());
  if (n.failed())
    return {};
  if (rankOf(x) != 2 || count < 1 || count > INT32_MAX)
    return n.refuse(Code::RankWrong, "expected an operand of rank 2, and a positive number of targets");
  int64_t features = shapeOf(x)[1];
  checkLength(n, count * features, "coefficients", weights.size());
  checkLength(n, offsets.empty() ? 0 : count, "intercepts", offsets.size());
  if (n.failed())
    return {};
  Value scores = b.matmul(b.cast(x, b.getF32Type()), b.transpose(row(b, {count, features}, weights), {1, 0}));
  return offsets.empty() ? scores : b.create<AddOp>(scores, row(b, count, offsets));
}

// ai.onnx.ml.LinearClassifier (since 1): the label of the largest score, and the transformed scores.
static Values convertLinearClassifier(OnnxNode &n, ForgeBuilder &b) {
  SmallVector<int64_t> labels = readLabels(n, "classlabels_ints");
  Transform transform = readTransform(n, /*isNumber=*/false);
  n.ignoreAttr("multi_class"); // onnx.reference and onnxruntime do not read it.
  if (transform == Transform::Probit)
    n.refuse(Code::ResultUndefined,
             "attribute 'post_transform' PROBIT: onnx.reference and onnxruntime differ in labels");
  Expr scores(b, linearScores(n, b, labels.size()));
  if (!scores)
    return {};
  return {labelsOf(n, b, argMax(scores, 1), labels), transformed(n, b, scores, transform)};
}

// ai.onnx.ml.LinearRegressor (since 1).
static Values convertLinearRegressor(OnnxNode &n, ForgeBuilder &b) {
  if (n.stringAttr("post_transform", "NONE") != "NONE")
    n.refuse(Code::VariantUnsupported, "attribute 'post_transform' is not supported");
  return {linearScores(n, b, n.intAttr("targets", 1))};
}

// ai.onnx.ml.Normalizer (since 1): rows divided by their 1- or 2-norm, in float32. A row of zeros is unchanged.
static Values convertNormalizer(OnnxNode &n, ForgeBuilder &b) {
  StringRef norm = n.choiceAttr("norm", {"MAX", "L1", "L2"});
  Value x = n.input(0);
  if (norm == "MAX")
    n.refuse(Code::ResultUndefined,
             "attribute 'norm' MAX: onnx.reference and onnxruntime differ for rows without a positive number");
  if (n.failed())
    return {};
  int64_t rank = rankOf(x);
  if (rank < 1 || rank > 2)
    return n.refuse(Code::RankWrong, "the operand must have rank 1 or 2");
  Expr rows(b, b.cast(x, b.getF32Type()));
  Expr sum(b, b.reduce<ReduceSumOp>(norm == "L1" ? abs(rows) : rows * rows, {rank - 1}, /*keepDims=*/true));
  Expr size = norm == "L1" ? sum : sqrt(sum);
  return {rows / select(size == 0.0, 1.0, size)};
}

// Applies `update` to each tensor of an optimiser. Operands are the rate, the number of past updates, and then lists of
// equal length: values, gradients, and state. Results are grouped by kind.
static Values forEachTensor(OnnxNode &n, ForgeBuilder &b, unsigned lists,
                            llvm::function_ref<SmallVector<Expr>(Expr rate, ArrayRef<Expr> tensor)> update) {
  Values operands = n.inputs();
  if (n.failed())
    return {};
  if (operands.size() <= 2 || (operands.size() - 2) % lists != 0)
    return n.refuse(Code::Arity, "expected a rate, a count, and lists of as many tensors each");
  unsigned count = (operands.size() - 2) / lists;
  Values results(count * (lists - 1));
  for (unsigned i = 0; i < count; ++i) {
    SmallVector<Expr> tensor;
    for (unsigned list = 0; list < lists; ++list)
      tensor.push_back({b, operands[2 + list * count + i]});
    Expr rate(b, b.cast(b.reshape(operands[0], {}), tensor.front().elementType()));
    for (auto [list, result] : llvm::enumerate(update(rate, tensor)))
      results[list * count + i] = result;
  }
  return results;
}

// The number of past updates, as a scalar of the tensors' type.
static Expr countOf(OnnxNode &n, ForgeBuilder &b) {
  Value count = n.input(1), value = n.input(2);
  if (n.failed())
    return {b, {}};
  return {b, b.cast(b.reshape(count, {}), elementOf(value))};
}

static Values convertAdagrad(OnnxNode &n, ForgeBuilder &b) {
  double decay = n.floatAttr("decay_factor", 0), epsilon = n.floatAttr("epsilon", 1e-6);
  double norm = n.floatAttr("norm_coefficient", 0);
  Expr count = countOf(n, b);
  return forEachTensor(n, b, 3, [&](Expr rate, ArrayRef<Expr> t) -> SmallVector<Expr> {
    Expr gradient = t[0] * norm + t[1], squares = t[2] + gradient * gradient;
    return {t[0] - rate / (count * decay + 1.0) * gradient / (sqrt(squares) + epsilon), squares};
  });
}

static Values convertAdam(OnnxNode &n, ForgeBuilder &b) {
  double alpha = n.floatAttr("alpha", 0.9f), beta = n.floatAttr("beta", 0.999f), epsilon = n.floatAttr("epsilon", 1e-6);
  double norm = n.floatAttr("norm_coefficient", 0), normAfter = n.floatAttr("norm_coefficient_post", 0);
  if (!(alpha > 0 && alpha < 1 && beta > 0 && beta < 1))
    return n.refuse(Code::AttributeValue, "attributes 'alpha' and 'beta' must be between 0 and 1");
  Expr count = countOf(n, b);
  return forEachTensor(n, b, 4, [&](Expr rate, ArrayRef<Expr> t) -> SmallVector<Expr> {
    Expr gradient = t[0] * norm + t[1];
    Expr mean = t[2] * alpha + gradient * (1 - alpha), squares = t[3] * beta + gradient * gradient * (1 - beta);
    // Corrects the bias of the moments, which start at 0.
    Expr corrected = rate * sqrt(1.0 - exp(count * std::log(beta))) / (1.0 - exp(count * std::log(alpha)));
    Expr step = select(count > 0.0, corrected, rate);
    return {(t[0] - step * (mean / (sqrt(squares) + epsilon))) * (1 - normAfter), mean, squares};
  });
}

// ai.onnx.preview.training.Momentum (since 1): standard, or Nesterov's.
static Values convertMomentum(OnnxNode &n, ForgeBuilder &b) {
  double alpha = n.floatAttr("alpha"), beta = n.floatAttr("beta"), norm = n.floatAttr("norm_coefficient");
  StringRef mode = n.choiceAttr("mode", {"standard", "nesterov"}, /*required=*/true);
  Expr count = countOf(n, b);
  return forEachTensor(n, b, 3, [&](Expr rate, ArrayRef<Expr> t) -> SmallVector<Expr> {
    Expr gradient = t[0] * norm + t[1];
    // In the first update the gradient is not scaled by beta.
    Expr velocity = t[2] * alpha + gradient * select(count > 0.0, beta, count.number(1));
    Expr direction = mode == "nesterov" ? gradient + velocity * alpha : velocity;
    return {t[0] - rate * direction, velocity};
  });
}

void forge::registerOnnxOps(OnnxRegistry &registry) {
  registry.add({{"ArrayFeatureExtractor", {1}, convertArrayFeatureExtractor},
                {"Binarizer", {1}, convertBinarizer},
                {"Imputer", {1}, convertImputer},
                {"LabelEncoder", {1, 2, 4}, convertLabelEncoder},
                {"LinearClassifier", {1}, convertLinearClassifier},
                {"LinearRegressor", {1}, convertLinearRegressor},
                {"Normalizer", {1}, convertNormalizer},
                {"SVMClassifier", {1}, convertSVMClassifier},
                {"SVMRegressor", {1}, convertSVMRegressor},
                {"TreeEnsemble", {5}, convertTreeRegressor},
                {"TreeEnsembleClassifier", {1, 3, 5}, convertTreeClassifier},
                {"TreeEnsembleRegressor", {1, 3, 5}, convertTreeRegressor}},
               "ai.onnx.ml");
  registry.add({{"Adagrad", {1}, convertAdagrad}, {"Adam", {1}, convertAdam}, {"Momentum", {1}, convertMomentum}},
               "ai.onnx.preview.training");
}
