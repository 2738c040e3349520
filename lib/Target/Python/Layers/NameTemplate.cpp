//===- NameTemplate.cpp - patterns of names in equal layers ---------------===//

#include "Layers/NameTemplate.h"

#include "forge/Support/PyLiteral.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <numeric>
#include <set>

using namespace llvm;
using namespace forge;

// Splits a name into alternating text and digits: "a1b23" into "a", "1", "b", "23", "".
static SmallVector<StringRef> splitNumbers(StringRef name) {
  SmallVector<StringRef> result;
  while (true) {
    result.push_back(name.take_until(isDigit));
    name = name.drop_front(result.back().size());
    if (name.empty())
      return result;
    result.push_back(name.take_while(isDigit));
    name = name.drop_front(result.back().size());
  }
}

// The parts of each name; empty if the names differ in more than their numbers.
static SmallVector<SmallVector<StringRef>> splitAll(const NamesByLayer &names) {
  SmallVector<SmallVector<StringRef>> result = map_to_vector(names, [](StringRef name) { return splitNumbers(name); });
  for (ArrayRef<StringRef> other : result) {
    if (other.size() != result.front().size())
      return {};
    for (size_t i = 0; i < other.size(); i += 2)
      if (other[i] != result.front()[i])
        return {};
  }
  return result;
}

// Part `at` of each name as a number; empty if one has leading zeros or too many digits.
static std::vector<int64_t> column(ArrayRef<SmallVector<StringRef>> rows, size_t at) {
  std::vector<int64_t> result;
  for (ArrayRef<StringRef> row : rows) {
    int64_t number;
    if (row[at].size() > 9 || (row[at].size() > 1 && row[at].front() == '0') || row[at].getAsInteger(10, number))
      return {};
    result.push_back(number);
  }
  return result;
}

static bool isSame(ArrayRef<SmallVector<StringRef>> rows, size_t at) {
  return all_of(rows, [&](ArrayRef<StringRef> row) { return row[at] == rows.front()[at]; });
}

// Whether part `at` ends a component of a path, as in "layer.3.bias".
static bool endsComponent(ArrayRef<StringRef> row, size_t at) {
  return at + 1 < row.size() && (row[at + 1].starts_with("/") || row[at + 1].starts_with("."));
}

std::vector<int64_t> forge::layerNumbers(ArrayRef<NamesByLayer> names, size_t layers) {
  // The votes of a number in a path. Other numbers may just count nodes of one kind.
  constexpr size_t kPathVotes = 100;
  std::map<std::vector<int64_t>, size_t> votes;
  std::set<std::vector<StringRef>> seen;
  for (const NamesByLayer &each : names) {
    if (!seen.insert({each.begin(), each.end()}).second)
      continue;
    auto rows = splitAll(each);
    for (size_t at = 1; !rows.empty() && at < rows.front().size(); at += 2) {
      std::vector<int64_t> numbers = column(rows, at);
      if (!numbers.empty() &&
          std::adjacent_find(numbers.begin(), numbers.end(), std::greater_equal<>()) == numbers.end())
        votes[numbers] += endsComponent(rows.front(), at) ? kPathVotes : 1;
    }
  }
  std::vector<int64_t> best(layers);
  std::iota(best.begin(), best.end(), 0);
  size_t most = 1; // A single vote decides nothing.
  for (const auto &[numbers, count] : votes)
    // For votes of other names, only numbers that increase by one are accepted.
    if (count > most && (count >= kPathVotes || numbers.back() - numbers.front() + 1 == int64_t(layers))) {
      most = count;
      best = numbers;
    }
  return best;
}

// The Python expression a * n + b that gives `values` for `numbers`; "" if there is none.
static std::string affine(ArrayRef<int64_t> values, ArrayRef<int64_t> numbers) {
  int64_t step = numbers[1] - numbers[0], rise = values[1] - values[0];
  if (rise % step != 0)
    return "";
  int64_t a = rise / step, b = values[0] - a * numbers[0];
  for (auto [value, number] : zip_equal(values, numbers))
    if (value != a * number + b)
      return "";
  std::string text = (a == 1 ? "" : std::to_string(a) + " * ") + kLayerNumber.str();
  return b == 0 ? text : text + (b > 0 ? " + " : " - ") + std::to_string(std::abs(b));
}

// Escapes text of a name for use in an f-string.
static std::string inFString(StringRef text) {
  std::string doubled;
  for (char c : text)
    doubled += (c == '{' || c == '}') ? std::string(2, c) : std::string(1, c);
  return StringRef(pyString(doubled)).drop_front().drop_back().str();
}

static std::optional<NameTemplate> regularTemplate(const NamesByLayer &names, ArrayRef<int64_t> numbers) {
  if (all_equal(names))
    return NameTemplate{pyString(names.front()), names.front().str(), "", "", false};
  auto rows = splitAll(names);
  if (rows.empty())
    return std::nullopt;
  ArrayRef<StringRef> first = rows.front();
  NameTemplate result{"f\"", "", "", "", true};
  for (size_t at = 0; at < first.size(); ++at) {
    if (at % 2 == 0 || isSame(rows, at)) {
      result.code += inFString(first[at]);
      result.stem += first[at];
      continue;
    }
    std::vector<int64_t> values = column(rows, at);
    std::string number = values.empty() ? "" : affine(values, numbers);
    if (number.empty())
      return std::nullopt;
    result.code += "{" + number + "}";
    // A number that ends a component of a path is that of the layer: the components up to it are the same for all its
    // names.
    if (endsComponent(first, at) && ArrayRef(values) == numbers) {
      StringRef before = StringRef(result.stem).rtrim("./_");
      result.scope = before.substr(before.find_last_of("./") + 1).str();
      result.stem.clear();
      result.path = names.front().take_front(first[at].end() - names.front().begin()).str();
    }
  }
  result.code += "\"";
  return result;
}

static std::string withoutNumber(StringRef name) {
  std::string result;
  copy_if(name, std::back_inserter(result), [](char c) { return !isDigit(c) && c != '_'; });
  return result;
}

std::optional<NameTemplate> forge::templateOf(const NamesByLayer &names, ArrayRef<int64_t> numbers) {
  std::optional<NameTemplate> found = regularTemplate(names, numbers);
  if (found || withoutNumber(names[0]) != withoutNumber(names[1]))
    return found;
  // Exporters leave out the first number, "Mul", "Mul_1", "Mul_2", and the first layer may have additional nodes.
  found = regularTemplate(NamesByLayer(drop_begin(names)), numbers.drop_front());
  if (found)
    *found = {(Twine(found->code) + " if " + kLayerNumber +
               (numbers.front() == 0 ? "" : " != " + std::to_string(numbers.front())) + " else " +
               pyString(names.front()))
                  .str(),
              found->stem, "", "", true};
  return found;
}

std::string forge::pyNumbers(ArrayRef<int64_t> numbers) {
  for (auto [i, number] : enumerate(numbers))
    if (number != numbers.front() + static_cast<int64_t>(i))
      return pyTuple(numbers);
  std::string from = numbers.front() == 0 ? "" : std::to_string(numbers.front()) + ", ";
  return "range(" + from + std::to_string(numbers.back() + 1) + ")";
}
