//===- NameTemplate.h - names that differ in a number -----------*- C++ -*-===//

#ifndef FORGE_LIB_TARGET_PYTHON_LAYERS_NAMETEMPLATE_H
#define FORGE_LIB_TARGET_PYTHON_LAYERS_NAMETEMPLATE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace forge {

/// The names that something has in each of several equal layers.
using NamesByLayer = llvm::SmallVector<llvm::StringRef>;

/// What Python calls the number of a layer.
inline constexpr llvm::StringLiteral kLayerNumber = "n";

/// What the names of a layer have in common, as Python that gives each from the layer's number.
struct NameTemplate {
  std::string code;  ///< a literal, an f-string of `n`, or one for all layers but the first, which has another name
  std::string stem;  ///< the name without the numbers and without the scope that the layer is
  std::string scope; ///< the name of that scope: `layer` for "model.layer.3.bias"
  std::string path;  ///< all up to the number in the first layer: "model.layer.3"
  bool usesNumber = false;
};

/// The numbers of the layers: what most of `names` count by, or else 0, 1, 2 ... They ascend.
std::vector<int64_t> layerNumbers(llvm::ArrayRef<NamesByLayer> names, size_t layers);
/// The template of `names`; nullopt where something else differs than numbers, or these do not follow `numbers`.
std::optional<NameTemplate> templateOf(const NamesByLayer &names, llvm::ArrayRef<int64_t> numbers);
/// Python for what `n` counts: `range(4)`, `range(2, 9)` or `(1, 3, 4)`.
std::string pyNumbers(llvm::ArrayRef<int64_t> numbers);

} // namespace forge

#endif // FORGE_LIB_TARGET_PYTHON_LAYERS_NAMETEMPLATE_H
