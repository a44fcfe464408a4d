// What one pass over a program's function consists of, known without running it.
#pragma once
#include "core/run/RunProgram.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include <optional>

namespace fuselage {

/// The results of a function's ops that follow from parameters and constants alone; none where it branches.
llvm::DenseSet<mlir::Value> fixedValues(mlir::func::FuncOp function);

/// True for a type that host code can take and give: a ranked tensor or a scalar of numbers.
bool canCross(mlir::Type type);

/// Whether an op gives its one result without code: a constant, tensor.empty, a reshape, a cast, of what canCross().
bool costsNothing(mlir::Operation *op);

/// How often one pass calls each dispatch of the program, but for those that follow from parameters and constants
/// alone. None where that is known only when it runs, where the host computes something itself, or where a dispatch
/// cannot be run alone (keepDispatch).
std::optional<llvm::MapVector<mlir::func::FuncOp, unsigned>> callsOfOnePass(const RunProgram &program);

} // namespace fuselage
