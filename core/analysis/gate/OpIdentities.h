// What ops are, apart from their names, numbers and places: to find them again in another revision of a program.
#pragma once
#include "core/protocol/Fusion.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// Fills in FusionReport::ops of a report on `module`. The hashes are the same in every process. Names of values and
/// symbols, locations, the numbers in large constants, and the order of functions and of independent ops do not count.
/// Linear in the size of the module.
void addIdentities(mlir::ModuleOp module, message::FusionReport<> &report);

} // namespace fuselage
