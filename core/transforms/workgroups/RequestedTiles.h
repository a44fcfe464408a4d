// What the pipeline makes of sizes that somebody asks for.
#pragma once
#include "core/transforms/workgroups/KernelPlan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace fuselage {

/// Brings the ops of `body` into the forms that kernels are planned of.
void prepareForPlan(mlir::RewriterBase &rewriter, mlir::Block &body, const TargetStrategy &strategy);

struct AskedTiles {
  TileRule rule{};       ///< by the loops of the dispatch's shaping op; its anchor is gone
  bool isRoot = false;   ///< nothing else of the kernel reads what the op makes
  int64_t rootBytes = 0; ///< of an element of each of the root's results
};

/// How sizes are rounded that the shaping op of `dispatch` carries (TilingConfig.h). Nullopt: they count for nothing,
/// as the pipeline makes another op of it, or has it in a kernel that another one shapes. `dispatch` stays as it is.
std::optional<AskedTiles> askedTiles(mlir::func::FuncOp dispatch, const TargetStrategy &strategy);

} // namespace fuselage
