//===- TorchOps.cpp - the importer's subset of the torch dialect ----------===//

#include "forge/Dialect/Torch/IR/TorchOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace forge::torch;

#include "forge/Dialect/Torch/IR/TorchDialect.cpp.inc"

static ParseResult parseNestedType(AsmParser &parser, Type &type);
static void printNestedType(AsmPrinter &printer, Type type);

#define GET_TYPEDEF_CLASSES
#include "forge/Dialect/Torch/IR/TorchTypes.cpp.inc"

#define GET_OP_CLASSES
#include "forge/Dialect/Torch/IR/TorchOps.cpp.inc"

void TorchDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "forge/Dialect/Torch/IR/TorchTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "forge/Dialect/Torch/IR/TorchOps.cpp.inc"
      >();
}

// A torch type inside another one has no `!torch.` prefix.
static ParseResult parseNestedType(AsmParser &parser, Type &type) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef mnemonic;
  OptionalParseResult result = generatedTypeParser(parser, &mnemonic, type);
  if (result.has_value())
    return *result;
  return parser.emitError(loc, "unknown torch type '") << mnemonic << "'";
}

static void printNestedType(AsmPrinter &printer, Type type) {
  if (failed(generatedTypePrinter(type, printer)))
    printer << type;
}

// vtensor ::= `<` `[` (dim (`,` dim)*)? `]` `,` type `>`, dim ::= `?` | decimal
Type ValueTensorType::parse(AsmParser &parser) {
  SmallVector<int64_t> sizes;
  auto parseDim = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      sizes.push_back(ShapedType::kDynamic);
      return success();
    }
    SMLoc loc = parser.getCurrentLocation();
    int64_t size;
    if (parser.parseInteger(size))
      return failure();
    if (size < 0)
      return parser.emitError(loc, "expected a size that is not negative, but got ") << size;
    sizes.push_back(size);
    return success();
  };
  Type dtype;
  if (parser.parseLess() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseDim) ||
      parser.parseComma() || parser.parseType(dtype) || parser.parseGreater())
    return {};
  return get(parser.getContext(), sizes, dtype);
}

void ValueTensorType::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleave(
      getSizes(), printer,
      [&](int64_t size) {
        if (ShapedType::isDynamic(size))
          printer << '?';
        else
          printer << size;
      },
      ",");
  printer << "]," << getDtype() << '>';
}

void ConstantNoneOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getResult(), "none"); }
