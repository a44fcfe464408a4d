// May a consumer join the dispatch that computes its input? The clauses that need no plan.
#pragma once
#include "core/transforms/dispatch/DispatchPredicates.h"
#include "core/transforms/dispatch/ElementwiseClauses.h"

namespace fuselage {

/// Whether `op` starts a dispatch of its own under the policy; isComputeOp must hold. `kind` is its
/// kindOf, where that is known already.
bool isRootOp(mlir::Operation *op, const FusionPolicy &policy);
bool isRootOp(mlir::Operation *op, DispatchKind kind, const FusionPolicy &policy);

/// Why an op cannot follow another in its dispatch, whatever it reads: empty for elementwise linalg
/// ops. `use` is what it reads; an init is no operand of a contraction in this sense.
Refusals consumerKindRefusals(mlir::Operation *consumer, mlir::OpOperand *use, const FusionPolicy &policy);

/// The same question with a yes or no, for planning.
bool canFollow(mlir::Operation *consumer, const FusionPolicy &policy);
bool canFollow(mlir::Operation *consumer, DispatchKind kind, const FusionPolicy &policy);

/// One of the two ops computes no tensors from loops.
std::optional<Refusal> nonFusableOp(const FusionEdge &edge);

/// The producer is a copy that the consumer would have to look through: what the policy holds against
/// its maps.
Refusals copyRefusals(const FusionEdge &edge, const FusionPolicy &policy);

/// The user that comes before all other users on every path; null if there is none. Asking for sizes
/// does not count.
mlir::Operation *findDominatingUser(mlir::Operation *op);

/// The value's uses, where the policy only follows one: several of them, or none that dominates.
/// `dominating` finds the dominating user of the producer; it is only called where that matters.
Refusals useRefusals(const FusionEdge &edge, const FusionPolicy &policy,
                     llvm::function_ref<mlir::Operation *(mlir::Operation *)> dominating);

/// The loops that lead to the root's result; empty, with the reason in `refusal`, if they cannot be told.
std::optional<llvm::SmallVector<int>> rootLoops(mlir::Operation *root, Refusal *refusal = nullptr);

/// A consumer reads `value`, written by a linalg op, through `map`: what policies of one outer loop nest
/// hold against that. Empty where the policy does not ask.
Refusals outerLoopRefusals(mlir::OpResult value, mlir::AffineMap map, mlir::linalg::LinalgOp consumer,
                           const FusionPolicy &policy);

/// All clauses on two ops that were given their places by somebody else: the producer as the root of
/// its dispatch, the consumer on its own. Empty if nothing forbids the fusion.
Refusals pairRefusals(const FusionEdge &edge, const FusionPolicy &policy);

} // namespace fuselage
