//===- ParsingGuard.cpp - parses untrusted input in a child process -------===//

#include "forge/Pipelines/ParsingGuard.h"

#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Pipelines/InputFile.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;

static constexpr rlim_t kMostBytes = rlim_t(8) << 30, kMostSeconds = 30;
static constexpr size_t kLongestBlob = 1024; // In digits.
static constexpr size_t kLongestMessage = 400;

namespace {
// The outcome of parsing the input; `Silent` is a failure without a diagnostic.
enum class Outcome { Read, Refused, Silent, Died };
} // namespace

static std::unique_ptr<llvm::MemoryBuffer> viewOf(const llvm::MemoryBuffer &buffer) {
  return llvm::MemoryBuffer::getMemBuffer(buffer.getMemBufferRef());
}

// Limits the process to `most` of a resource, or to its current limit if that is lower.
static void limit(decltype(RLIMIT_CPU) resource, rlim_t most) {
  rlimit known{RLIM_INFINITY, RLIM_INFINITY};
  getrlimit(resource, &known);
  rlim_t least = std::min({most, known.rlim_cur, known.rlim_max});
  rlimit wanted{least, least};
  setrlimit(resource, &wanted);
}

// Does not return. Diagnostics of the parser are written to `said`.
static void parseInChild(const llvm::MemoryBuffer &buffer, const DialectRegistry &registry,
                         [[maybe_unused]] rlim_t mapped, int said) {
  for (int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL})
    std::signal(signal, SIG_DFL);
  std::signal(SIGPIPE, SIG_IGN); // Only the first message is read.
#ifndef __SANITIZE_ADDRESS__     // The shadow memory exceeds any limit.
  limit(RLIMIT_AS, kMostBytes + mapped);
#endif
  limit(RLIMIT_CPU, kMostSeconds);
  limit(RLIMIT_CORE, 0);
  int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDERR_FILENO);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  Outcome outcome = Outcome::Silent;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return success();
    outcome = Outcome::Refused;
    std::string text = diagnostic.str();
    [[maybe_unused]] ssize_t written = write(said, text.data(), std::min(text.size(), kLongestMessage));
    return success();
  });
  if (forge::parseModule(viewOf(buffer), &context))
    outcome = Outcome::Read;
  _exit(static_cast<int>(outcome));
}

static Outcome tryToRead(const llvm::MemoryBuffer &buffer, const DialectRegistry &registry, rlim_t mapped,
                         std::string *said = nullptr) {
  int ends[2];
  if (pipe(ends) != 0)
    return Outcome::Refused;
  pid_t child = fork();
  if (child == 0)
    parseInChild(buffer, registry, mapped, ends[1]);
  close(ends[1]);
  char text[kLongestMessage];
  ssize_t length = child < 0 ? 0 : read(ends[0], text, sizeof(text));
  if (said && length > 0)
    said->assign(text, length);
  close(ends[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child)
    return Outcome::Refused;
  return WIFEXITED(status) ? static_cast<Outcome>(WEXITSTATUS(status)) : Outcome::Died;
}

// The text without the hexadecimal digits of long blobs at its end: they take most of the parsing time and cannot crash
// the parser. Null if there are none.
static std::unique_ptr<llvm::MemoryBuffer> withoutBlobs(const llvm::MemoryBuffer &buffer) {
  StringRef text = buffer.getBuffer();
  std::string kept;
  size_t copied = 0;
  for (size_t at = text.find("{-#"); at != StringRef::npos && (at = text.find("\"0x", at)) != StringRef::npos;) {
    size_t begin = at + 3;
    at = text.find('"', begin);
    StringRef digits = text.slice(begin, at);
    if (digits.size() <= kLongestBlob || !llvm::all_of(digits, llvm::isHexDigit))
      continue;
    // Keeps the first eight digits, which are the alignment.
    kept += text.slice(copied, begin + 8);
    copied = at;
  }
  if (copied == 0)
    return nullptr;
  kept += text.substr(copied);
  return llvm::MemoryBuffer::getMemBufferCopy(kept, buffer.getBufferIdentifier());
}

LogicalResult forge::guardInput(const llvm::MemoryBuffer &buffer, const DialectRegistry &registry) {
  Outcome outcome = Outcome::Refused;
  std::string said;
  if (!isBytecode(buffer))
    if (std::unique_ptr<llvm::MemoryBuffer> program = withoutBlobs(buffer))
      outcome = tryToRead(*program, registry, buffer.getBufferSize());
  // Input that does not parse without its blobs may parse with them.
  if (outcome == Outcome::Refused || outcome == Outcome::Silent)
    outcome = tryToRead(buffer, registry, buffer.getBufferSize(), &said);
  // The bytecode reader may corrupt memory before it fails, so that this process does not read such a file.
  if (outcome == Outcome::Refused && isBytecode(buffer) && !said.empty()) {
    llvm::errs() << buffer.getBufferIdentifier() << ": error: " << escaped(said) << "\n";
    return failure();
  }
  if (outcome == Outcome::Read ||
      outcome == Outcome::Refused) // The tool parses it again and reports MLIR's diagnostics.
    return success();
  llvm::errs() << buffer.getBufferIdentifier() << ": error: cannot be read: "
               << (outcome == Outcome::Silent ? "MLIR's parser refuses it without a reason; it is damaged\n"
                                              : "it crashes MLIR's parser, or takes more than 8 GiB or 30 seconds\n");
  return failure();
}
