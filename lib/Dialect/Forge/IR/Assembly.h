//===- Assembly.h - how forge ops are written in text -----------*- C++ -*-===//
//
// The custom directives of the assembly formats that ForgeBase.td generates from the records. The printer of an
// optional part prints the space before it.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_LIB_DIALECT_FORGE_IR_ASSEMBLY_H
#define FORGE_LIB_DIALECT_FORGE_IR_ASSEMBLY_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"

namespace forge {

// custom<Flag>: the name of a boolean attribute that is true; nothing if it is false.
mlir::ParseResult parseFlag(mlir::OpAsmParser &parser, mlir::BoolAttr &flag, llvm::StringRef name);
void printFlag(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::BoolAttr flag, llvm::StringRef name);

// custom<Word>: a word of an enumeration, without quotes if possible.
mlir::ParseResult parseWord(mlir::OpAsmParser &parser, mlir::StringAttr &word);
void printWord(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::StringAttr word);

// custom<Unless>: `name value`; nothing for the default value.
mlir::ParseResult parseUnless(mlir::OpAsmParser &parser, mlir::IntegerAttr &attribute, llvm::StringRef name,
                              int64_t usual);
mlir::ParseResult parseUnless(mlir::OpAsmParser &parser, mlir::DenseI64ArrayAttr &attribute, llvm::StringRef name,
                              std::initializer_list<int64_t> usual);
void printUnless(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::IntegerAttr attribute, llvm::StringRef name,
                 int64_t usual);
void printUnless(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::DenseI64ArrayAttr attribute,
                 llvm::StringRef name, std::initializer_list<int64_t> usual);

// custom<Range>: [start:stop], or [start:stop:stride] if the stride is not 1.
mlir::ParseResult parseRange(mlir::OpAsmParser &parser, mlir::IntegerAttr &start, mlir::IntegerAttr &stop,
                             mlir::IntegerAttr &stride);
void printRange(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::IntegerAttr start, mlir::IntegerAttr stop,
                mlir::IntegerAttr stride);

// custom<Ranges>: `dim axis [begin:end:stride]` for each sliced axis.
mlir::ParseResult parseRanges(mlir::OpAsmParser &parser, mlir::DenseI64ArrayAttr &axes, mlir::DenseI64ArrayAttr &begin,
                              mlir::DenseI64ArrayAttr &end, mlir::DenseI64ArrayAttr &strides);
void printRanges(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::DenseI64ArrayAttr axes,
                 mlir::DenseI64ArrayAttr begin, mlir::DenseI64ArrayAttr end, mlir::DenseI64ArrayAttr strides);

// custom<Types>: a single type if all operands and the result have it, else a function type.
mlir::ParseResult parseAllTypes(mlir::OpAsmParser &parser, llvm::ArrayRef<mlir::Type *> types);
void printAllTypes(mlir::OpAsmPrinter &printer, mlir::TypeRange types);
template <typename... Types>
mlir::ParseResult parseTypes(mlir::OpAsmParser &parser, Types &...types) {
  return parseAllTypes(parser, {&types...});
}
template <typename... Types>
void printTypes(mlir::OpAsmPrinter &printer, mlir::Operation *, Types... types) {
  printAllTypes(printer, {mlir::Type(types)...});
}

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_IR_ASSEMBLY_H
