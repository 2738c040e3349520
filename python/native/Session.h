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

/// (key, ONNX name, element type, shape, bytes in ONNX's raw layout) of a weight that a module carries.
using WeightTuple = std::tuple<std::string, Text, std::string, std::vector<int64_t>, nanobind::bytes>;

/// Weights by the keys of their handles, which the caller keeps alive.
using WeightBytes =
    std::vector<std::pair<std::string, nanobind::ndarray<const uint8_t, nanobind::ndim<1>, nanobind::c_contig>>>;

using RewriteTuple = std::tuple<std::string, std::string, std::string, Text>;

/// A context of its own, so that calls from several threads share nothing, and what it reported. An empty result means
/// that `diagnostics` say why.
class Session {
public:
  Session();
  /// Reads and verifies a module.
  explicit Session(nanobind::bytes source);

  /// Adds converters of the user's own: (domain, op, since, function).
  void addLowerings(const nanobind::list &lowerings);

  /// Has passes apply only the first `limit` rewrites, all if it is negative, and remember them.
  void limitRewrites(int64_t limit);
  /// (pass, rewrite, op, ONNX node) of those that were applied.
  std::vector<RewriteTuple> rewrites();

  bool valid() const { return static_cast<bool>(module); }

  /// With `verifyEach` the module is verified after each pass; the emitter verifies it in any case. `onPass` is called
  /// with each PassRun unless it is None; what it raises, or a lowering, is raised here.
  bool runPipeline(const std::string &pipeline, bool verifyEach, nanobind::object onPass);
  /// The pipeline as the passes that it runs, with all their options.
  std::optional<std::string> expandPipeline(const std::string &pipeline);
  /// Without native properties: the other side knows the ops through IRDL, where all attributes are in the dictionary.
  std::optional<std::string> bytecode();
  /// Writes the module into a new file, as text with locations or as bytecode. The bytes of `weights` that it names by
  /// reference are written into it.
  bool writeModule(llvm::StringRef file, bool asBytecode, const WeightBytes &weights);
  /// The op at `path` of the module, which is the place of an op among all ops of its parent at each step, as text in
  /// the names of the whole module.
  std::optional<Text> text(const std::vector<size_t> &path, bool locations);
  /// The module as Python and manifest.
  std::optional<forge::EmittedModule> emit(const std::string &name, bool readsModelFiles = false);
  /// One entry per key.
  std::vector<WeightTuple> weights();
  /// The file that has the table of the weights which the module names by reference; "" for none.
  Text weightTable();
  /// The report on the tile layout as JSON; floats are held in `format`, or as their type says if that is empty.
  std::optional<std::string> layoutReport(const std::string &format);
  /// Result types of an op on operands that are nothing but their types.
  std::optional<std::vector<std::string>>
  inferTypes(const std::string &opName, const std::vector<std::string> &operandTypes, const std::string &attributes);

  std::vector<Report> diagnostics;

private:
  mlir::InFlightDiagnostic error();
  bool runParsed(const std::string &pipeline, bool verifyEach, nanobind::handle onPass);
  mlir::FailureOr<mlir::OpPassManager> parsePipeline(const std::string &pipeline, bool runs);

  std::exception_ptr pending; ///< what Python code raised that runs inside a pass
  mlir::MLIRContext context;
  std::optional<mlir::ScopedDiagnosticHandler> handler;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

#endif // FORGE_PYTHON_NATIVE_SESSION_H
