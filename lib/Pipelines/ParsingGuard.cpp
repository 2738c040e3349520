//===- ParsingGuard.cpp - input that crashes MLIR's reader ----------------===//

#include "forge/Pipelines/ParsingGuard.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

using namespace mlir;

static constexpr rlim_t kMostBytes = rlim_t(8) << 30, kMostSeconds = 30;

// Never returns.
static void parseInChild(const llvm::MemoryBuffer &buffer, const DialectRegistry &registry) {
  for (int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL})
    std::signal(signal, SIG_DFL);
  [[maybe_unused]] rlimit memory{kMostBytes, kMostBytes};
  rlimit time{kMostSeconds, kMostSeconds}, core{0, 0};
#ifndef __SANITIZE_ADDRESS__ // Its shadow is larger than any limit.
  setrlimit(RLIMIT_AS, &memory);
#endif
  setrlimit(RLIMIT_CPU, &time);
  setrlimit(RLIMIT_CORE, &core);
  int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDERR_FILENO);
  {
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    context.allowUnregisteredDialects();
    ScopedDiagnosticHandler handler(&context, [](Diagnostic &) { return success(); });
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(buffer.getMemBufferRef()), llvm::SMLoc());
    OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  }
  _exit(0); // Invalid input is for the parent to report.
}

static LogicalResult survives(const llvm::MemoryBuffer &buffer, const DialectRegistry &registry) {
  pid_t child = fork();
  if (child == 0)
    parseInChild(buffer, registry);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
    return success();
  llvm::errs() << buffer.getBufferIdentifier() << ": error: cannot be read: it crashes MLIR's parser, or takes more "
               << "than 8 GiB or 30 seconds\n";
  return failure();
}

// What the tool will read from stdin, put back for it; null where it reads none.
static std::unique_ptr<llvm::MemoryBuffer> stdinAgain() {
  if (isatty(STDIN_FILENO))
    return nullptr;
  auto buffer = llvm::MemoryBuffer::getSTDIN();
  int copy = buffer ? memfd_create("stdin", 0) : -1;
  if (copy < 0)
    return nullptr;
  llvm::raw_fd_ostream(copy, /*shouldClose=*/false) << (*buffer)->getBuffer();
  lseek(copy, 0, SEEK_SET);
  dup2(copy, STDIN_FILENO);
  close(copy);
  return std::move(*buffer);
}

LogicalResult forge::guardInput(int argc, char **argv, const DialectRegistry &registry) {
  auto reads = [](StringRef option) {
    return !llvm::is_contained({"h", "help", "help-hidden", "help-list", "version", "show-dialects", "list-passes"},
                               option.ltrim('-'));
  };
  bool fromStdin = true, isOutput = false;
  for (StringRef argument : ArrayRef(argv, argc).drop_front()) {
    if (std::exchange(isOutput, argument == "-o") || argument == "-")
      continue;
    if (argument.starts_with("-")) {
      if (!reads(argument))
        return success();
      continue;
    }
    // What is no file is an option's value, or for the tool to report.
    auto buffer = llvm::MemoryBuffer::getFile(argument);
    if (!buffer)
      continue;
    fromStdin = false;
    if (failed(survives(**buffer, registry)))
      return failure();
  }
  if (!fromStdin)
    return success();
  std::unique_ptr<llvm::MemoryBuffer> buffer = stdinAgain();
  return buffer ? survives(*buffer, registry) : success();
}
