// Why a program keeps dispatches apart that another compiler has as one. Internal to core/graph/compare.
#pragma once
#include "core/graph/compare/CompareDispatches.h"
#include "core/graph/compare/DispatchItems.h"

namespace fuselage {

/// Writes into the rows why two dispatches of `module` that a row has are separate, for each value that goes from one
/// to the other. `ofB`: the module is side B, else A. Nothing if the verdicts fail.
void addReasons(DispatchComparison &comparison, mlir::ModuleOp module, const ItemizedProgram &program, bool ofB);

} // namespace fuselage
