//===- Session.cpp - one call from Python ---------------------------------===//

#include "Session.h"

#include "Lowerings.h"

#include "forge/Conversion/OnnxToForge/Passes.h"
#include "forge/Dialect/Forge/IR/Constants/RawTensor.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/NamedOp.h"
#include "forge/Dialect/Forge/IR/Rewriting/RewriteLimit.h"
#include "forge/Dialect/Forge/Transforms/Layout/Report/TileLayoutReport.h"
#include "forge/Pipelines/InputFile.h"
#include "forge/Pipelines/Pipelines.h"
#include "forge/Support/Diagnostics.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"

#include <nanobind/stl/tuple.h>

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
  // Blobs refer to the bytes, which the caller of each native function keeps alive.
  StringRef bytes(static_cast<const char *>(source.data()), source.size());
  nb::gil_scoped_release release;
  module = forge::parseModule(forge::adaptText(llvm::MemoryBuffer::getMemBuffer(bytes)), &context);
}

void Session::addLowerings(const nb::list &lowerings) {
  auto &own = context.getOrLoadDialect<forge::ForgeDialect>()->addInterface<forge::OwnConverters>();
  for (nb::handle entry : lowerings) {
    auto [domain, op, since, function] = nb::cast<std::tuple<std::string, std::string, int64_t, nb::object>>(entry);
    own.registry.add({{op, {since}, pythonConverter(function, pending)}}, domain);
  }
}

void Session::limitRewrites(int64_t limit) { forge::RewriteLimit::set(context, limit); }

std::vector<RewriteTuple> Session::rewrites() {
  std::vector<RewriteTuple> found;
  for (const auto &[pass, name, op, node] : forge::RewriteLimit::of(&context)->applied())
    found.emplace_back(pass, name, op, Text{node});
  return found;
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

bool Session::runPipeline(const std::string &pipeline, bool verifyEach, nb::object onPass) {
  if (!module)
    return false;
  bool done;
  {
    nb::gil_scoped_release release;
    done = runParsed(pipeline, verifyEach, onPass);
  }
  if (pending)
    std::rethrow_exception(std::exchange(pending, nullptr));
  return done;
}

bool Session::runParsed(const std::string &pipeline, bool verifyEach, nb::handle onPass) {
  FailureOr<OpPassManager> parsed = parsePipeline(pipeline, /*runs=*/true);
  if (failed(parsed))
    return false;
  PassManager manager(&context);
  manager.enableVerifier(verifyEach);
  Observer::watch(manager, onPass, pending);
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
// Emission
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

// Replaces the handles of an importer's constants by blobs with their bytes.
static void attachWeights(ModuleOp module, const WeightBytes &weights) {
  llvm::StringMap<ArrayRef<char>> known;
  for (const auto &[key, bytes] : weights)
    known[key] = {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
  module.walk([&](Operation *op) {
    for (NamedAttribute attribute : op->getAttrs())
      if (auto handle = dyn_cast<DenseResourceElementsAttr>(attribute.getValue())) {
        auto *entry = handle.getRawHandle().getResource();
        auto found = known.find(entry->getKey());
        if (found != known.end() && !entry->getBlob())
          entry->setBlob(UnmanagedAsmResourceBlob::allocateWithAlign(found->second, /*align=*/1));
      }
  });
}

bool Session::writeModule(StringRef file, bool asBytecode, const WeightBytes &weights) {
  if (!module)
    return false;
  nb::gil_scoped_release release;
  attachWeights(*module, weights);
  std::error_code failed;
  llvm::raw_fd_ostream os(file, failed, llvm::sys::fs::CD_CreateNew);
  if (!failed) {
    if (asBytecode)
      (void)writeBytecodeToFile(module->getOperation(), os, BytecodeWriterConfig("forge-mlir"));
    else
      module->getOperation()->print(os, OpPrintingFlags().enableDebugInfo());
    os.close();
    failed = os.error();
    os.clear_error();
  }
  if (failed)
    forge::emitError(UnknownLoc::get(&context), forge::Code::CannotWrite)
        << "cannot write '" << forge::escaped(file) << "': " << failed.message();
  return !failed;
}

// The op with number `index` among the ops in the regions of `parent`.
static Operation *childOf(Operation *parent, size_t index) {
  for (Region &region : parent->getRegions())
    for (Operation &child : region.getOps())
      if (index-- == 0)
        return &child;
  return nullptr;
}

std::optional<Text> Session::text(const std::vector<size_t> &path, bool locations) {
  if (!module)
    return std::nullopt;
  nb::gil_scoped_release release;
  Operation *op = *module;
  for (size_t index : path)
    if (!(op = childOf(op, index))) {
      error() << "the module has no such op";
      return std::nullopt;
    }
  Text result;
  llvm::raw_string_ostream os(result.bytes);
  OpPrintingFlags flags;
  flags.enableDebugInfo(locations).assumeVerified();
  AsmState names(*module, flags);
  op->print(os, names);
  return result;
}

std::optional<forge::EmittedModule> Session::emit(const std::string &name, bool readsModelFiles) {
  if (!module)
    return std::nullopt;
  nb::gil_scoped_release release;
  FailureOr<forge::EmittedModule> emitted = forge::emitPython(*module, name, readsModelFiles);
  return succeeded(emitted) ? std::optional(std::move(*emitted)) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Queries
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

Text Session::weightTable() {
  auto name = (*module)->getAttrOfType<StringAttr>("forge.weights");
  return {name ? name.getValue().str() : ""};
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
  Location location = UnknownLoc::get(&context);
  Block block;
  for (const std::string &operandType : operandTypes) {
    Type type = parseType(operandType, &context);
    if (!type)
      return std::nullopt;
    block.addArgument(type, location);
  }
  auto dictionary = dyn_cast_or_null<DictionaryAttr>(parseAttribute(attributes, &context));
  if (!dictionary) {
    error() << "expected a dictionary of attributes";
    return std::nullopt;
  }
  FailureOr<SmallVector<Type>> types = forge::inferNamedOp(location, opName, block.getArguments(), dictionary);
  if (failed(types))
    return std::nullopt;
  std::vector<std::string> result;
  for (Type type : *types)
    result.push_back(printed(type));
  return result;
}
