//===- CommandInterpreter.cpp - the commands of forge-itd -----------------===//

#include "CommandInterpreter.h"

#include "Words.h"
#include "forge/IterDomain/BulkAccess.h"
#include "forge/IterDomain/Equivalence.h"
#include "forge/IterDomain/PaddingState.h"
#include "forge/IterDomain/PositionCursor.h"
#include "forge/IterDomain/Predicates.h"
#include "forge/IterDomain/TileLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstdio>

namespace forge::itd {

namespace {

std::string joined(llvm::ArrayRef<int64_t> values, llvm::StringRef separator) {
  return llvm::join(llvm::map_range(values, [](int64_t value) { return std::to_string(value); }), separator);
}

/// Uses snprintf, because LLVM's format prints infinities in upper case.
std::string decimals(double value, int digits) {
  char text[512];
  std::snprintf(text, sizeof(text), "%.*f", digits, std::isnan(value) ? std::abs(value) : value);
  return text;
}

/// The output of a command; empty if it has none.
using Answer = llvm::Expected<std::string>;

class CommandInterpreter {
public:
  Answer run(Words words);

private:
  Answer done(llvm::Error failed) { return failed ? Answer(std::move(failed)) : Answer(std::string()); }
  llvm::Expected<TensorDomain *> schedule() {
    if (!current)
      return error("there is no schedule yet: begin with root or tile");
    return &*current;
  }
  Answer begin(llvm::Expected<TensorDomain> made) {
    if (!made)
      return made.takeError();
    current = std::move(*made);
    return std::string();
  }

  Answer root(Words words);
  Answer tile(Words words);
  Answer split(Words words);
  Answer merge(Words words);
  Answer resize(Words words);
  Answer swizzle(Words words);
  Answer reorder(Words words);
  Answer keep(Words words);
  Answer equal(Words words);
  Answer query(Words words);
  Answer bulk(Words words);
  Answer slice(Words words);
  Answer box(Words words);
  Answer onnxSplit(Words words);
  Answer layout(Words words);
  Answer fill(Words words);
  Answer heads(Words words);

  struct Command {
    llvm::StringRef name, usage;
    size_t least, most; ///< words after the name
    Answer (CommandInterpreter::*run)(Words);
  };
  static llvm::ArrayRef<Command> commands();

  std::optional<TensorDomain> current;
  std::optional<TensorDomain> kept, keptBefore;
};

constexpr size_t kMany = std::numeric_limits<size_t>::max();

llvm::ArrayRef<CommandInterpreter::Command> CommandInterpreter::commands() {
  static const Command table[] = {
      {"root", "N...", 1, kMany, &CommandInterpreter::root},
      {"tile", "D... [collapse]", 1, kMany, &CommandInterpreter::tile},
      {"split", "LEAF F [outer]", 2, 3, &CommandInterpreter::split},
      {"merge", "LEAF", 1, 1, &CommandInterpreter::merge},
      {"resize", "LEAF L R", 3, 3, &CommandInterpreter::resize},
      {"swizzle", "LEAFX LEAFY KIND", 3, 3, &CommandInterpreter::swizzle},
      {"reorder", "P...", 1, kMany, &CommandInterpreter::reorder},
      {"keep", "", 0, 0, &CommandInterpreter::keep},
      {"equal", "", 0, 0, &CommandInterpreter::equal},
      {"query", "extents|alloc|divisible|naive|predicates|map", 1, 1, &CommandInterpreter::query},
      {"bulk", "P N S V", 4, 4, &CommandInterpreter::bulk},
      {"slice", "SHAPE DIM B E [S]", 4, 5, &CommandInterpreter::slice},
      {"box", "SHAPE A B", 3, 3, &CommandInterpreter::box},
      {"onnx-split", "D K", 2, 2, &CommandInterpreter::onnxSplit},
      {"layout", "SHAPE DTYPE", 2, 2, &CommandInterpreter::layout},
      {"fill", "OP", 1, 1, &CommandInterpreter::fill},
      {"heads", "D", 1, 1, &CommandInterpreter::heads},
  };
  return table;
}

Answer CommandInterpreter::run(Words words) {
  const auto *command = llvm::find_if(commands(), [&](const Command &c) { return c.name == words.front(); });
  if (command == commands().end())
    return error("unknown command " + quoted(words.front()));
  words = words.drop_front();
  if (words.size() < command->least || words.size() > command->most)
    return error("expected " + llvm::StringRef((command->name + " " + command->usage).str()).rtrim() + ", but got " +
                 llvm::Twine(words.size()) + " arguments");
  return (this->*command->run)(words);
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

Answer CommandInterpreter::root(Words words) {
  auto extents = parseList<Extent>(words);
  if (!extents)
    return extents.takeError();
  return begin(TensorDomain::create(*extents));
}

Answer CommandInterpreter::tile(Words words) {
  bool collapse = words.back() == "collapse";
  auto extents = parseList<Extent>(words.drop_back(collapse));
  if (!extents)
    return extents.takeError();
  return begin(TensorDomain::tiled(*extents, Tile(),
                                   collapse ? PadConvention::CollapseThenPad : PadConvention::PadThenCollapse));
}

Answer CommandInterpreter::split(Words words) {
  size_t leaf;
  int64_t factor;
  if (llvm::Error failed = parseAll(words, leaf, factor))
    return failed;
  if (words.size() == 3 && words[2] != "outer")
    return error("expected outer, but got " + quoted(words[2]));
  auto domain = schedule();
  return domain ? done((*domain)->split(leaf, factor, /*inner=*/words.size() == 2)) : domain.takeError();
}

Answer CommandInterpreter::merge(Words words) {
  size_t leaf;
  if (llvm::Error failed = parseAll(words, leaf))
    return failed;
  auto domain = schedule();
  return domain ? done((*domain)->merge(leaf)) : domain.takeError();
}

Answer CommandInterpreter::resize(Words words) {
  size_t leaf;
  int64_t left, right;
  if (llvm::Error failed = parseAll(words, leaf, left, right))
    return failed;
  auto domain = schedule();
  return domain ? done((*domain)->resize(leaf, left, right)) : domain.takeError();
}

Answer CommandInterpreter::swizzle(Words words) {
  size_t x, y;
  SwizzleKind kind;
  if (llvm::Error failed = parseAll(words, x, y, kind))
    return failed;
  auto domain = schedule();
  return domain ? done((*domain)->swizzle(x, y, kind)) : domain.takeError();
}

Answer CommandInterpreter::reorder(Words words) {
  auto permutation = parseList<size_t>(words);
  if (!permutation)
    return permutation.takeError();
  auto domain = schedule();
  return domain ? done((*domain)->reorder(*permutation)) : domain.takeError();
}

Answer CommandInterpreter::keep(Words) {
  auto domain = schedule();
  if (!domain)
    return domain.takeError();
  keptBefore = std::move(kept);
  kept = **domain;
  return std::string();
}

//===----------------------------------------------------------------------===//
// Queries about schedules
//===----------------------------------------------------------------------===//

Answer CommandInterpreter::equal(Words) {
  if (!keptBefore)
    return error("equal needs two kept schedules");
  EquivResult result = equivalent(*keptBefore, *kept);
  switch (result.kind) {
  case Equiv::Yes: return "equal: yes";
  case Equiv::ModuloPadding: return "equal: modulo-holes";
  case Equiv::No: return "equal: no (" + result.reason + ")";
  case Equiv::Unknown: return error("cannot compare: " + result.reason);
  }
  llvm_unreachable("unknown result");
}

Answer allocAnswer(const TensorDomain &domain) {
  auto allocated = allocationSize(domain);
  if (!allocated)
    return allocated.takeError();
  auto logical = logicalSize(domain);
  if (!logical)
    return logical.takeError();
  double ratio = static_cast<double>(*allocated) / static_cast<double>(*logical);
  return llvm::formatv("alloc: {0} logical: {1} holes: {2} ratio: {3}", *allocated, *logical, *allocated - *logical,
                       decimals(ratio, 4))
      .str();
}

std::string divisibleAnswer(const TensorDomain &domain) {
  std::string text;
  for (const Expr &expr : domain.graph.exprs())
    if (const auto *split = std::get_if<Split>(&expr))
      text += isDivisible(domain.graph, *split) == Tri::Yes ? " yes" : " no";
  return "divisible:" + (text.empty() ? " none" : text);
}

Answer CommandInterpreter::query(Words words) {
  auto domain = schedule();
  if (!domain)
    return domain.takeError();
  const TensorDomain &d = **domain;
  llvm::StringRef what = words[0];
  if (what == "extents")
    return "extents: " + shapeString(d.extents(d.allocation));
  if (what == "alloc")
    return allocAnswer(d);
  if (what == "divisible")
    return divisibleAnswer(d);
  if (what == "naive")
    return "naive: " + predicateString(d, naivePredicates(d));
  if (what == "predicates")
    return "predicates: " + predicateString(d, minimalPredicates(d));
  if (what == "map") {
    auto map = bufferMap(d);
    return map ? Answer(map->empty() ? "map:" : "map: " + *map) : map.takeError();
  }
  return error("expected query extents, alloc, divisible, naive, predicates or map, but got " + quoted(what));
}

//===----------------------------------------------------------------------===//
// Queries without a schedule
//===----------------------------------------------------------------------===//

Answer CommandInterpreter::bulk(Words words) {
  int64_t count, length, stride, width;
  if (llvm::Error failed = parseAll(words, count, length, stride, width))
    return failed;
  auto verdict = canBulkAccess({count, length}, {stride, 1}, width);
  if (!verdict)
    return verdict.takeError();
  switch (verdict->kind) {
  case BulkVerdict::Legal: return "bulk: legal";
  case BulkVerdict::LegalWithTail: return "bulk: legal-with-tail-predicate";
  case BulkVerdict::Illegal:
    return llvm::formatv("bulk: illegal (box {0} crosses a row at element {1})", verdict->firstBadBox,
                         verdict->crossingElement)
        .str();
  }
  llvm_unreachable("unknown verdict");
}

Answer CommandInterpreter::slice(Words words) {
  llvm::SmallVector<int64_t> shape;
  int64_t axis;
  SliceSpec slice{};
  if (llvm::Error failed = parseAll(words, shape, axis, slice.begin, slice.end, slice.step))
    return failed;
  if (words.size() == 4)
    slice.step = 1;
  auto report = classifySlice(shape, axis, slice, *elementFormat("bf16"));
  if (!report)
    return report.takeError();
  return llvm::formatv("slice: {0} -> {1} holes: {2}", name(report->sliceClass), joined(report->shape, "x"),
                       report->padding)
      .str();
}

Answer CommandInterpreter::box(Words words) {
  llvm::SmallVector<int64_t> shape;
  int64_t begin, end;
  if (llvm::Error failed = parseAll(words, shape, begin, end))
    return failed;
  auto found = intervalAsBox(shape, begin, end);
  if (!found)
    return found.takeError();
  if (!*found)
    return "box: none";
  std::string text = "box:";
  for (auto [lo, hi] : llvm::zip_equal((*found)->lo, (*found)->hi))
    text += llvm::formatv(" [{0},{1})", lo, hi);
  return text;
}

Answer CommandInterpreter::onnxSplit(Words words) {
  int64_t dim, parts;
  if (llvm::Error failed = parseAll(words, dim, parts))
    return failed;
  auto sizes = onnxSplitSizes(dim, parts);
  return sizes ? "sizes: " + joined(*sizes, " ") : "sizes: error: " + llvm::toString(sizes.takeError());
}

Answer CommandInterpreter::layout(Words words) {
  llvm::SmallVector<int64_t> shape;
  ElementFormat format{};
  if (llvm::Error failed = parseAll(words, shape, format))
    return failed;
  auto report = layoutReport(shape, format);
  if (!report)
    return report.takeError();
  return llvm::formatv("layout: padded {0} tiles {1} bytes {2} holes {3} ({4}%) ratio {5}", joined(report->padded, "x"),
                       report->tiles, report->bytes, report->padding, decimals(report->paddingPercent, 2),
                       decimals(report->ratio, 4))
      .str();
}

Answer CommandInterpreter::fill(Words words) {
  Consumer reader;
  if (llvm::Error failed = parseAll(words, reader))
    return failed;
  return "fill: " + requiredFill(reader, *elementFormat("bf16")).str();
}

Answer CommandInterpreter::heads(Words words) {
  int64_t size;
  if (llvm::Error failed = parseAll(words, size))
    return failed;
  auto heads = headAlignment(size);
  if (!heads)
    return heads.takeError();
  return llvm::formatv("heads: D={0} aligned-every {1} pad-to {2} overhead {3}", size, heads->alignedEvery,
                       heads->padTo, decimals(heads->overhead, 3))
      .str();
}

} // namespace

void runCommands(llvm::StringRef lines, llvm::raw_ostream &os) {
  CommandInterpreter interpreter;
  while (!lines.empty()) {
    auto [line, rest] = lines.split('\n');
    lines = rest;
    line = line.take_front(std::min(line.find('#'), line.find("//")));
    llvm::SmallVector<llvm::StringRef> words;
    llvm::SplitString(line, words, " \t\r\v\f");
    if (words.empty())
      continue;
    Answer answer = interpreter.run(words);
    if (!answer)
      os << "error: " << llvm::toString(answer.takeError()) << '\n';
    else if (!answer->empty())
      os << *answer << '\n';
  }
}

} // namespace forge::itd
