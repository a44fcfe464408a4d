// Which nests of affine loops could be one, by upstream's analyses.
#pragma once
#include "core/protocol/Fusion.h"
#include "mlir/IR/BuiltinOps.h"

namespace fuselage {

/// Every pair of affine.for nests of one block that share a buffer: the first writes what the second reads (producer),
/// or both read it and neither needs the other (sibling). With the deepest loop of the second that the first fits into
/// and what that computes again, or why it fits into none. Ops are numbered in pre-order; of very large blocks there
/// are none.
std::vector<message::LoopFusion<>> explainLoopFusion(mlir::ModuleOp module);

} // namespace fuselage
