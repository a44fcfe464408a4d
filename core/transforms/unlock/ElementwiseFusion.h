// Merging the payload of elementwise ops into their consumers.
#pragma once
#include "core/transforms/unlock/LinalgUtils.h"

namespace fuselage {

/// Operands that one op may have at most; more would not fit the bindings of most devices.
inline constexpr unsigned kMaxFusedOperands = 16;

/// Operations that a merged payload may have at most. Registers are long spilled by then, and what the
/// later passes and the device's compiler do grows faster than the payload.
inline constexpr unsigned kMaxMergedOperations = 1024;

/// Operations of a payload that may be repeated rather than stored.
inline constexpr unsigned kMaxRepeatedOperations = 4;

/// Whether computing the op again costs less than storing it: few operations, none of them a division
/// or a function such as exp.
bool isCheapToRepeat(mlir::linalg::LinalgOp op, unsigned maxOperations = kMaxRepeatedOperations);

/// Why the producer of `operand`, an elementwise op outside of dispatches, cannot be computed in the payload of the
/// operand's owner; empty if it can. An owner that reads it in several ways, as in x + transposed x,
/// computes it once for each: only what is cheap may be.
std::string whyNotMerged(mlir::OpOperand &operand, unsigned maxOperands = kMaxFusedOperands);

/// Why the merged op cannot hand the producer's value on to others; empty if it can. It computes the
/// value once for each of its own iterations, and no two of them may write the same element.
std::string whyNotShared(mlir::OpOperand &operand);

/// Merges the producer of `operand` into its owner, both as linalg.generic, in place of the owner;
/// also where the owner reads it more than once: what is read alike is computed once. Results of the
/// producer that others read become results of the merged op, which the others then read, if
/// `shareResults`; they must come after the owner, and whyNotShared must say nothing. Returns the
/// merged op. On failure the ops may be generic ops where they had names.
mlir::FailureOr<mlir::linalg::GenericOp> mergeProducer(mlir::RewriterBase &rewriter, mlir::OpOperand &operand,
                                                       bool shareResults = false);

} // namespace fuselage
