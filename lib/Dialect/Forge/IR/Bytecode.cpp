//===- Bytecode.cpp - the forge dialect in bytecode -----------------------===//
//
// Attributes are written as a dictionary, so that files remain readable if attributes are added to a record. Version 0,
// whose files contain no version, had the attributes without names, in the order of their names.
//
//===----------------------------------------------------------------------===//

#include "Bytecode.h"

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "mlir/Bytecode/Encoding.h"

using namespace mlir;
using namespace forge;

static constexpr uint64_t kVersion = 1;

namespace {
struct ForgeVersion : DialectVersion {
  explicit ForgeVersion(uint64_t number) : number(number) {}
  uint64_t number;
};

struct ForgeBytecode : BytecodeDialectInterface {
  explicit ForgeBytecode(Dialect *dialect) : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const override {
    // Bytecode without properties is for readers that do not have this dialect. All attributes are in dictionaries
    // then.
    if (writer.getBytecodeVersion() >= bytecode::kNativePropertiesEncoding)
      writer.writeVarInt(kVersion);
  }

  std::unique_ptr<DialectVersion> readVersion(DialectBytecodeReader &reader) const override {
    uint64_t number;
    if (failed(reader.readVarInt(number)))
      return nullptr;
    if (number > kVersion) {
      reader.emitError() << "this bytecode has version " << number
                         << " of the forge dialect, but this Forge-MLIR reads "
                         << "versions up to " << kVersion
                         << "; read it with the Forge-MLIR that wrote it, or a newer one";
      return nullptr;
    }
    return std::make_unique<ForgeVersion>(number);
  }
};
} // namespace

// Whether the attribute was optional in version 0. Only for optional attributes a file says whether they are present.
static bool wasOptional(StringRef opName, StringRef attribute) {
  return (opName == "forge.argmax" && attribute == "dim") || opName == "forge.identity" ||
         (opName == "forge.parameter" && attribute != "key");
}

static FailureOr<DictionaryAttr> readVersion0(DialectBytecodeReader &reader, StringRef opName,
                                              ArrayRef<StringRef> names) {
  // The attributes that this op had in version 0, if they differ from those of today.
  static constexpr StringRef kParameter[] = {"blob", "derived", "key"};
  if (opName == "forge.parameter")
    names = kParameter;
  NamedAttrList attributes;
  for (StringRef name : names) {
    Attribute value;
    if (failed(wasOptional(opName, name) ? reader.readOptionalAttribute(value) : reader.readAttribute(value)))
      return failure();
    if (value)
      attributes.append(name, value);
  }
  if (opName == "forge.parameter" && attributes.get("derived")) {
    reader.emitError()
        << "version 0 of the forge dialect had parts of weights ('forge.parameter' with 'derived'), which "
        << "this Forge-MLIR computes instead; compile the model again";
    return failure();
  }
  return attributes.getDictionary(reader.getContext());
}

FailureOr<DictionaryAttr> forge::detail::readAttributes(DialectBytecodeReader &reader, StringRef opName,
                                                        ArrayRef<StringRef> names) {
  if (failed(reader.getDialectVersion<ForgeDialect>()))
    return readVersion0(reader, opName, names);
  DictionaryAttr attributes;
  if (failed(reader.readAttribute(attributes)))
    return failure();
  return attributes;
}

void forge::detail::writeProperties(DialectBytecodeWriter &writer, Operation *op) {
  Attribute attributes = op->getPropertiesAsAttribute();
  writer.writeAttribute(attributes ? attributes : DictionaryAttr::get(op->getContext()));
}

std::unique_ptr<DialectInterface> forge::detail::makeBytecodeInterface(Dialect &dialect) {
  return std::make_unique<ForgeBytecode>(&dialect);
}
