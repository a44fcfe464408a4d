// Why a program keeps dispatches apart that another compiler has as one. Internal to core/graph/compare.
#pragma once
#include "core/graph/compare/DispatchItems.h"
#include "core/protocol/Compare.h"

namespace fuselage {

/// Writes into the rows why two dispatches of `module` that a row has are separate, for each value that goes from one
/// to the other. `ofB`: the module is side B, else A. Nothing if the verdicts fail.
void addReasons(message::DispatchComparison<> &comparison, mlir::ModuleOp module, const ItemizedProgram &program,
                bool ofB);

} // namespace fuselage
