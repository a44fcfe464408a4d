// What transforms of a schedule cut loops into, read without running it.
#pragma once
#include "core/tuning/space/SpaceReader.h"

namespace fuselage::tune {

struct ScheduleTiling {
  mlir::Value target, tiled;                     ///< handles: to what is tiled, and to its tile
  mlir::Value loops{};                           ///< to the forall that is made; null: loops of another kind
  llvm::SmallVector<mlir::OpFoldResult> sizes{}; ///< by loop of what is tiled; 0: it stays whole
  bool areCounts = false;                        ///< numbers of parts in place of their sizes
  mlir::ArrayAttr mapping{};                     ///< of the forall
};

/// Of tile_using_for, tile_using_forall and fuse. Nullopt: another op, or its sizes are none by loop (packed,
/// scalable).
std::optional<ScheduleTiling> tilingOf(mlir::Operation *op);

/// What gives the loops of an op another order, or none, and leaves the rest of it.
struct ScheduleReorder {
  mlir::Value target, result;
  llvm::ArrayRef<int64_t> order{}; ///< of each loop, the one that it was; empty: they stay
  bool isGeneralized = false;      ///< any structured op is made a linalg.generic; else it has to be one
};

/// Of interchange and generalize. Nullopt: another op.
std::optional<ScheduleReorder> reorderOf(mlir::Operation *op);

/// The number that a size in `space`'s script is: of a constant, or from what its knobs are. Nullopt: it is not known.
std::optional<Expression> numberOf(mlir::OpFoldResult size, const ScriptSpace &space);
/// By position; nullopt: one of them is not known.
std::optional<std::vector<Expression>> numbersOf(llvm::ArrayRef<mlir::OpFoldResult> sizes, const ScriptSpace &space);

/// The constant that `number` is; nullopt: knobs have a say.
std::optional<int64_t> constantOf(const Expression &number);

} // namespace fuselage::tune
