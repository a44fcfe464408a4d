// What compiled code may reach: itself, and the mathematical library.
#pragma once
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// In place: drops what only looks dangerous (functions that nobody calls and have no body,
/// attributes that would reach LLVM: sections, linkage, inline assembly of a module). Failure, with
/// the op and its place: what would let code do more than compute. That is a use of a symbol that
/// the module only declares (a function without a body, a global without a value), of a function
/// that calls itself, every op of LLVM's dialect that touches memory or a pointer or calls
/// something, inline assembly, pointers made of integers and integers made of pointers.
llvm::Error refuseUnsafe(mlir::ModuleOp module);

/// The same for a module that passes have lowered to LLVM's dialect, in part or whole, from one that was refused
/// nothing: it may touch memory, by pointers. Inline assembly, intrinsics by name, and what runs when code is loaded
/// are still refused.
llvm::Error refuseUnsafeLowered(mlir::ModuleOp module);

/// A Failure about the first op that makes a number of an address, which tells where the process has its memory.
llvm::Error refuseAddresses(mlir::ModuleOp module);

/// Of a module in LLVM's dialect: a Failure if it declares a global, or a function that is neither one of the runtime's
/// nor one of the mathematical library (HostSymbols.h).
llvm::Error refuseForeignSymbols(mlir::ModuleOp module);

} // namespace fuselage
