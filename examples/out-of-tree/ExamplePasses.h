//===- ExamplePasses.h - passes on forge ops ---------------------*- C++ -*-===//

#ifndef EXAMPLEPASSES_H
#define EXAMPLEPASSES_H

namespace example {

/// Registers --example-drop-relu and --example-list-destinations.
void registerPasses();

} // namespace example

#endif // EXAMPLEPASSES_H
