//===- OnnxRegistry.cpp - converters by domain, op and version ------------===//
//
// FunctionConverter::chooseVersion refuses nodes for whose opset there is no converter.
//
//===----------------------------------------------------------------------===//

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

#include "RegisterAll.h"

using namespace forge;

void OnnxRegistry::add(llvm::ArrayRef<OpRow> table, llvm::StringRef domain) {
  for (const OpRow &row : table) {
    llvm::SmallVector<Entry> &list = entries[{domain.str(), row.op.str()}];
    for (int64_t since : row.versions) {
      assert(llvm::none_of(list, [&](const Entry &entry) { return entry.since == since; }) && "registered twice");
      list.push_back({since, row.converter});
    }
    llvm::sort(list, [](const Entry &a, const Entry &b) { return a.since < b.since; });
  }
}

const OnnxRegistry::Entry *OnnxRegistry::lookup(llvm::StringRef domain, llvm::StringRef op, int64_t opset) const {
  auto found = entries.find({domain.str(), op.str()});
  if (found == entries.end())
    return nullptr;
  const Entry *newest = nullptr;
  for (const Entry &entry : found->second)
    if (entry.since <= opset)
      newest = &entry;
  return newest;
}

llvm::SmallVector<int64_t> OnnxRegistry::versions(llvm::StringRef domain, llvm::StringRef op) const {
  llvm::SmallVector<int64_t> result;
  auto found = entries.find({domain.str(), op.str()});
  if (found != entries.end())
    for (const Entry &entry : found->second)
      result.push_back(entry.since);
  return result;
}

void OnnxRegistry::forEach(llvm::function_ref<void(llvm::StringRef, llvm::StringRef, int64_t)> visit) const {
  for (const auto &[key, list] : entries)
    for (const Entry &entry : list)
      visit(key.first, key.second, entry.since);
}

const OnnxRegistry *OwnConverters::of(mlir::MLIRContext *context) {
  auto *dialect = context->getLoadedDialect<ForgeDialect>();
  const auto *own = dialect ? dialect->getRegisteredInterface<OwnConverters>() : nullptr;
  return own ? &own->registry : nullptr;
}

const OnnxRegistry &OnnxRegistry::get() {
  static const OnnxRegistry registry = [] {
    OnnxRegistry built;
    for (RegisterFamily *registerOps :
         {registerActivationOps, registerAttentionOps, registerControlOps, registerConvOps,   registerElementwiseOps,
          registerImageOps,      registerIndexingOps,  registerLossOps,    registerMatmulOps, registerMicrosoftOps,
          registerMovementOps,   registerNormOps,      registerOnnxOps,    registerPoolOps,   registerQuantizationOps,
          registerRecurrentOps,  registerReductionOps, registerResizeOps,  registerShapeOps,  registerSignalOps})
      registerOps(built);
    return built;
  }();
  return registry;
}
