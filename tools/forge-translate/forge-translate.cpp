//===- forge-translate.cpp - forge modules to Python ----------------------===//

#include "forge/Target/Python/ForgeToPython.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int main(int argc, char **argv) {
  forge::registerForgeTranslations();
  return failed(mlir::mlirTranslateMain(argc, argv, "Forge-MLIR translation\n"));
}
