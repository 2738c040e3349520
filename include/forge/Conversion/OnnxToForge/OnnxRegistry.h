//===- OnnxRegistry.h - converters by domain, op and version ----*- C++ -*-===//

#ifndef FORGE_CONVERSION_ONNXTOFORGE_ONNXREGISTRY_H
#define FORGE_CONVERSION_ONNXTOFORGE_ONNXREGISTRY_H

#include "forge/Conversion/OnnxToForge/ForgeBuilder.h"
#include "forge/Conversion/OnnxToForge/OnnxNode.h"
#include "mlir/IR/DialectInterface.h"
#include "llvm/ADT/StringMap.h"

#include <functional>
#include <map>

namespace forge {

/// The results of a converted node, in ONNX order; nulls or fewer when refused.
using Values = llvm::SmallVector<mlir::Value>;
/// What every converter is: declared as `ConverterFunction convertAdd, convertSub;`.
using ConverterFunction = Values(OnnxNode &, ForgeBuilder &);
using Converter = std::function<ConverterFunction>;

/// One line of a family's table: an op, the versions at which ONNX changed it, and its converter, which reads
/// `OnnxNode::since()` where they differ.
struct OpRow {
  llvm::StringRef op;
  llvm::SmallVector<int64_t> versions;
  Converter converter;
};

/// The newest opset of the default domain whose operators this registry was checked against (onnx 1.23).
constexpr int64_t kNewestOpset = 28;

/// Converters keyed by (domain, op, since-version). The newest version not above a node's opset is *the* converter:
/// there is no fall-through, and domains never merge.
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
  /// The versions known for an op, ascending; empty for an unknown op.
  llvm::SmallVector<int64_t> versions(llvm::StringRef domain, llvm::StringRef op) const;
  /// Calls `visit(domain, op, since)` for all entries in order.
  void forEach(llvm::function_ref<void(llvm::StringRef, llvm::StringRef, int64_t)> visit) const;

  /// Every converter of this compiler.
  static const OnnxRegistry &get();

private:
  std::map<std::pair<std::string, std::string>, llvm::SmallVector<Entry>> entries;
  llvm::StringMap<llvm::StringMap<const llvm::SmallVector<Entry> *>> index;
};

/// Converters of a user's own, for the modules of one context: an interface that is added to its ForgeDialect. An op
/// that has one here at its opset gets none of this compiler's.
class OwnConverters : public mlir::DialectInterface::Base<OwnConverters> {
public:
  OwnConverters(mlir::Dialect *dialect) : Base(dialect) {}

  /// Those of `context`, null when there are none.
  static const OnnxRegistry *of(mlir::MLIRContext *context);

  OnnxRegistry registry;
};

} // namespace forge

#endif // FORGE_CONVERSION_ONNXTOFORGE_ONNXREGISTRY_H
