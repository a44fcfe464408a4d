// Where a line of IR gives names to values.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace fuselage {

/// Names with their sigil, of results ("%0:2 = ..."), of arguments of functions and blocks, and of what loops carry.
/// By the text alone, so that texts that do not parse have names, too.
void forEachDefinition(llvm::StringRef line, llvm::function_ref<void(llvm::StringRef name)> found);

/// The word that a line does something by, "arith.addf"; empty where it does nothing.
llvm::StringRef opWordOf(llvm::StringRef line);

/// Whether the byte before and after [begin, end) of the line belong to no name.
bool isWholeName(llvm::StringRef line, size_t begin, size_t end);

} // namespace fuselage
