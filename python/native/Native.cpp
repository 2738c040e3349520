//===- Native.cpp - passes and emitter for Python -------------------------===//
//
// Modules cross as bytecode: torch_mlir's MLIR and ours are different versions in one process and share nothing.
//
//===----------------------------------------------------------------------===//

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Pipelines/Pipelines.h"
#include "forge/Target/Python/ForgeToPython.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/SourceMgr.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace mlir;

namespace {

// (severity, message, ONNX node, location, notes)
using DiagnosticTuple = std::tuple<std::string, std::string, std::string, std::string, std::vector<std::string>>;

std::string text(Location loc) {
  std::string result;
  llvm::raw_string_ostream(result) << loc;
  return result;
}

StringRef severityName(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note: return "note";
  case DiagnosticSeverity::Warning: return "warning";
  case DiagnosticSeverity::Remark: return "remark";
  case DiagnosticSeverity::Error: return "error";
  }
  return "error";
}

/// One parsed module in a context of its own, so that calls from several threads share nothing.
class Session {
public:
  explicit Session(nb::bytes source) : context(registry(), MLIRContext::Threading::DISABLED) {
    handler.emplace(&context, [this](Diagnostic &diagnostic) {
      std::vector<std::string> notes;
      for (Diagnostic &note : diagnostic.getNotes())
        notes.push_back(note.str());
      diagnostics.emplace_back(severityName(diagnostic.getSeverity()).str(), diagnostic.str(),
                               forge::nodeName(diagnostic.getLocation()).str(), text(diagnostic.getLocation()), notes);
      return success();
    });
    StringRef buffer(static_cast<const char *>(source.data()), source.size());
    nb::gil_scoped_release release;
    module = parseSourceString<ModuleOp>(buffer, ParserConfig(&context));
  }

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
      emitError(UnknownLoc::get(&context)) << "invalid pipeline: " << message;
      return false;
    }
    static_cast<OpPassManager &>(manager) = *parsed;
    return succeeded(manager.run(*module));
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

  std::vector<DiagnosticTuple> diagnostics;

private:
  static const DialectRegistry &registry() {
    static const DialectRegistry built = [] {
      DialectRegistry result;
      forge::registerForgeDialects(result);
      forge::registerForgePasses();
      return result;
    }();
    return built;
  }

  MLIRContext context;
  std::optional<ScopedDiagnosticHandler> handler;
  OwningOpRef<ModuleOp> module;
};

nb::object emittedTuple(const std::optional<forge::EmittedModule> &emitted) {
  if (!emitted)
    return nb::none();
  return nb::make_tuple(emitted->name, emitted->python, emitted->manifest);
}

} // namespace

NB_MODULE(_native, m) {
  m.doc() = "Passes and emitter of Forge-MLIR. Every call returns (result or None, diagnostics).";
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
      "emit_python",
      [](nb::bytes source, const std::string &name) {
        Session session(source);
        nb::object result = emittedTuple(session.emit(name));
        return nb::make_tuple(result, session.diagnostics);
      },
      nb::arg("source"), nb::arg("name"), "Write a lowered module; gives (name, python, manifest).");
  m.def(
      "compile",
      [](nb::bytes source, const std::string &pipeline, const std::string &name) {
        Session session(source);
        nb::object result = nb::none();
        if (session.runPipeline(pipeline, /*verifyEach=*/false))
          result = emittedTuple(session.emit(name));
        return nb::make_tuple(result, session.diagnostics);
      },
      nb::arg("source"), nb::arg("pipeline"), nb::arg("name"), "run_pipeline and emit_python without bytecode between.");
  m.def(
      "registered_ops",
      [] {
        std::vector<std::tuple<std::string, std::string, int64_t>> ops;
        forge::OnnxRegistry::get().forEach([&](StringRef domain, StringRef op, int64_t since) {
          ops.emplace_back(domain.str(), op.str(), since);
        });
        return ops;
      },
      "(domain, op, since-version) of every converter.");
}
