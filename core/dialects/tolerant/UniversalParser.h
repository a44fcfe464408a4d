// Reads the custom assembly of any op, and prints it as it was read.
#pragma once
#include "mlir/IR/OpImplementation.h"

namespace fuselage {

/// The hook of tolerant dialects (Dialect::getParseOperationHook). What it keeps of an op is told in
/// TolerantOp.h, how it guesses in the files that implement it:
///   OpEnd.cpp            where an op ends
///   UniversalParser.cpp  tokens
///   NamedValues.cpp      names of attributes, groups of operands
///   Braces.cpp           what a '{' opens
///   RegionArguments.cpp  which names in parentheses are arguments of a region
///   Signature.cpp        functions
///   ValueTypes.cpp       types of operands and results
mlir::ParseResult parseUniversally(mlir::OpAsmParser &parser, mlir::OperationState &state);

/// Prints what follows the op's name as the user wrote it, with today's names of values. An empty
/// function (the op then prints in generic form) for an op that the universal parser did not make;
/// for one that has changed so that the text no longer fits, a printer of its generic form without
/// the stale text.
llvm::unique_function<void(mlir::Operation *, mlir::OpAsmPrinter &)> tolerantPrinter(mlir::Operation *op);

} // namespace fuselage
