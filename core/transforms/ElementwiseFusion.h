// Merging the payload of elementwise ops into their consumers.
#pragma once
#include "core/transforms/Unlocks.h"

namespace fuselage {

/// Operands that one op may have at most; more would not fit the bindings of most devices.
inline constexpr unsigned kMaxFusedOperands = 16;

/// Why the producer of `operand`, a loose elementwise op, cannot be computed in the payload of the
/// operand's owner; empty if it can.
std::string whyNotMerged(mlir::OpOperand &operand, unsigned maxOperands = kMaxFusedOperands);

/// Merges the producer of `operand` into its owner, both as linalg.generic, in place of the owner;
/// also where the owner reads it more than once. Results of the producer that others read become
/// results of the merged op, which the others then read, if `shareResults`; they must come behind the
/// owner. Returns the merged op. On failure the ops may be generic ops where they had names.
mlir::FailureOr<mlir::linalg::GenericOp> mergeProducer(mlir::RewriterBase &rewriter,
                                                       mlir::OpOperand &operand,
                                                       bool shareResults = false);

} // namespace fuselage
