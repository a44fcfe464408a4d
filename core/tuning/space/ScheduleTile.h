// The tile that a schedule makes of an op of its payload, by the point.
#pragma once
#include "core/tuning/space/SpaceReader.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage::tune {

struct ScheduleTile {
  mlir::Operation *op = nullptr;   ///< of the payload
  std::vector<Expression> sizes{}; ///< by loop, of the outermost tiling that has one; 0: it stays whole
};

/// What `script`, whose space was read, tiles of `function`: the op that a transform.structured.match finds by its name
/// alone, and whose tile_using_for, tile_using_forall or fuse ops have sizes that are known from the knobs; of several
/// the one with the most of these. nullopt: there is none, or the name is that of several ops. Nothing runs.
std::optional<ScheduleTile> scheduleTile(mlir::ModuleOp script, const ScriptSpace &space, mlir::func::FuncOp function);

} // namespace fuselage::tune
