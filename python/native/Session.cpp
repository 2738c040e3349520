//===- Session.cpp - one call from Python ---------------------------------===//

#include "Session.h"

#include "forge/Conversion/OnnxToForge/Passes.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/RawTensor.h"
#include "forge/Dialect/Forge/Transforms/LayoutReport.h"
#include "forge/Pipelines/InputFile.h"
#include "forge/Pipelines/Pipelines.h"
#include "forge/Support/Diagnostics.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringSet.h"

namespace nb = nanobind;
using namespace mlir;

static const DialectRegistry &registry() {
  static const DialectRegistry built = [] {
    DialectRegistry result;
    forge::registerForgeDialects(result);
    forge::registerForgePasses();
    return result;
  }();
  return built;
}

Session::Session() : context(registry(), MLIRContext::Threading::DISABLED) {
  handler.emplace(&context, [this](Diagnostic &diagnostic) {
    diagnostics.push_back(reportOf(diagnostic));
    return success();
  });
}

Session::Session(nb::bytes source) : Session() {
  // Blobs refer to the bytes, which the caller of every native function keeps alive.
  StringRef bytes(static_cast<const char *>(source.data()), source.size());
  nb::gil_scoped_release release;
  module = forge::parseModule(forge::adaptText(llvm::MemoryBuffer::getMemBuffer(bytes)), &context);
}

InFlightDiagnostic Session::error() { return forge::emitError(UnknownLoc::get(&context), forge::Code::InvalidIr); }

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

FailureOr<OpPassManager> Session::parsePipeline(const std::string &pipeline, bool runs) {
  std::string message;
  llvm::raw_string_ostream os(message);
  FailureOr<OpPassManager> parsed = parsePassPipeline(pipeline, os);
  if (runs && succeeded(parsed) && parsed->getOpAnchorName() != PassManager::getAnyOpAnchorName() &&
      parsed->getOpAnchorName() != "builtin.module") {
    os << "expected a pipeline on builtin.module, but got one on " << parsed->getOpAnchorName();
    parsed = failure();
  }
  if (failed(parsed))
    forge::emitError(UnknownLoc::get(&context), forge::Code::PipelineInvalid) << "invalid pipeline: " << message;
  return parsed;
}

bool Session::runPipeline(const std::string &pipeline, bool verifyEach) {
  if (!module)
    return false;
  nb::gil_scoped_release release;
  FailureOr<OpPassManager> parsed = parsePipeline(pipeline, /*runs=*/true);
  if (failed(parsed))
    return false;
  PassManager manager(&context);
  manager.enableVerifier(verifyEach);
  static_cast<OpPassManager &>(manager) = *parsed;
  return succeeded(manager.run(*module));
}

std::optional<std::string> Session::expandPipeline(const std::string &pipeline) {
  FailureOr<OpPassManager> parsed = parsePipeline(pipeline, /*runs=*/false);
  if (failed(parsed))
    return std::nullopt;
  std::string result;
  llvm::raw_string_ostream stream(result);
  parsed->printAsTextualPipeline(stream);
  return result;
}

//===----------------------------------------------------------------------===//
// What a module is written as
//===----------------------------------------------------------------------===//

std::optional<std::string> Session::bytecode() {
  nb::gil_scoped_release release;
  std::string result;
  llvm::raw_string_ostream os(result);
  BytecodeWriterConfig config("forge-mlir");
  config.setDesiredBytecodeVersion(4);
  if (failed(writeBytecodeToFile(module->getOperation(), os, config)))
    return std::nullopt;
  return result;
}

std::optional<forge::EmittedModule> Session::emit(const std::string &name) {
  if (!module)
    return std::nullopt;
  nb::gil_scoped_release release;
  FailureOr<forge::EmittedModule> emitted = forge::emitPython(*module, name);
  return succeeded(emitted) ? std::optional(std::move(*emitted)) : std::nullopt;
}

std::optional<std::string> Session::writeArtifact(const std::string &name, const std::string &directory) {
  if (!module)
    return std::nullopt;
  nb::gil_scoped_release release;
  FailureOr<std::string> stem = forge::writeArtifact(*module, name, directory);
  return succeeded(stem) ? std::optional(*stem) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

std::vector<WeightTuple> Session::weights() {
  std::vector<WeightTuple> found;
  llvm::StringSet<> known;
  module->walk([&](forge::ParameterOp parameter) {
    auto blob = dyn_cast_or_null<DenseResourceElementsAttr>(parameter.getBlobAttr());
    std::optional<ArrayRef<char>> raw = blob ? forge::blobOf(blob) : std::nullopt;
    if (!raw || !known.insert(parameter.getKey()).second)
      return;
    ShapedType type = blob.getType();
    found.emplace_back(parameter.getKey().str(), Text{forge::nodeName(parameter.getLoc()).str()},
                       printed(type.getElementType()), type.getShape().vec(), nb::bytes(raw->data(), raw->size()));
  });
  return found;
}

std::optional<std::string> Session::layoutReport(const std::string &format) {
  nb::gil_scoped_release release;
  std::string json;
  llvm::raw_string_ostream os(json);
  return succeeded(forge::reportLayout(*module, {format}, &os)) ? std::optional(json) : std::nullopt;
}

std::optional<std::vector<std::string>> Session::inferTypes(const std::string &opName,
                                                            const std::vector<std::string> &operandTypes,
                                                            const std::string &attributes) {
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

// Whether the verifier complains about nothing but the type of the result.
bool Session::acceptsOperands(RegisteredOperationName name, Operation *op) {
  bool refused = false;
  ScopedDiagnosticHandler filter(&context, [&](Diagnostic &diagnostic) {
    bool expected = StringRef(diagnostic.str()).contains("are incompatible with return type(s) of operation");
    refused |= !expected;
    return success(expected); // The session's handler gets the others.
  });
  (void)name.verifyInvariants(op);
  return !refused;
}

// Inference trusts operands and attributes, so the op's verifier checks them first, on an op with a stand-in result.
// That the stand-in is not the inferred type is the verifier's last complaint, and the one which means success.
std::optional<std::vector<std::string>> Session::inferTypes(RegisteredOperationName name, ValueRange operands,
                                                            DictionaryAttr attributes) {
  Location location = UnknownLoc::get(&context);
  Type standIn = RankedTensorType::get({}, Float32Type::get(&context));
  NamedAttrList list(attributes);
  if (failed(name.verifyInherentAttrs(list, [&] { return error() << "'" << name.getStringRef() << "' op "; })))
    return std::nullopt; // They cannot become properties.
  OperationState state(location, name, operands, standIn, list);
  OwningOpRef<Operation *> op = Operation::create(state);
  SmallVector<Type> types;
  if (!acceptsOperands(name, op.get()) ||
      failed(name.getInterface<InferTypeOpInterface>()->inferReturnTypes(
          &context, location, operands, op->getRawDictionaryAttrs(), op->getPropertiesStorage(), {}, types)))
    return std::nullopt;
  std::vector<std::string> result;
  for (Type type : types)
    result.push_back(printed(type));
  return result;
}
