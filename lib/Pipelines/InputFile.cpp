//===- InputFile.cpp - reads untrusted MLIR files -------------------------===//

#include "forge/Pipelines/InputFile.h"

#include "forge/Pipelines/ParsingGuard.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static constexpr llvm::StringLiteral kHexElements = "dense<\"0x";

namespace {
/// The digits of one `dense<"0x...">` literal, and its number of booleans.
struct BoolLiteral {
  size_t begin, digits;
  int64_t elements;
};
} // namespace

// The number of elements of `: tensor<AxBxi1>` at the beginning of `text`; nullopt for another type.
static std::optional<int64_t> countBools(StringRef text) {
  text = text.ltrim();
  if (!text.consume_front(":"))
    return std::nullopt;
  text = text.ltrim();
  if (!text.consume_front("tensor<"))
    return std::nullopt;
  int64_t elements = 1, size;
  while (!text.consume_front("i1>"))
    if (text.consumeInteger(10, size) || size < 0 || llvm::MulOverflow(elements, size, elements) ||
        !text.consume_front("x"))
      return std::nullopt;
  return elements;
}

// The next literal, at or after `from`, that has one byte per boolean.
static std::optional<BoolLiteral> nextBools(StringRef text, size_t from) {
  while ((from = text.find(kHexElements, from)) != StringRef::npos) {
    size_t begin = from + kHexElements.size();
    from = text.find('"', begin);
    if (from == StringRef::npos)
      return std::nullopt;
    StringRef digits = text.slice(begin, from), rest = text.substr(from + 1);
    // One byte is a splat in both formats.
    if (digits.size() <= 2 || !rest.consume_front(">"))
      continue;
    std::optional<int64_t> elements = countBools(rest);
    if (elements && static_cast<size_t>(*elements) == digits.size() / 2 && llvm::all_of(digits, llvm::isHexDigit))
      return BoolLiteral{begin, digits.size(), *elements};
  }
  return std::nullopt;
}

// Overwrites the digits with one bit per element, and the rest and the closing quote with spaces.
static void packBools(char *digits, const BoolLiteral &literal) {
  std::string packed((literal.elements + 7) / 8, '\0');
  for (int64_t i = 0; i < literal.elements; ++i)
    if (digits[2 * i] != '0' || digits[2 * i + 1] != '0')
      packed[i / 8] |= static_cast<char>(1 << (i % 8));
  std::string text = llvm::toHex(packed) + '"';
  text.resize(literal.digits + 1, ' ');
  llvm::copy(text, digits);
}

std::unique_ptr<llvm::MemoryBuffer> forge::adaptText(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  if (isBytecode(*buffer))
    return buffer;
  StringRef text = buffer->getBuffer();
  std::unique_ptr<llvm::WritableMemoryBuffer> adapted;
  for (size_t from = 0; std::optional<BoolLiteral> literal = nextBools(text, from);) {
    if (!adapted) {
      adapted = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(text.size(), buffer->getBufferIdentifier());
      llvm::copy(text, adapted->getBufferStart());
    }
    packBools(adapted->getBufferStart() + literal->begin, *literal);
    from = literal->begin + literal->digits;
  }
  return adapted ? std::move(adapted) : std::move(buffer);
}

std::unique_ptr<llvm::MemoryBuffer> forge::readInput(StringRef filename, const DialectRegistry &registry) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(filename);
  if (!buffer) {
    llvm::errs() << filename << ": error: cannot be read: " << buffer.getError().message() << "\n";
    return nullptr;
  }
  std::unique_ptr<llvm::MemoryBuffer> adapted = adaptText(std::move(*buffer));
  return succeeded(guardInput(*adapted, registry)) ? std::move(adapted) : nullptr;
}

OwningOpRef<ModuleOp> forge::parseModule(std::unique_ptr<llvm::MemoryBuffer> buffer, MLIRContext *context) {
  // Blobs can refer to the buffer only if they share its ownership.
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, ParserConfig(context));
}
