//===- Lowerings.cpp - converters that are Python functions ---------------===//
//
// forge_mlir.lowerings wraps these bindings. A node and a builder are on the stack of the conversion. Python objects
// refer to them through a LoweringCall, which invalidates the references when the function returns.
//
//===----------------------------------------------------------------------===//

#include "Lowerings.h"

#include "Report.h"

#include "forge/Dialect/Forge/IR/Constants/RawTensor.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Matchers.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

namespace nb = nanobind;
using namespace mlir;

namespace {

/// Exits the Python function; the node has recorded the reasons.
struct Refused : std::exception {
  const char *what() const noexcept override { return "the node is refused"; }
};

/// One call of a lowering.
struct LoweringCall {
  forge::OnnxNode *node; ///< null after it has returned, as is `builder`
  forge::ForgeBuilder *builder;

  forge::OnnxNode &use() const {
    if (!node)
      throw nb::value_error("a node, builder or value of a lowering is used after the lowering has returned");
    return *node;
  }
  forge::ForgeBuilder &build() const { return use(), *builder; }
  /// Returns `result`, unless the node has been refused.
  template <typename T>
  T checked(T result) const {
    if (use().failed())
      throw Refused();
    return result;
  }
};
using Call = std::shared_ptr<LoweringCall>;

/// A value of the forge dialect, in one call.
struct TensorValue {
  Call call;
  Value value;

  RankedTensorType type() const { return call->use(), forge::tensorType(value); }
};
using MaybeValue = std::optional<TensorValue>;

/// (element type, shape, bytes in ONNX's raw layout)
using Array = std::tuple<std::string, std::vector<int64_t>, nb::bytes>;

Value valueOf(const Call &call, const TensorValue &value) {
  call->use();
  if (value.call != call)
    throw nb::value_error("a value of another call of a lowering");
  return value.value;
}

SmallVector<Value> valuesOf(const Call &call, const std::vector<TensorValue> &values) {
  return llvm::map_to_vector(values, [&](const TensorValue &value) { return valueOf(call, value); });
}

TensorValue wrap(const Call &call, Value value) { return call->checked(TensorValue{call, value}); }

Array arrayOf(DenseElementsAttr value) {
  std::vector<char> raw = forge::rawFromDense(value);
  return {printed(value.getElementType()), value.getType().getShape().vec(), nb::bytes(raw.data(), raw.size())};
}

std::optional<Array> knownValue(const TensorValue &value) {
  value.type();
  DenseElementsAttr known;
  return matchPattern(value.value, m_Constant(&known)) ? std::optional(arrayOf(known)) : std::nullopt;
}

Type elementType(const Call &call, const std::string &text) {
  Type type = parseType(text, call->build().getBuilder().getContext());
  if (!type)
    throw nb::value_error("expected the text of an element type");
  return type;
}

std::vector<TensorValue> create(const Call &call, const std::string &op, const std::vector<TensorValue> &operands,
                                const std::string &attributes) {
  forge::ForgeBuilder &builder = call->build();
  auto dictionary = dyn_cast_or_null<DictionaryAttr>(parseAttribute(attributes, builder.getBuilder().getContext()));
  if (!dictionary)
    throw nb::value_error("expected a dictionary of attributes");
  std::vector<TensorValue> results;
  for (Value value : builder.create(op, valuesOf(call, operands), dictionary))
    results.push_back({call, value});
  return call->checked(std::move(results));
}

TensorValue constant(const Call &call, const std::string &element, const std::vector<int64_t> &shape, nb::bytes raw) {
  auto type = RankedTensorType::get(shape, elementType(call, element));
  DenseElementsAttr value = forge::denseFromRaw(type, {raw.c_str(), raw.size()});
  if (!value)
    throw nb::value_error("the array does not have the bytes of its type");
  return wrap(call, call->build().constant(value));
}

std::vector<MaybeValue> inlineSubgraph(const Call &call, unsigned index, const std::vector<TensorValue> &arguments) {
  if (index >= call->use().numSubgraphs())
    throw nb::index_error("no such subgraph");
  std::optional<SmallVector<Value>> yields = call->use().inlineSubgraph(index, valuesOf(call, arguments));
  std::vector<MaybeValue> results;
  for (Value value : call->checked(yields.value_or(SmallVector<Value>())))
    results.push_back(value ? MaybeValue({call, value}) : std::nullopt);
  return results;
}

forge::Values callPython(const nb::object &function, forge::OnnxNode &node, forge::ForgeBuilder &builder,
                         std::exception_ptr &pending) {
  nb::gil_scoped_acquire gil;
  auto call = std::make_shared<LoweringCall>(LoweringCall{&node, &builder});
  forge::Values results;
  try {
    for (const MaybeValue &value : nb::cast<std::vector<MaybeValue>>(function(call)))
      results.push_back(value ? valueOf(call, *value) : Value());
  } catch (const nb::python_error &error) {
    if (!node.failed()) {
      pending = std::current_exception();
      node.refuse(forge::Code::LoweringFailed, "its lowering was interrupted");
    }
  } catch (const std::exception &error) {
    if (!node.failed())
      node.refuse(forge::Code::LoweringFailed, forge::escaped(error.what()));
  }
  *call = {nullptr, nullptr};
  return results;
}

using Index = unsigned;
using Name = const std::string &;
template <typename T>
using Fallback = std::optional<T>;

void bindNode(nb::class_<LoweringCall> &c) {
  c.def_prop_ro("op_type", [](const Call &c) { return Text{c->use().opType().str()}; })
      .def_prop_ro("domain", [](const Call &c) { return Text{c->use().getDomain().str()}; })
      .def_prop_ro("name", [](const Call &c) { return Text{forge::nodeName(c->use().loc()).str()}; })
      .def_prop_ro("opset", [](const Call &c) { return c->use().opset(); })
      .def_prop_ro("num_inputs", [](const Call &c) { return c->use().numInputs(); })
      .def_prop_ro("num_outputs", [](const Call &c) { return c->use().numOutputs(); })
      .def_prop_ro("num_subgraphs", [](const Call &c) { return c->use().numSubgraphs(); })
      .def_prop_ro("allows_rounding", [](const Call &c) { return c->use().allowsRounding(); })
      .def("has_input", [](const Call &c, Index i) { return c->use().hasInput(i); })
      .def("uses_output", [](const Call &c, Index i) { return c->use().usesOutput(i); })
      .def("input", [](const Call &c, Index i) { return wrap(c, c->use().input(i)); })
      .def("optional_input",
           [](const Call &c, Index i) {
             Value value = c->checked(c->use().optionalInput(i));
             return value ? MaybeValue({c, value}) : std::nullopt;
           })
      .def("constant",
           [](const Call &c, Index i, Name what) { return arrayOf(c->checked(c->use().constant(i, what))); })
      .def("inline_subgraph", &inlineSubgraph);
}

void bindAttributes(nb::class_<LoweringCall> &c) {
  c.def("has_attr", [](const Call &c, Name name) { return c->use().hasAttr(name); })
      .def("ignore_attr", [](const Call &c, Name name) { c->use().ignoreAttr(name); })
      .def(
          "int_attr",
          [](const Call &c, Name name, Fallback<int64_t> value) { return c->checked(c->use().intAttr(name, value)); },
          nb::arg(), nb::arg().none())
      .def(
          "float_attr",
          [](const Call &c, Name name, Fallback<double> value) { return c->checked(c->use().floatAttr(name, value)); },
          nb::arg(), nb::arg().none())
      .def(
          "string_attr",
          [](const Call &c, Name name, const Fallback<std::string> &value) {
            return c->checked(
                Text{c->use().stringAttr(name, value ? std::optional<StringRef>(*value) : std::nullopt).str()});
          },
          nb::arg(), nb::arg().none())
      .def(
          "ints_attr",
          [](const Call &c, Name name, const Fallback<std::vector<int64_t>> &value) {
            auto fallback = value ? std::optional<ArrayRef<int64_t>>(*value) : std::nullopt;
            SmallVector<int64_t> found = c->use().intsAttr(name, fallback);
            return c->checked(std::vector<int64_t>(found.begin(), found.end()));
          },
          nb::arg(), nb::arg().none())
      .def("floats_attr",
           [](const Call &c, Name name) {
             SmallVector<double> found = c->use().floatsAttr(name);
             return c->checked(std::vector<double>(found.begin(), found.end()));
           })
      .def("tensor_attr", [](const Call &c, Name name) { return arrayOf(c->checked(c->use().tensorAttr(name))); })
      .def("refuse",
           [](const Call &c, Name reason) {
             c->use().refuse(forge::Code::LoweringRefused, forge::escaped(reason));
             throw Refused();
           })
      .def("refuse_rounding",
           [](const Call &c, Name reason) {
             c->use().refuseRounding(forge::escaped(reason));
             c->checked(0);
           })
      .def("fail", [](const Call &c, Name reason) {
        c->use().refuse(forge::Code::LoweringFailed, forge::escaped(reason));
        throw Refused();
      });
}

void bindBuilder(nb::class_<LoweringCall> &c) {
  c.def("create", &create)
      .def("make_constant", &constant)
      .def("scalar_like", [](const Call &c, const TensorValue &like,
                             double value) { return wrap(c, c->build().scalarLike(valueOf(c, like), value)); })
      .def("cast",
           [](const Call &c, const TensorValue &value, const std::string &element) {
             return wrap(c, c->build().cast(valueOf(c, value), elementType(c, element)));
           })
      .def("reshape", [](const Call &c, const TensorValue &value, const std::vector<int64_t> &shape) {
        return wrap(c, c->build().reshape(valueOf(c, value), shape));
      });
}

} // namespace

forge::Converter pythonConverter(nb::object function, std::exception_ptr &pending) {
  return [function, &pending](forge::OnnxNode &node, forge::ForgeBuilder &builder) {
    return callPython(function, node, builder, pending);
  };
}

void bindLowerings(nb::module_ &m) {
  nb::exception<Refused>(m, "LoweringRefused");
  nb::class_<LoweringCall> call(m, "LoweringCall", "A node to lower, and a builder; see forge_mlir.lowerings.");
  bindNode(call);
  bindAttributes(call);
  bindBuilder(call);
  nb::class_<TensorValue>(m, "TensorValue", "A value of the forge dialect while a lowering runs.")
      .def_prop_ro("element_type", [](const TensorValue &value) { return printed(value.type().getElementType()); })
      .def_prop_ro("shape", [](const TensorValue &value) { return value.type().getShape().vec(); })
      .def("known", &knownValue);
}
