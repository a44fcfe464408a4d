// Which arguments of a function are weights, where nobody says so. Internal to core/graph.
#pragma once
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace fuselage {

/// Of a function with many arguments of which none is called a parameter, those that look like weights. The user's
/// inputs are those that the flow of data begins with: indices and flags, what convolutions, contractions and the ops
/// before them read first, and what many ops read. The others join the flow through an operand for weights (the
/// filter, the right matrix, the table of a gather, what is broadcast), alone or through ops that depend on them alone.
/// Empty where there are few arguments, or where no input would be left.
llvm::DenseSet<mlir::Value> findWeightArguments(mlir::Operation *function);

} // namespace fuselage
