//===- Native.cpp - passes and emitter for Python -------------------------===//
//
// Modules cross as bytecode: torch_mlir's MLIR and ours are different versions in one process and share nothing.
//
//===----------------------------------------------------------------------===//

#include "IterDomain.h"
#include "Report.h"

#include "forge/Conversion/OnnxToForge/ImpliedDomain.h"
#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"
#include "forge/Conversion/OnnxToForge/Passes.h"
#include "forge/Dialect/Forge/Analysis/TilePadding.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/RawTensor.h"
#include "forge/Dialect/Forge/Transforms/LayoutReport.h"
#include "forge/Pipelines/InputFile.h"
#include "forge/Pipelines/Pipelines.h"
#include "forge/Support/Diagnostics.h"
#include "forge/Target/Python/ForgeToPython.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/SourceMgr.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace mlir;

namespace {

template <typename T>
std::string text(T value) {
  std::string result;
  llvm::raw_string_ostream(result) << value;
  return result;
}

const DialectRegistry &registry() {
  static const DialectRegistry built = [] {
    DialectRegistry result;
    forge::registerForgeDialects(result);
    forge::registerForgePasses();
    return result;
  }();
  return built;
}

/// A context of its own, so that calls from several threads share nothing, and what it reported.
class Session {
public:
  Session() : context(registry(), MLIRContext::Threading::DISABLED) {
    handler.emplace(&context, [this](Diagnostic &diagnostic) {
      diagnostics.push_back(reportOf(diagnostic));
      return success();
    });
  }

  /// Reads and verifies a module.
  explicit Session(nb::bytes source) : Session() {
    // Blobs refer to the bytes, which the caller of every native function keeps alive.
    StringRef bytes(static_cast<const char *>(source.data()), source.size());
    nb::gil_scoped_release release;
    module = forge::parseModule(forge::adaptText(llvm::MemoryBuffer::getMemBuffer(bytes)), &context);
  }

  bool valid() const { return static_cast<bool>(module); }

  /// With `verifyEach` the module is verified after each pass; the emitter verifies it in any case.
  bool runPipeline(const std::string &pipeline, bool verifyEach) {
    if (!module)
      return false;
    nb::gil_scoped_release release;
    PassManager manager(&context);
    manager.enableVerifier(verifyEach);
    std::string message;
    llvm::raw_string_ostream os(message);
    FailureOr<OpPassManager> parsed = parsePassPipeline(pipeline, os);
    if (succeeded(parsed) && parsed->getOpAnchorName() != PassManager::getAnyOpAnchorName() &&
        parsed->getOpAnchorName() != "builtin.module") {
      os << "expected a pipeline on builtin.module, but got one on " << parsed->getOpAnchorName();
      parsed = failure();
    }
    if (failed(parsed)) {
      forge::emitError(UnknownLoc::get(&context), forge::Code::PipelineInvalid) << "invalid pipeline: " << message;
      return false;
    }
    static_cast<OpPassManager &>(manager) = *parsed;
    return succeeded(manager.run(*module));
  }

  /// The pipeline as the passes that it runs, with all their options.
  std::optional<std::string> expandPipeline(const std::string &pipeline) {
    std::string message;
    llvm::raw_string_ostream os(message);
    FailureOr<OpPassManager> parsed = parsePassPipeline(pipeline, os);
    if (failed(parsed)) {
      forge::emitError(UnknownLoc::get(&context), forge::Code::PipelineInvalid) << "invalid pipeline: " << message;
      return std::nullopt;
    }
    std::string result;
    llvm::raw_string_ostream stream(result);
    parsed->printAsTextualPipeline(stream);
    return result;
  }

  // Without native properties: the other side knows the ops through IRDL, where all attributes are in the dictionary.
  std::optional<std::string> bytecode() {
    nb::gil_scoped_release release;
    std::string result;
    llvm::raw_string_ostream os(result);
    BytecodeWriterConfig config("forge-mlir");
    config.setDesiredBytecodeVersion(4);
    if (failed(writeBytecodeToFile(module->getOperation(), os, config)))
      return std::nullopt;
    return result;
  }

  std::optional<forge::EmittedModule> emit(const std::string &name) {
    if (!module)
      return std::nullopt;
    nb::gil_scoped_release release;
    FailureOr<forge::EmittedModule> emitted = forge::emitPython(*module, name);
    return succeeded(emitted) ? std::optional(std::move(*emitted)) : std::nullopt;
  }

  std::optional<std::string> writeArtifact(const std::string &name, const std::string &directory) {
    if (!module)
      return std::nullopt;
    nb::gil_scoped_release release;
    FailureOr<std::string> stem = forge::writeArtifact(*module, name, directory);
    return succeeded(stem) ? std::optional(*stem) : std::nullopt;
  }

  /// (key, ONNX name, element type, shape, bytes in ONNX's raw layout) of each weight that the module carries.
  std::vector<std::tuple<std::string, Text, std::string, std::vector<int64_t>, nb::bytes>> weights() {
    std::vector<std::tuple<std::string, Text, std::string, std::vector<int64_t>, nb::bytes>> found;
    llvm::StringSet<> known;
    module->walk([&](forge::ParameterOp parameter) {
      auto blob = dyn_cast_or_null<DenseResourceElementsAttr>(parameter.getBlobAttr());
      std::optional<ArrayRef<char>> raw = blob ? forge::blobOf(blob) : std::nullopt;
      if (!raw || !known.insert(parameter.getKey()).second)
        return;
      ShapedType type = blob.getType();
      found.emplace_back(parameter.getKey().str(), Text{forge::nodeName(parameter.getLoc()).str()},
                         text(type.getElementType()), type.getShape().vec(), nb::bytes(raw->data(), raw->size()));
    });
    return found;
  }

  /// The report on the tile layout as JSON; floats are held in `format`, or as their type says if that is empty.
  std::optional<std::string> layoutReport(const std::string &format) {
    nb::gil_scoped_release release;
    std::string json;
    llvm::raw_string_ostream os(json);
    return succeeded(forge::reportLayout(*module, {format}, &os)) ? std::optional(json) : std::nullopt;
  }

  /// Result types of an op on operands that are nothing but their types.
  std::optional<std::vector<std::string>>
  inferTypes(const std::string &opName, const std::vector<std::string> &operandTypes, const std::string &attributes) {
    context.loadDialect<forge::ForgeDialect>();
    std::optional<RegisteredOperationName> name = RegisteredOperationName::lookup(opName, &context);
    if (!name || !name->hasInterface<InferTypeOpInterface>()) {
      error() << "'" << opName << "' is no op that infers its result types";
      return std::nullopt;
    }
    Block block;
    for (const std::string &operandType : operandTypes) {
      Type type = parseType(operandType, &context);
      if (!type)
        return std::nullopt;
      block.addArgument(type, UnknownLoc::get(&context));
    }
    auto dictionary = dyn_cast_or_null<DictionaryAttr>(parseAttribute(attributes, &context));
    if (!dictionary) {
      error() << "expected a dictionary of attributes";
      return std::nullopt;
    }
    return inferTypes(*name, block.getArguments(), dictionary);
  }

  std::vector<Report> diagnostics;

private:
  InFlightDiagnostic error() { return forge::emitError(UnknownLoc::get(&context), forge::Code::InvalidIr); }

  // Inference trusts operands and attributes, so the op's verifier checks them first, on an op with a stand-in result.
  // That the stand-in is not the inferred type is the verifier's last complaint, and the one which means success.
  std::optional<std::vector<std::string>> inferTypes(RegisteredOperationName name, ValueRange operands,
                                                     DictionaryAttr attributes) {
    Location location = UnknownLoc::get(&context);
    Type standIn = RankedTensorType::get({}, Float32Type::get(&context));
    NamedAttrList list(attributes);
    if (failed(name.verifyInherentAttrs(list, [&] { return error() << "'" << name.getStringRef() << "' op "; })))
      return std::nullopt; // They cannot become properties.
    OperationState state(location, name, operands, standIn, list);
    OwningOpRef<Operation *> op = Operation::create(state);
    bool refused = false;
    {
      ScopedDiagnosticHandler filter(&context, [&](Diagnostic &diagnostic) {
        bool expected = StringRef(diagnostic.str()).contains("are incompatible with return type(s) of operation");
        refused |= !expected;
        return success(expected); // The session's handler gets the others.
      });
      (void)name.verifyInvariants(op.get());
    }
    SmallVector<Type> types;
    if (refused ||
        failed(name.getInterface<InferTypeOpInterface>()->inferReturnTypes(
            &context, location, operands, op->getRawDictionaryAttrs(), op->getPropertiesStorage(), {}, types)))
      return std::nullopt;
    std::vector<std::string> result;
    for (Type type : types)
      result.push_back(text(type));
    return result;
  }

  MLIRContext context;
  std::optional<ScopedDiagnosticHandler> handler;
  OwningOpRef<ModuleOp> module;
};

nb::object emittedTuple(const std::optional<forge::EmittedModule> &emitted) {
  if (!emitted)
    return nb::none();
  nb::list parts;
  for (const forge::EmittedModule &part : emitted->parts)
    parts.append(nb::make_tuple(part.name, part.python, part.manifest));
  return nb::make_tuple(emitted->name, emitted->python, emitted->manifest, parts);
}

} // namespace

namespace {

using Names = std::vector<std::string>;

/// (op, callee, TTIR op or "", argument order, arguments that are tuples) as the ODS records say.
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

/// What changes or writes modules.
void bindPasses(nb::module_ &m) {
  m.def(
      "run_pipeline",
      [](nb::bytes source, const std::string &pipeline) {
        Session session(source);
        nb::object result = nb::none();
        if (session.runPipeline(pipeline, /*verifyEach=*/true))
          if (std::optional<std::string> bytes = session.bytecode())
            result = nb::bytes(bytes->data(), bytes->size());
        return nb::make_tuple(result, session.diagnostics);
      },
      nb::arg("source"), nb::arg("pipeline"), "Run a textual pass pipeline on MLIR text or bytecode; gives bytecode.");
  m.def(
      "expand_pipeline",
      [](const std::string &pipeline) {
        Session session;
        std::optional<std::string> result = session.expandPipeline(pipeline);
        return nb::make_tuple(result, session.diagnostics);
      },
      nb::arg("pipeline"), "The pipeline as text, down to single passes with all their options.");
  m.def(
      "emit_python",
      [](nb::bytes source, const std::string &name) {
        Session session(source);
        nb::object result = emittedTuple(session.emit(name));
        return nb::make_tuple(result, session.diagnostics);
      },
      nb::arg("source"), nb::arg("name"), "Write a lowered module; gives (name, python, manifest).");
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
      "write_artifact",
      [](nb::bytes source, const std::string &name, const std::string &directory) {
        Session session(source);
        std::optional<std::string> stem = session.writeArtifact(name, directory);
        return nb::make_tuple(stem, session.diagnostics);
      },
      nb::arg("source"), nb::arg("name"), nb::arg("directory"),
      "Write a lowered module that carries its weights as Python, safetensors and manifest; gives the file stem.");
  m.def(
      "inline_bytes", [] { return forge::kInlineBytes; },
      "Tensors of at most this many bytes are dense elements when they are converted.");
  m.def(
      "shared_ops",
      [] {
        std::vector<std::pair<std::string, bool>> ops;
        forge::forEachSharedOp([&](StringRef op, bool same) { ops.emplace_back(op.str(), same); });
        return ops;
      },
      "(op, whether it means the same) for ops of com.microsoft that have a name of the default domain.");
  m.def(
      "compile",
      [](nb::bytes source, const std::string &pipeline, const std::string &name) {
        Session session(source);
        nb::object result = nb::none();
        if (session.runPipeline(pipeline, /*verifyEach=*/false))
          result = emittedTuple(session.emit(name));
        return nb::make_tuple(result, session.diagnostics);
      },
      nb::arg("source"), nb::arg("pipeline"), nb::arg("name"),
      "run_pipeline and emit_python without bytecode between.");
}

/// What looks at modules and ops.
void bindQuestions(nb::module_ &m) {
  m.def(
      "layout_report",
      [](nb::bytes source, const std::string &pipeline, const std::string &format) {
        Session session(source);
        std::optional<std::string> json;
        if (session.runPipeline(pipeline, /*verifyEach=*/false))
          json = session.layoutReport(format);
        return nb::make_tuple(json, session.diagnostics);
      },
      nb::arg("source"), nb::arg("pipeline"), nb::arg("format"),
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

/// What the dialect, the converters and the passes know.
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
}

} // namespace

NB_MODULE(_native, m) {
  m.doc() = "Passes and emitter of Forge-MLIR. Every call returns (result or None, diagnostics).";
  bindIterDomain(m);
  bindPasses(m);
  bindQuestions(m);
  bindTables(m);
}
