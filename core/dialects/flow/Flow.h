// The `flow` dialect: flow.dispatch.region, flow.attention and flow.return; others are only read, if at all.
#pragma once
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace fuselage {
class RawAttrKind;
}
namespace fuselage::flow {
class ReturnOp;
}

#include "core/dialects/flow/FlowDialect.h.inc"

// mlir-tblgen's definitions leave parameters unused.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define GET_OP_CLASSES
#include "core/dialects/flow/FlowOps.h.inc"
#pragma GCC diagnostic pop
