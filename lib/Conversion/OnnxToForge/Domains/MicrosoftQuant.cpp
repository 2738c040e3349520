//===- MicrosoftQuant.cpp - ops on quantised operands ---------------------===//

#include "Microsoft.h"

void forge::registerMicrosoftQuantOps(OnnxRegistry &) {}
