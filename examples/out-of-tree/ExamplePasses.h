//===- ExamplePasses.h - a pass on forge ops --------------------*- C++ -*-===//

#ifndef EXAMPLEPASSES_H
#define EXAMPLEPASSES_H

namespace example {

/// Registers --example-drop-relu.
void registerPasses();

} // namespace example

#endif // EXAMPLEPASSES_H
