//===- Session.h - one call from Python -------------------------*- C++ -*-===//

#ifndef FORGE_PYTHON_NATIVE_SESSION_H
#define FORGE_PYTHON_NATIVE_SESSION_H

#include "Observer.h"
#include "Report.h"

#include "forge/Target/Python/ForgeToPython.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

#include <nanobind/ndarray.h>

/// (key, ONNX name, element type, shape, bytes in ONNX's raw layout) of a weight in a module.
using WeightTuple = std::tuple<std::string, Text, std::string, std::vector<int64_t>, nanobind::bytes>;

/// Weights by the keys of their handles, which the caller keeps alive.
using WeightBytes =
    std::vector<std::pair<std::string, nanobind::ndarray<const uint8_t, nanobind::ndim<1>, nanobind::c_contig>>>;

using RewriteTuple = std::tuple<std::string, std::string, std::string, Text>;

/// A separate context, so that calls from several threads share nothing, with its diagnostics. An empty result means
/// that `diagnostics` have the reason.
class Session {
public:
  Session();
  /// Parses and verifies a module.
  explicit Session(nanobind::bytes source);

  /// Adds user-defined converters: (domain, op, since, function).
  void addLowerings(const nanobind::list &lowerings);

  /// Makes passes apply only the first `limit` rewrites (all if negative), and record them.
  void limitRewrites(int64_t limit);
  /// (pass, rewrite, op, ONNX node) of the rewrites that were applied.
  std::vector<RewriteTuple> rewrites();

  bool valid() const { return static_cast<bool>(module); }

  /// With `verifyEach` the module is verified after each pass; the emitter verifies it in any case. `onPass` is called
  /// with each PassRun unless it is None. Exceptions of `onPass` or of a lowering are rethrown here.
  bool runPipeline(const std::string &pipeline, bool verifyEach, nanobind::object onPass);
  /// The textual pipeline, expanded to the passes that it runs, with all options.
  std::optional<std::string> expandPipeline(const std::string &pipeline);
  /// The module without native properties: for torch_mlir, ops are unregistered and have attribute dictionaries.
  std::optional<std::string> bytecode();
  /// Writes the module into a new file, as text with locations or as bytecode, including the bytes of `weights` that it
  /// refers to.
  bool writeModule(llvm::StringRef file, bool asBytecode, const WeightBytes &weights);
  /// The text of the op at `path`, with value names of the whole module. Each step of a path is the number of an op
  /// among all ops of its parent.
  std::optional<Text> text(const std::vector<size_t> &path, bool locations);
  /// Emits the module as Python with a manifest.
  std::optional<forge::EmittedModule> emit(const std::string &name, bool readsModelFiles = false);
  /// The weights in the module, one entry per key.
  std::vector<WeightTuple> weights();
  /// The file of the table of weights that the module refers to; "" for none.
  Text weightTable();
  /// The report on the tile layout as JSON. Floats have `format`; if it is empty, that of their types.
  std::optional<std::string> layoutReport(const std::string &format);
  /// The result types of an op for given operand types.
  std::optional<std::vector<std::string>>
  inferTypes(const std::string &opName, const std::vector<std::string> &operandTypes, const std::string &attributes);

  std::vector<Report> diagnostics;

private:
  mlir::InFlightDiagnostic error();
  bool runParsed(const std::string &pipeline, bool verifyEach, nanobind::handle onPass);
  mlir::FailureOr<mlir::OpPassManager> parsePipeline(const std::string &pipeline, bool runs);

  std::exception_ptr pending; ///< an exception of Python code that ran inside a pass
  mlir::MLIRContext context;
  std::optional<mlir::ScopedDiagnosticHandler> handler;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

#endif // FORGE_PYTHON_NATIVE_SESSION_H
