// The tiling ops of a schedule, read without running it.
#pragma once
#include "core/tuning/space/SpaceReader.h"

namespace fuselage::tune {

struct ScheduleTiling {
  mlir::Value target, tiled;                     ///< handles of the op and of its tile
  mlir::Value loops{};                           ///< handle of the new forall; null for other loops
  llvm::SmallVector<mlir::OpFoldResult> sizes{}; ///< by loop of the target; 0: it is not tiled
  bool areCounts = false;                        ///< `sizes` are numbers of tiles
  mlir::ArrayAttr mapping{};                     ///< of the forall
};

/// Reads a tile_using_for, tile_using_forall or fuse. Returns nullopt for other ops, and for packed or scalable sizes.
std::optional<ScheduleTiling> tilingOf(mlir::Operation *op);

/// An op that changes the order of loops, or generalizes a named op, and nothing else.
struct ScheduleReorder {
  mlir::Value target, result;
  llvm::ArrayRef<int64_t> order{}; ///< by new loop, the old one; empty: the order stays
  bool isGeneralized = false;      ///< the result is a linalg.generic; if false, the target must be one
};

/// Reads an interchange or generalize. Returns nullopt for other ops.
std::optional<ScheduleReorder> reorderOf(mlir::Operation *op);

/// A size as an expression over the knobs of `space`; nullopt if it is not known.
std::optional<Expression> numberOf(mlir::OpFoldResult size, const ScriptSpace &space);
/// The same for several sizes; nullopt if one of them is not known.
std::optional<std::vector<Expression>> numbersOf(llvm::ArrayRef<mlir::OpFoldResult> sizes, const ScriptSpace &space);

/// The value of `number`; nullopt if it depends on knobs.
std::optional<int64_t> constantOf(const Expression &number);

} // namespace fuselage::tune
