//===- OnnxRegistry.h - converters by domain, op and version ----*- C++ -*-===//

#ifndef FORGE_CONVERSION_ONNXTOFORGE_ONNXREGISTRY_H
#define FORGE_CONVERSION_ONNXTOFORGE_ONNXREGISTRY_H

#include "forge/Conversion/OnnxToForge/ForgeBuilder.h"
#include "forge/Conversion/OnnxToForge/OnnxNode.h"
#include "mlir/IR/DialectInterface.h"

#include <functional>
#include <map>

namespace forge {

/// The results of a converted node, in ONNX order. A refused node has null values or fewer results.
using Values = llvm::SmallVector<mlir::Value>;
/// The type of a converter. Declare converters as `ConverterFunction convertAdd, convertSub;`.
using ConverterFunction = Values(OnnxNode &, ForgeBuilder &);
using Converter = std::function<ConverterFunction>;

/// A row of a family's table: an op, the opsets in which ONNX changed it, and its converter, which distinguishes them
/// by `OnnxNode::since()`.
struct OpRow {
  llvm::StringRef op;
  llvm::SmallVector<int64_t> versions;
  Converter converter;
};

/// The newest opset of the default domain that this registry has been checked against (onnx 1.23).
constexpr int64_t kNewestOpset = 28;

/// Converters keyed by (domain, op, since-version). A node is converted by the newest version that is not above its
/// opset; there is no fallback to older versions or to other domains.
class OnnxRegistry {
public:
  /// Registers a family's ops.
  void add(llvm::ArrayRef<OpRow> table, llvm::StringRef domain = "");

  struct Entry {
    int64_t since;
    Converter converter;
  };
  /// The entry for a node, null when there is none.
  const Entry *lookup(llvm::StringRef domain, llvm::StringRef op, int64_t opset) const;
  /// The since-versions of an op, ascending; empty for an unknown op.
  llvm::SmallVector<int64_t> versions(llvm::StringRef domain, llvm::StringRef op) const;
  /// Calls `visit(domain, op, since)` for all entries in order.
  void forEach(llvm::function_ref<void(llvm::StringRef, llvm::StringRef, int64_t)> visit) const;

  /// All converters of this project.
  static const OnnxRegistry &get();

private:
  std::map<std::pair<std::string, std::string>, llvm::SmallVector<Entry>> entries;
};

/// User-defined converters of one context, registered as an interface of its ForgeDialect. For an op and opset that it
/// has, it replaces the converter of this project.
class OwnConverters : public mlir::DialectInterface::Base<OwnConverters> {
public:
  OwnConverters(mlir::Dialect *dialect) : Base(dialect) {}

  /// The user-defined converters of `context`, or null.
  static const OnnxRegistry *of(mlir::MLIRContext *context);

  OnnxRegistry registry;
};

} // namespace forge

#endif // FORGE_CONVERSION_ONNXTOFORGE_ONNXREGISTRY_H
