//===- Replies.cpp - what MLIR's language server says, completed ----------===//

#include "Replies.h"

#include "forge/Support/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

using llvm::StringRef;
namespace json = llvm::json;

namespace {
struct OpText {
  const char *name, *text;
};
} // namespace

static const OpText kOpTexts[] = {
#include "OpTexts.inc"
};

// The op in MLIR's hover text, which begins with its quoted name.
static StringRef textOfOp(StringRef hover) {
  if (!hover.consume_front("\""))
    return {};
  StringRef name = hover.take_until([](char c) { return c == '"'; });
  const auto *found = llvm::find_if(kOpTexts, [&](const OpText &op) { return name == op.name; });
  return found == std::end(kOpTexts) ? StringRef() : StringRef(found->text);
}

// Completes a result. Returns whether anything has changed.
static bool complete(json::Object &result) {
  if (json::Object *server = result.getObject("serverInfo")) {
    (*server)["name"] = "forge-lsp-server";
    (*server)["version"] = llvm::formatv("{0} (MLIR {1})", forge::kVersion, forge::kMLIRVersion).str();
    return true;
  }
  json::Object *contents = result.getObject("contents");
  std::optional<StringRef> hover = contents ? contents->getString("value") : std::nullopt;
  StringRef text = hover ? textOfOp(*hover) : StringRef();
  if (text.empty())
    return false;
  (*contents)["value"] = (*hover + "\n\n---\n\n" + text).str();
  return true;
}

std::string forge::completeReply(StringRef message) {
  llvm::Expected<json::Value> value = json::parse(message);
  if (!value) {
    llvm::consumeError(value.takeError());
    return message.str();
  }
  json::Object *reply = value->getAsObject();
  json::Object *result = reply ? reply->getObject("result") : nullptr;
  if (!result || !complete(*result))
    return message.str();
  // Tests request indented output.
  const char *format = message.contains('\n') ? "{0:2}" : "{0}";
  return llvm::formatv(format, *value).str();
}

static void writeAll(int file, StringRef text) {
  while (!text.empty()) {
    ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return; // The editor has exited; the server detects that at its input.
    text = text.drop_front(written);
  }
}

// Relays messages until the input ends. Other output, such as the text of --help, is relayed unchanged.
static void relayMessages(int from, int to) {
  std::FILE *input = fdopen(from, "r");
  char *line = nullptr;
  size_t room = 0, length = 0;
  for (ssize_t size; (size = getline(&line, &room, input)) > 0;) {
    StringRef text(line, size), header = text.rtrim();
    if (!header.consume_front("Content-Length: ") || header.getAsInteger(10, length)) {
      writeAll(to, text);
      continue;
    }
    // An empty line ends the header.
    while ((size = getline(&line, &room, input)) > 0 && !StringRef(line, size).trim().empty())
      ;
    std::string message(length, '\0');
    if (fread(message.data(), 1, length, input) != length)
      break;
    std::string reply = forge::completeReply(message);
    writeAll(to, llvm::formatv("Content-Length: {0}\r\n\r\n{1}", reply.size(), reply).str());
  }
  free(line);
  fclose(input);
}

forge::CompletedReplies::CompletedReplies() {
  llvm::outs(); // Constructed first, so that it is destroyed after this object.
  int ends[2];
  if (pipe(ends) != 0 || (output = dup(STDOUT_FILENO)) < 0)
    return;
  dup2(ends[1], STDOUT_FILENO);
  close(ends[1]);
  relay = std::thread(relayMessages, ends[0], output);
}

forge::CompletedReplies::~CompletedReplies() {
  if (!relay.joinable())
    return;
  llvm::outs().flush();
  // Closes the last writer of the pipe, which ends the relay.
  dup2(output, STDOUT_FILENO);
  relay.join();
  close(output);
}
