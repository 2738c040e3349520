//===- CommandInterpreter.h - the commands of forge-itd ---------*- C++ -*-===//
//
// One command per line; `#` and `//` start a comment:
//
//   root N...                        a new schedule; leaves are numbered from 0
//   split LEAF F [outer]             merge LEAF
//   resize LEAF L R                  swizzle LEAFX LEAFY xor|zshape|cyclic
//   reorder P...                     tile D... [collapse]
//   keep                             equal
//   query extents|alloc|divisible|naive|predicates|map
//   bulk P N S V                     slice SHAPE DIM B E [S]
//   box SHAPE A B                    onnx-split D K
//   layout SHAPE DTYPE               fill OP
//   heads D
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_TOOLS_FORGE_ITD_COMMANDINTERPRETER_H
#define FORGE_TOOLS_FORGE_ITD_COMMANDINTERPRETER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace forge::itd {

/// Runs commands, one per line of arbitrary bytes, and writes one line per answer. An invalid or too large command
/// writes `error: REASON` and changes nothing; execution continues with the next one.
void runCommands(llvm::StringRef lines, llvm::raw_ostream &os);

} // namespace forge::itd

#endif // FORGE_TOOLS_FORGE_ITD_COMMANDINTERPRETER_H
