//===- Program.h - the forge-itd language -----------------------*- C++ -*-===//
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

#ifndef FORGE_ITERDOMAIN_PROGRAM_H
#define FORGE_ITERDOMAIN_PROGRAM_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace forge::itd {

/// Runs a program of any bytes and writes one line per answer. A command that is wrong or too large writes
/// `error: REASON` and changes nothing; the program goes on.
void runProgram(llvm::StringRef program, llvm::raw_ostream &os);

} // namespace forge::itd

#endif // FORGE_ITERDOMAIN_PROGRAM_H
