// What compiled code may reach: itself, and the mathematical library.
#pragma once
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace fuselage {

/// In place: drops what only looks dangerous (functions that nobody calls and have no body, attributes
/// that would reach LLVM: sections, linkage, inline assembly of a module). Failure, with the op and its
/// place: what would let code do more than compute. That is a call of a function without a body, of one
/// that calls itself, every op of LLVM's dialect that touches memory or a pointer or calls something,
/// inline assembly, pointers made of integers and integers made of pointers.
llvm::Error refuseUnsafe(mlir::ModuleOp module);

/// Of a module in LLVM's dialect: a Failure if it declares a function that is neither one of `ours` nor
/// one of the mathematical library. The process has many more names, and the compiler would find them.
llvm::Error refuseForeignSymbols(mlir::ModuleOp module, const llvm::StringMap<void *> &ours);

} // namespace fuselage
