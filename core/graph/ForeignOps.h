// What ops of unknown dialects and other versions are, as far as their names tell.
#pragma once
#include "core/graph/Graph.h"
#include "mlir/IR/Operation.h"

namespace fuselage {

/// Only looks at data in another shape: `reshape`, `expand_shape`, `aten.view`, `bitcast`.
bool isReshapeName(llvm::StringRef name);
/// Moves a part of data: `extract_slice`, `concatenate`, `gather`, `subtensor`.
bool isSliceName(llvm::StringRef name);

/// The kind of an op that is not registered and that no decoder knows. Guesses, in this order:
/// an op that ends a block and has successors is control flow; without operands, a name with
/// `constant`, `literal` or `const` in it is a constant and one with `empty` or `init_tensor` an
/// empty tensor; `call` calls; contractions and convolutions compute; then reshapes and slices by
/// name; an op with a region that is no payload is control flow; what makes a tensor of numbers out
/// of tensors computes; the rest is Other.
NodeKind foreignKind(mlir::Operation *op);

} // namespace fuselage
