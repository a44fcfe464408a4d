// Ops that only move elements: which of them are launched by themselves, and what a join of tensors
// takes along.
#pragma once
#include "core/transforms/dispatch/DispatchFormation.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {

/// Joins of tensors: a concatenation, or one that is written into another one.
bool isJoin(mlir::Operation *op);

/// The insertions into one tensor that end in `join`, in program order; `join` alone where it is
/// none.
llvm::SmallVector<mlir::Operation *> joinChain(mlir::Operation *join);

/// Whether the insertions that end in `join` write into what a loop carries from one round to the next and nobody else
/// reads (a destructive update). Such a tensor is updated where it lies: the part is copied, and no dispatch is needed,
/// which would have to copy the whole tensor.
bool updatesLoopCarried(mlir::Operation *join);

/// The slice, at a known place, that a value is, or that one of its dimensions are taken apart of,
/// which leaves it a view; null for others.
mlir::tensor::ExtractSliceOp sliceOf(mlir::Value value);

/// Whether a dispatch of this kind reads the slice where it lies. One that lies oddly is copied for
/// who reads it again and again.
bool readsInPlace(DispatchKind kind, mlir::tensor::ExtractSliceOp slice);

/// Whether the host decides by what the slice shows, so that it stays there.
bool isDecision(mlir::Operation *slice);

/// What a dispatch may hold that computes one part of a join, so that it writes where its result is
/// joined.
bool isPartOfJoin(mlir::Operation *op);

/// Lets the group compute again what is cheap to have, such as the fill that its parts are written into.
void cloneCheapOperands(DispatchGroup &group);

} // namespace fuselage
