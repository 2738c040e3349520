//===- Native.cpp - passes and emitter for Python -------------------------===//
//
// Modules are exchanged as bytecode: torch_mlir's MLIR and ours are different versions that share nothing.
//
//===----------------------------------------------------------------------===//

#include "IterDomain.h"
#include "Lowerings.h"
#include "Observer.h"
#include "Session.h"

#include "forge/Conversion/OnnxToForge/Import/ImpliedDomain.h"
#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"
#include "forge/Conversion/OnnxToForge/Passes.h"
#include "forge/Dialect/Forge/Analysis/Cost/Cost.h"
#include "forge/Dialect/Forge/Analysis/Padding/TilePadding.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Pipelines/Pipelines.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

namespace nb = nanobind;
using namespace mlir;

namespace {

nb::object emittedTuple(const std::optional<forge::EmittedModule> &emitted) {
  if (!emitted)
    return nb::none();
  nb::list parts;
  for (const forge::EmittedModule &part : emitted->parts)
    parts.append(nb::make_tuple(part.name, part.python, part.manifest));
  return nb::make_tuple(emitted->name, emitted->python, emitted->manifest, parts);
}

using Names = std::vector<std::string>;

/// (op, callee, TTIR op or "", argument order, arguments that are tuples) from the ODS records.
std::vector<std::tuple<std::string, std::string, std::string, Names, Names>> forgeCalls() {
  std::vector<std::tuple<std::string, std::string, std::string, Names, Names>> calls;
  DialectRegistry registry;
  forge::registerForgeDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  for (RegisteredOperationName op : context.getRegisteredOperations())
    if (auto *call = op.getInterface<forge::ForgeCallOpInterface>()) {
      Names arguments, tuples;
      for (StringRef argument : call->getArgumentOrder()) {
        arguments.push_back(argument.str());
        if (call->isTuple(argument))
          tuples.push_back(argument.str());
      }
      calls.emplace_back(op.getStringRef().str(), call->getCallee().str(), call->getDeviceLowering().str(), arguments,
                         tuples);
    }
  return calls;
}

StringRef textOf(const nb::bytes &bytes) { return {bytes.c_str(), bytes.size()}; }

/// Runs passes on a module. Returns bytecode, or None if they fail.
nb::object lowered(Session &session, const std::string &pipeline, nb::object onPass) {
  if (session.runPipeline(pipeline, /*verifyEach=*/true, std::move(onPass)))
    if (std::optional<std::string> bytes = session.bytecode())
      return nb::bytes(bytes->data(), bytes->size());
  return nb::none();
}

/// Binds functions that change modules.
void bindPasses(nb::module_ &m) {
  m.def(
      "run_pipeline",
      [](nb::bytes source, const std::string &pipeline, nb::object onPass, const nb::list &lowerings) {
        Session session(source);
        session.addLowerings(lowerings);
        nb::object result = lowered(session, pipeline, std::move(onPass));
        return nb::make_tuple(result, session.diagnostics);
      },
      nb::arg("source"), nb::arg("pipeline"), nb::arg("on_pass") = nb::none(), nb::arg("lowerings") = nb::list(),
      "Run a textual pass pipeline on MLIR text or bytecode; gives bytecode.");
  m.def(
      "run_first_rewrites",
      [](nb::bytes source, const std::string &pipeline, int64_t limit, nb::object onPass, const nb::list &lowerings) {
        Session session(source);
        session.addLowerings(lowerings);
        session.limitRewrites(limit);
        nb::object result = lowered(session, pipeline, std::move(onPass));
        return nb::make_tuple(result, session.diagnostics, session.rewrites());
      },
      nb::arg("source"), nb::arg("pipeline"), nb::arg("limit"), nb::arg("on_pass") = nb::none(),
      nb::arg("lowerings") = nb::list(), "run_pipeline with the first rewrites alone, which it gives too.");
  m.def(
      "expand_pipeline",
      [](const std::string &pipeline) {
        Session session;
        std::optional<std::string> result = session.expandPipeline(pipeline);
        return nb::make_tuple(result, session.diagnostics);
      },
      nb::arg("pipeline"), "The pipeline as text, down to single passes with all their options.");
}

/// Binds functions that emit modules.
void bindEmission(nb::module_ &m) {
  m.def(
      "text",
      [](nb::bytes source, const std::vector<size_t> &path, bool locations) {
        Session session(source);
        std::optional<Text> text = session.text(path, locations);
        return nb::make_tuple(text, session.diagnostics);
      },
      nb::arg("source"), nb::arg("path"), nb::arg("locations"), "An op of a module in custom form.");
  m.def(
      "emit_python",
      [](nb::bytes source, const std::string &name) {
        Session session(source);
        nb::object result = emittedTuple(session.emit(name));
        return nb::make_tuple(result, session.diagnostics);
      },
      nb::arg("source"), nb::arg("name"), "Write a lowered module; gives (name, python, manifest).");
  m.def(
      "compile",
      [](nb::bytes source, const std::string &pipeline, const std::string &name, nb::object onPass,
         const nb::list &lowerings, bool readsModelFiles) {
        Session session(source);
        session.addLowerings(lowerings);
        nb::object result = nb::none();
        if (session.runPipeline(pipeline, /*verifyEach=*/false, std::move(onPass)))
          result = emittedTuple(session.emit(name, readsModelFiles));
        return nb::make_tuple(result, session.diagnostics);
      },
      nb::arg("source"), nb::arg("pipeline"), nb::arg("name"), nb::arg("on_pass") = nb::none(),
      nb::arg("lowerings") = nb::list(), nb::arg("reads_model_files") = false,
      "run_pipeline and emit_python without bytecode between.");
}

/// Binds functions that write files.
void bindFiles(nb::module_ &m) {
  m.def(
      "write_module",
      [](nb::bytes source, nb::bytes file, bool asBytecode, const WeightBytes &weights) {
        Session session(source);
        bool done = session.writeModule(textOf(file), asBytecode, weights);
        return nb::make_tuple(done ? nb::object(nb::bool_(true)) : nb::none(), session.diagnostics);
      },
      nb::arg("source"), nb::arg("file"), nb::arg("as_bytecode"), nb::arg("weights"),
      "Write a module into a new file, as text with locations or as bytecode; weights by their keys are put into it.");
}

/// Binds queries about modules and ops.
void bindQuestions(nb::module_ &m) {
  m.def(
      "weights",
      [](nb::bytes source) {
        Session session(source);
        nb::object result = nb::none();
        if (session.valid())
          result = nb::cast(session.weights());
        return nb::make_tuple(result, session.diagnostics);
      },
      nb::arg("source"), "(key, ONNX name, element type, shape, raw bytes) of each weight that a module carries.");
  m.def(
      "weight_table",
      [](nb::bytes source) {
        Session session(source);
        nb::object result = nb::none();
        if (session.valid())
          result = nb::cast(session.weightTable());
        return nb::make_tuple(result, session.diagnostics);
      },
      nb::arg("source"), "The name of the table of the weights that a module names by reference, or ''.");
  m.def(
      "layout_report",
      [](nb::bytes source, const std::string &pipeline, const std::string &format, const nb::list &lowerings) {
        Session session(source);
        session.addLowerings(lowerings);
        std::optional<std::string> json;
        if (session.runPipeline(pipeline, /*verifyEach=*/false, nb::none()))
          json = session.layoutReport(format);
        return nb::make_tuple(json, session.diagnostics);
      },
      nb::arg("source"), nb::arg("pipeline"), nb::arg("format"), nb::arg("lowerings") = nb::list(),
      "What a module takes in tiles after a pipeline, as JSON; floats in `format` if that is not empty.");
  m.def(
      "verify",
      [](nb::bytes source) {
        Session session(source);
        nb::object result = session.valid() ? nb::object(nb::bool_(true)) : nb::none();
        return nb::make_tuple(result, session.diagnostics);
      },
      nb::arg("source"), "Verify MLIR text or bytecode; gives True.");
  m.def(
      "infer_types",
      [](const std::string &opName, const std::vector<std::string> &operandTypes, const std::string &attributes) {
        Session session;
        auto types = session.inferTypes(opName, operandTypes, attributes);
        return nb::make_tuple(types, session.diagnostics);
      },
      nb::arg("op_name"), nb::arg("operand_types"), nb::arg("attributes"),
      "Result types of a forge op from its operand types and its dictionary of attributes, all as MLIR text.");
}

/// Binds the tables of the dialect, the converters and the passes.
void bindTables(nb::module_ &m) {
  m.def("forge_calls", &forgeCalls,
        "(op, callee, TTIR op or '', argument names, those that are tuples) of every op that is one Forge call.");
  m.def(
      "registered_ops",
      [] {
        std::vector<std::tuple<std::string, std::string, int64_t>> ops;
        forge::OnnxRegistry::get().forEach(
            [&](StringRef domain, StringRef op, int64_t since) { ops.emplace_back(domain.str(), op.str(), since); });
        return ops;
      },
      "(domain, op, since-version) of every converter.");
  m.def(
      "tile_padding_targets",
      [] {
        std::vector<std::string> names;
        for (const forge::TargetProfile &target : forge::TargetProfile::all())
          names.push_back(target.name.str());
        return names;
      },
      "The targets that --forge-fill-tile-padding knows.");
  m.def(
      "devices",
      [] {
        std::vector<std::tuple<std::string, int64_t, int64_t, int64_t, int64_t>> devices;
        for (const forge::Device &device : forge::Device::all())
          devices.emplace_back(device.name.str(), device.bytes, device.multiplyAdds, device.multiplyAddsOf8,
                               device.launch);
        return devices;
      },
      "Devices of the cost model: name; bytes, multiply-adds in 16 bits and more, and in 8 bits, in a nanosecond; "
      "nanoseconds of a launch. Programs are made for the first.");
  m.def(
      "inline_bytes", [] { return std::make_tuple(forge::kInlineBytes, forge::kKnownBytes, forge::kUniformBytes); },
      "Tensors of at most this many bytes are dense elements when they are converted; those that may be indices; those "
      "whose elements are all equal.");
  m.def(
      "shared_ops",
      [] {
        std::vector<std::pair<std::string, bool>> ops;
        forge::forEachSharedOp([&](StringRef op, bool same) { ops.emplace_back(op.str(), same); });
        return ops;
      },
      "(op, whether it means the same) for ops of com.microsoft that have a name of the default domain.");
  m.def(
      "implied_domain",
      [](const std::string &op, int64_t opset, const std::vector<std::string> &others) {
        MLIRContext context;
        SmallVector<NamedAttribute> domains;
        for (const std::string &other : others)
          domains.emplace_back(StringAttr::get(&context, other), UnitAttr::get(&context));
        forge::ImpliedDomain found = forge::impliedDomain(op, opset, DictionaryAttr::get(&context, domains));
        return std::make_pair(found.domain.str(), found.reason);
      },
      "(domain, reason why it is not known) of an op whose IR does not say its domain.");
}

} // namespace

NB_MODULE(_native, m) {
  m.doc() = "Passes and emitter of Forge-MLIR. Every call returns (result or None, diagnostics).";
  m.def(
      "set_leak_warnings", &nb::set_leak_warnings, nb::arg("enabled"),
      "Whether objects of this module that outlive the interpreter are told of; they are unless this says otherwise.");
  bindIterDomain(m);
  bindPasses(m);
  bindEmission(m);
  bindFiles(m);
  bindLowerings(m);
  bindObserver(m);
  bindQuestions(m);
  bindTables(m);
}
