// Sharding annotations in a program that runs on one device, which has all of every value: they say nothing there.
#pragma once
#include "mlir/IR/Operation.h"

namespace fuselage {

/// The value that the annotation returns as it is; null: the op is none, or changes a type.
mlir::Value annotatedValue(mlir::Operation *op);

/// Replaces the annotations in `root` by the values that they annotate, and erases what only annotations refer to:
/// shardings as values, and the meshes that modules declare.
void dropShardings(mlir::Operation *root);

} // namespace fuselage
