//===- NameTemplate.h - patterns of names in equal layers -------*- C++ -*-===//

#ifndef FORGE_LIB_TARGET_PYTHON_LAYERS_NAMETEMPLATE_H
#define FORGE_LIB_TARGET_PYTHON_LAYERS_NAMETEMPLATE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace forge {

/// The names of one node or weight in each of several equal layers.
using NamesByLayer = llvm::SmallVector<llvm::StringRef>;

/// The Python variable for the layer number.
inline constexpr llvm::StringLiteral kLayerNumber = "n";

/// A pattern that all names of one node or weight match, as Python that computes each name from the layer number.
struct NameTemplate {
  std::string code;  ///< a literal or an f-string of `n`; conditional if the first layer has another name
  std::string stem;  ///< the name without numbers and without the scope of the layer
  std::string scope; ///< the name of that scope: `layer` for "model.layer.3.bias"
  std::string path;  ///< the prefix up to the number, in the first layer: "model.layer.3"
  bool usesNumber = false;
};

/// The numbers of the layers, ascending: those that most of `names` contain, or else 0, 1, 2, ...
std::vector<int64_t> layerNumbers(llvm::ArrayRef<NamesByLayer> names, size_t layers);
/// The template of `names`; nullopt if they differ in more than numbers, or in numbers not affine in `numbers`.
std::optional<NameTemplate> templateOf(const NamesByLayer &names, llvm::ArrayRef<int64_t> numbers);
/// The iterable for `n` in Python: `range(4)`, `range(2, 9)` or `(1, 3, 4)`.
std::string pyNumbers(llvm::ArrayRef<int64_t> numbers);

} // namespace forge

#endif // FORGE_LIB_TARGET_PYTHON_LAYERS_NAMETEMPLATE_H
