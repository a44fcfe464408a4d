// Makes IR stop where it does what nobody may do.
#pragma once
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// What an assertion's message starts with if it is one of these checks rather than one of the module.
inline constexpr llvm::StringLiteral kCheckMark = "fuselage: ";

/// In place, on functions on tensors: assertions in front of ops that may go wrong while they run,
/// with a message that names the op and its place. Upstream's RuntimeVerifiableOpInterface knows
/// indices, slices, casts and the shapes of structured ops; divisions, vectors that are read and
/// written, sizes, steps of loops and expanded shapes are added. Elementwise ops on tensors become
/// linalg ops, as checks are about elements.
llvm::Error insertChecks(mlir::ModuleOp module);

} // namespace fuselage
