// Transform ops of ours, see ScheduleOps.td.
#pragma once
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Interfaces/MatchInterfaces.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define GET_OP_CLASSES
#include "core/schedules/ops/ScheduleOps.h.inc"
#pragma GCC diagnostic pop

namespace fuselage {

/// Adds the ops to what the transform dialect has where it is loaded, and the dialect of forms.
void registerScheduleOps(mlir::DialectRegistry &registry);

} // namespace fuselage
