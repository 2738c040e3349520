//===- forge-translate.cpp - forge modules to Python ----------------------===//

#include "forge/Pipelines/ParsingGuard.h"
#include "forge/Pipelines/Pipelines.h"
#include "forge/Target/Python/ForgeToPython.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  forge::registerForgeDialects(registry);
  forge::registerForgeTranslations();
  if (failed(forge::guardInput(argc, argv, registry)))
    return 1;
  return failed(mlir::mlirTranslateMain(argc, argv, "Forge-MLIR translation\n"));
}
