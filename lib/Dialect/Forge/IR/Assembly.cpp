//===- Assembly.cpp - how forge ops are written in text -------------------===//

#include "Assembly.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

ParseResult forge::parseFlag(OpAsmParser &parser, BoolAttr &flag, StringRef name) {
  flag = parser.getBuilder().getBoolAttr(succeeded(parser.parseOptionalKeyword(name)));
  return success();
}

void forge::printFlag(OpAsmPrinter &printer, Operation *, BoolAttr flag, StringRef name) {
  if (flag.getValue())
    printer << ' ' << name;
}

ParseResult forge::parseWord(OpAsmParser &parser, StringAttr &word) {
  std::string text;
  if (failed(parser.parseKeywordOrString(&text)))
    return failure();
  word = parser.getBuilder().getStringAttr(text);
  return success();
}

void forge::printWord(OpAsmPrinter &printer, Operation *, StringAttr word) {
  printer.printKeywordOrString(word.getValue());
}

// Parses `name value` without a type, or nothing, which is the default `usual`.
template <typename AttrT>
static ParseResult parseUnless(OpAsmParser &parser, AttrT &attribute, StringRef name, AttrT usual, Type type = {}) {
  attribute = usual;
  return failed(parser.parseOptionalKeyword(name)) ? ParseResult(success())
                                                   : parser.parseCustomAttributeWithFallback(attribute, type);
}

ParseResult forge::parseUnless(OpAsmParser &parser, IntegerAttr &attribute, StringRef name, int64_t usual) {
  IntegerAttr absent = parser.getBuilder().getI64IntegerAttr(usual);
  return ::parseUnless(parser, attribute, name, absent, absent.getType());
}

ParseResult forge::parseUnless(OpAsmParser &parser, DenseI64ArrayAttr &attribute, StringRef name,
                               std::initializer_list<int64_t> usual) {
  return ::parseUnless(parser, attribute, name, parser.getBuilder().getDenseI64ArrayAttr(usual));
}

void forge::printUnless(OpAsmPrinter &printer, Operation *, IntegerAttr attribute, StringRef name, int64_t usual) {
  if (attribute.getInt() != usual)
    printer << ' ' << name << ' ' << attribute.getInt();
}

void forge::printUnless(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr attribute, StringRef name,
                        std::initializer_list<int64_t> usual) {
  if (attribute.asArrayRef() == ArrayRef<int64_t>(usual))
    return;
  printer << ' ' << name << ' ';
  attribute.print(printer);
}

ParseResult forge::parseRange(OpAsmParser &parser, IntegerAttr &start, IntegerAttr &stop, IntegerAttr &stride) {
  int64_t first, end, step = 1;
  if (parser.parseLSquare() || parser.parseInteger(first) || parser.parseColon() || parser.parseInteger(end) ||
      (succeeded(parser.parseOptionalColon()) && failed(parser.parseInteger(step))))
    return failure();
  start = parser.getBuilder().getI64IntegerAttr(first);
  stop = parser.getBuilder().getI64IntegerAttr(end);
  stride = parser.getBuilder().getI64IntegerAttr(step);
  return parser.parseRSquare();
}

static void printRange(OpAsmPrinter &printer, int64_t start, int64_t stop, int64_t stride) {
  printer << '[' << start << ':' << stop;
  if (stride != 1)
    printer << ':' << stride;
  printer << ']';
}

void forge::printRange(OpAsmPrinter &printer, Operation *, IntegerAttr start, IntegerAttr stop, IntegerAttr stride) {
  ::printRange(printer, start.getInt(), stop.getInt(), stride.getInt());
}

ParseResult forge::parseRanges(OpAsmParser &parser, DenseI64ArrayAttr &axes, DenseI64ArrayAttr &begin,
                               DenseI64ArrayAttr &end, DenseI64ArrayAttr &strides) {
  SmallVector<int64_t> lists[4];
  while (succeeded(parser.parseOptionalKeyword("dim"))) {
    int64_t axis;
    IntegerAttr start, stop, stride;
    if (parser.parseInteger(axis) || parseRange(parser, start, stop, stride))
      return failure();
    int64_t values[] = {axis, start.getInt(), stop.getInt(), stride.getInt()};
    for (auto [list, value] : llvm::zip_equal(lists, values))
      list.push_back(value);
  }
  Builder &builder = parser.getBuilder();
  axes = builder.getDenseI64ArrayAttr(lists[0]);
  begin = builder.getDenseI64ArrayAttr(lists[1]);
  end = builder.getDenseI64ArrayAttr(lists[2]);
  strides = builder.getDenseI64ArrayAttr(lists[3]);
  return success();
}

void forge::printRanges(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr axes, DenseI64ArrayAttr begin,
                        DenseI64ArrayAttr end, DenseI64ArrayAttr strides) {
  // The lists have the same length if the op is valid. Invalid ops are printed only if verification is disabled.
  for (auto [axis, start, stop, stride] :
       llvm::zip(axes.asArrayRef(), begin.asArrayRef(), end.asArrayRef(), strides.asArrayRef())) {
    printer << " dim " << axis << ' ';
    ::printRange(printer, start, stop, stride);
  }
}

ParseResult forge::parseAllTypes(OpAsmParser &parser, ArrayRef<Type *> types) {
  SMLoc location = parser.getCurrentLocation();
  Type type;
  if (failed(parser.parseType(type)))
    return failure();
  auto function = dyn_cast<FunctionType>(type);
  if (!function) {
    for (Type *each : types)
      *each = type;
    return success();
  }
  size_t operands = types.size() - 1;
  if (function.getNumInputs() != operands || function.getNumResults() != 1)
    return parser.emitError(location, "expected the type of all operands and the result, or a function type of ")
           << operands << " operands and 1 result, but got " << function;
  for (auto [each, given] : llvm::zip_equal(types.drop_back(), function.getInputs()))
    *each = given;
  *types.back() = function.getResult(0);
  return success();
}

void forge::printAllTypes(OpAsmPrinter &printer, TypeRange types) {
  if (llvm::all_equal(types))
    printer << types.front();
  else
    printer.printFunctionalType(types.drop_back(), types.take_back());
}
