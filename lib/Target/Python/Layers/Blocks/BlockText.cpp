//===- BlockText.cpp - calls in a form to compare -------------------------===//

#include "Layers/Blocks/BlockText.h"

using namespace mlir;
using namespace forge;

BlockText::BlockText(EmissionPlan &plan, size_t bodies) : plan(plan) {
  for (size_t body = 0; body < bodies; ++body)
    read(body);
}

// The text of a call except for names.
static std::string kindOf(const PlannedCall &call) {
  auto op = cast<ForgeCallOpInterface>(call.op);
  std::string text = (op.getCallee() + (call.node.empty() ? "|" : "|node")).str();
  for (StringRef name : op.getArgumentOrder())
    if (Attribute value = call.op->getInherentAttr(name).value_or(Attribute()))
      text += ("|" + name + "=" + pyAttribute(op, name, value)).str();
  return text + "|" + std::to_string(call.operands.size());
}

void BlockText::read(size_t body) {
  const PlannedBody &text = bodyAt(body);
  llvm::StringMap<size_t> makers;
  for (auto [index, call] : llvm::enumerate(text.calls)) {
    size_t here = lines.size();
    // Constants and calls of methods are never equal to another call.
    bool isPlain = call.op && !isa<ScalarConstantOp>(call.op);
    Line line{body, index, numberOf(isPlain ? kindOf(call) : "line " + std::to_string(here)), {}, {}};
    for (const std::string &operand : call.operands) {
      auto maker = makers.find(operand);
      line.operands.push_back(numberOf(operand));
      line.makers.push_back(maker == makers.end() ? std::nullopt : std::optional(maker->second));
      if (maker != makers.end())
        lines[maker->second].lastRead = here;
    }
    for (const std::string &target : call.targets)
      makers[target] = here;
    lines.push_back(std::move(line));
  }
  for (const std::string &variable : text.returned)
    if (auto maker = makers.find(variable); maker != makers.end())
      lines[maker->second].lastRead = SIZE_MAX;
}

std::optional<std::vector<uint64_t>> BlockText::shapeOf(size_t start, size_t length) const {
  size_t end = start + length;
  if (lines[start].body != lines[end - 1].body)
    return std::nullopt;
  for (size_t i = start; i + 1 < end; ++i)
    if (lines[i].lastRead >= end || lines[i].lastRead == 0)
      return std::nullopt;
  std::vector<uint64_t> result;
  SmallVector<uint64_t> outside;
  for (size_t i = start; i < end; ++i) {
    result.push_back(lines[i].kind);
    for (auto [operand, maker, text] : llvm::zip_equal(lines[i].operands, lines[i].makers, callAt(i).operands)) {
      if (maker && *maker >= start) {
        result.push_back(*maker - start);
        continue;
      }
      auto *known = llvm::find(outside, operand);
      result.push_back(length + 2 * (known - outside.begin()) + isWeightCode(text));
      if (known == outside.end())
        outside.push_back(operand);
    }
  }
  return result;
}
