//===- Image.cpp - the table of image ops ---------------------------------===//

#include "Image.h"

#include "../RegisterAll.h"

using namespace mlir;
using namespace forge;

void forge::registerImageOps(OnnxRegistry &registry) {
  registry.add({
      {"GridSample", {16, 20, 22}, convertGridSample},
      {"AffineGrid", {20}, convertAffineGrid},
      {"Col2Im", {18}, convertCol2Im},
      {"DeformConv", {19, 22}, convertDeformConv},
      {"RoiAlign", {10, 16, 22}, convertRoiAlign},
      {"MaxRoiPool", {1, 22}, convertMaxRoiPool},
  });
}
