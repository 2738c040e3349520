//===- Session.h - one call from Python -------------------------*- C++ -*-===//

#ifndef FORGE_PYTHON_NATIVE_SESSION_H
#define FORGE_PYTHON_NATIVE_SESSION_H

#include "Report.h"

#include "forge/Target/Python/ForgeToPython.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

/// (key, ONNX name, element type, shape, bytes in ONNX's raw layout) of a weight that a module carries.
using WeightTuple = std::tuple<std::string, Text, std::string, std::vector<int64_t>, nanobind::bytes>;

/// A context of its own, so that calls from several threads share nothing, and what it reported. An empty result means
/// that `diagnostics` say why.
class Session {
public:
  Session();
  /// Reads and verifies a module.
  explicit Session(nanobind::bytes source);

  bool valid() const { return static_cast<bool>(module); }

  /// With `verifyEach` the module is verified after each pass; the emitter verifies it in any case.
  bool runPipeline(const std::string &pipeline, bool verifyEach);
  /// The pipeline as the passes that it runs, with all their options.
  std::optional<std::string> expandPipeline(const std::string &pipeline);
  /// Without native properties: the other side knows the ops through IRDL, where all attributes are in the dictionary.
  std::optional<std::string> bytecode();
  /// The module as Python and manifest.
  std::optional<forge::EmittedModule> emit(const std::string &name);
  /// Writes Python, weights and manifest; gives the file stem.
  std::optional<std::string> writeArtifact(const std::string &name, const std::string &directory);
  /// One entry per key.
  std::vector<WeightTuple> weights();
  /// The report on the tile layout as JSON; floats are held in `format`, or as their type says if that is empty.
  std::optional<std::string> layoutReport(const std::string &format);
  /// Result types of an op on operands that are nothing but their types.
  std::optional<std::vector<std::string>>
  inferTypes(const std::string &opName, const std::vector<std::string> &operandTypes, const std::string &attributes);

  std::vector<Report> diagnostics;

private:
  mlir::InFlightDiagnostic error();
  mlir::FailureOr<mlir::OpPassManager> parsePipeline(const std::string &pipeline, bool runs);
  bool acceptsOperands(mlir::RegisteredOperationName name, mlir::Operation *op);
  std::optional<std::vector<std::string>> inferTypes(mlir::RegisteredOperationName name, mlir::ValueRange operands,
                                                     mlir::DictionaryAttr attributes);

  mlir::MLIRContext context;
  std::optional<mlir::ScopedDiagnosticHandler> handler;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

#endif // FORGE_PYTHON_NATIVE_SESSION_H
