// What kind of node an op is, by its traits and decoder, or by its name where it is of a dialect or
// version that we only read.
#pragma once
#include "core/dialects/decoders/Decoders.h"
#include "core/graph/model/Graph.h"

namespace fuselage {

/// Into which colour and filter class an op falls. Decoded roles decide first. Both registered ops and
/// others then go by name for reshapes (`expand_shape`, `aten.view`, `bitcast`) and slices
/// (`extract_slice`, `concatenate`, `gather`, `subtensor`), and are control flow where they have a region
/// that is no payload.
///
/// Guesses about ops that no dialect here defines, in this order: one with successors is control flow;
/// without operands, a name with `constant`, `literal` or `const` in it is a constant and one with
/// `empty` or `init_tensor` an empty tensor; `call` calls; contractions and convolutions compute; then
/// reshapes, slices and regions as above; what makes a tensor of numbers out of tensors computes; the
/// rest is Other.
NodeKind nodeKindOf(mlir::Operation *op, const DecodedOp &decoded);
inline NodeKind nodeKindOf(mlir::Operation *op) { return nodeKindOf(op, decode(op)); }

} // namespace fuselage
