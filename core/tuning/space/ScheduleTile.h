// The tile sizes of a payload op as expressions over the knobs of a schedule.
#pragma once
#include "core/tuning/space/SpaceReader.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage::tune {

struct ScheduleTile {
  mlir::Operation *op = nullptr;   ///< of the payload
  std::vector<Expression> sizes{}; ///< by loop, from the outermost op that tiles the loop; 0: it is not tiled
};

/// Finds the op of `function` that `script` tiles, without running the script. The op must be the only one that a
/// transform.structured.match finds by its name, and the sizes of its tile_using_for, tile_using_forall or fuse ops
/// must follow from the knobs. Of several, returns the one with the most of these; nullopt if there is none.
std::optional<ScheduleTile> scheduleTile(mlir::ModuleOp script, const ScriptSpace &space, mlir::func::FuncOp function);

} // namespace fuselage::tune
