//===- Activations.cpp - the activations of recurrent cells ---------------===//

#include "Recurrent.h"

#include "forge/Conversion/OnnxToForge/Expr.h"
#include "forge/Dialect/Forge/IR/Location.h"

#include <limits>

using namespace mlir;
using namespace forge;

namespace {
// The parameters of an activation, with their defaults; kNoDefault if runtimes disagree about a default.
struct Entry {
  StringLiteral name;
  std::optional<double> alpha, beta;
};
constexpr double kNoDefault = std::numeric_limits<double>::infinity();
} // namespace

static const Entry kActivations[] = {
    {"relu", {}, {}},
    {"tanh", {}, {}},
    {"sigmoid", {}, {}},
    {"leakyrelu", 0.01, {}},
    {"hardsigmoid", 0.2, 0.5},
    {"elu", 1.0, {}},
    {"affine", kNoDefault, kNoDefault},
    {"scaledtanh", kNoDefault, kNoDefault},
    {"thresholdedrelu", kNoDefault, {}},
    {"softsign", {}, {}},
    {"softplus", {}, {}},
};

static const Entry *find(StringRef name) {
  const Entry *entry = llvm::find_if(kActivations, [&](const Entry &e) { return e.name == name; });
  return entry == std::end(kActivations) ? nullptr : entry;
}

// Reads the attribute of one parameter, alpha or beta. The activations that have the parameter take its values in
// order. If there is a value per activation, those that are left over are ignored, as by onnxruntime.
static void readParameter(OnnxNode &n, StringRef attribute, std::optional<double> Entry::*parameter,
                          double CellActivation::*slot, MutableArrayRef<CellActivation> activations) {
  SmallVector<double> values = n.floatsAttr(attribute, ArrayRef<double>());
  size_t takers =
      llvm::count_if(activations, [&](const CellActivation &a) { return (find(a.name)->*parameter).has_value(); });
  if (!values.empty() && values.size() != activations.size() && values.size() != takers) {
    n.refuse(Code::AttributeMismatch, "attribute '" + attribute + "' has " + Twine(values.size()) + " values for " +
                                          Twine(takers) + " activations that take one");
    return;
  }
  size_t next = 0;
  for (CellActivation &activation : activations) {
    std::optional<double> fallback = find(activation.name)->*parameter;
    if (fallback == kNoDefault && values.empty())
      n.refuse(Code::ResultUndefined, "activation '" + activation.name + "' needs attribute '" + attribute +
                                          "'; runtimes disagree about its default");
    if (fallback)
      activation.*slot = values.empty() ? *fallback : values[next++];
  }
}

SmallVector<CellActivation> forge::readActivations(OnnxNode &n, ArrayRef<StringRef> defaults, int64_t directions) {
  SmallVector<CellActivation> result;
  if (Attribute raw = n.rawAttr("activations")) {
    auto list = dyn_cast<ArrayAttr>(raw);
    for (Attribute element : list ? list.getValue() : ArrayRef<Attribute>()) {
      auto name = dyn_cast<StringAttr>(element);
      if (!name || !find(name.getValue().lower()))
        return n.refuse(Code::AttributeValue, "attribute 'activations' names an unknown one" +
                                                  (name ? ", '" + escaped(name.getValue()) + "'" : std::string()));
      result.push_back({name.getValue().lower()});
    }
  } else {
    for (int64_t i = 0; i < directions; ++i)
      for (StringRef name : defaults)
        result.push_back({name.str()});
  }
  if (result.size() != defaults.size() * directions)
    return n.refuse(Code::AttributeMismatch,
                    "attribute 'activations' must name " + Twine(defaults.size()) + " per direction");
  readParameter(n, "activation_alpha", &Entry::alpha, &CellActivation::alpha, result);
  readParameter(n, "activation_beta", &Entry::beta, &CellActivation::beta, result);
  return result;
}

Value forge::applyActivation(ForgeBuilder &b, const CellActivation &activation, Value value) {
  StringRef name = activation.name;
  double alpha = activation.alpha, beta = activation.beta;
  Expr x(b, value);
  if (name == "relu")
    return b.create<ReluOp>(value);
  if (name == "tanh")
    return tanh(x);
  if (name == "sigmoid")
    return sigmoid(x);
  if (name == "affine")
    return x * alpha + beta;
  if (name == "leakyrelu")
    return b.create<LeakyReluOp>(value, f32(alpha));
  if (name == "thresholdedrelu")
    return select(x > alpha, x, 0.0);
  if (name == "scaledtanh")
    return tanh(x * beta) * alpha;
  if (name == "hardsigmoid")
    return b.create<ClipOp>(Value(x * alpha + beta), f32(0), f32(1));
  if (name == "elu") // The operand of the exponential is clamped to at most 0, so that it cannot overflow.
    return select(x < 0.0, (exp(min(x, 0.0)) - 1.0) * alpha, x);
  if (name == "softsign")
    return x / (abs(x) + 1.0);
  // softplus: max(x, 0) + log(1 + exp(-|x|)). The 1e-10 that forge.log adds is below the precision of the sum.
  Expr tail = exp(-abs(x));
  return Expr(b, b.create<ReluOp>(value)) + (tail + 1.0).unary<LogOp>();
}
