//===- Movement.cpp - ONNX ops that move elements -------------------------===//

#include "Movement.h"

#include "../RegisterAll.h"

using namespace mlir;
using namespace forge;

void forge::registerMovementOps(OnnxRegistry &registry) {
  registry.add({
      {"Concat", {1, 4, 11, 13}, convertConcat},
      {"Split", {1, 2, 11, 13, 18}, convertSplit},
      {"Slice", {1, 10, 11, 13}, convertSlice},
      {"Transpose", {1, 13, 21, 23, 24, 25}, convertTranspose},
      {"Expand", {8, 13}, convertExpand},
      {"Tile", {1, 6, 13}, convertTile},
      {"Pad", {1, 2, 11, 13, 18, 19, 21, 23, 24, 25}, convertPad},
      {"CenterCropPad", {18}, convertCenterCropPad},
      {"Trilu", {14}, convertTrilu},
      {"DepthToSpace", {1, 11, 13, 28}, convertDepthToSpace},
      {"SpaceToDepth", {1, 13, 28}, convertSpaceToDepth},
      {"ReverseSequence", {10, 28}, convertReverseSequence},
  });
}
