//===- Signal.cpp - the table of its ops ----------------------------------===//

#include "Signal.h"

#include "../RegisterAll.h"

using namespace mlir;
using namespace forge;

void forge::registerSignalOps(OnnxRegistry &registry) {
  registry.add({
      {"DFT", {17, 20}, convertDFT},
      {"STFT", {17}, convertSTFT},
      {"HannWindow", {17}, convertHannWindow},
      {"HammingWindow", {17}, convertHammingWindow},
      {"BlackmanWindow", {17}, convertBlackmanWindow},
      {"MelWeightMatrix", {17}, convertMelWeightMatrix},
  });
}
