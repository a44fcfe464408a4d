// The memory of tile loads and stores of other dialects, and new ones in the user's spelling.
#pragma once
#include "core/transforms/bufferize/DestructiveUpdate.h"
#include "mlir/IR/Builders.h"
#include <optional>

namespace fuselage {

/// What a tile load reads or a tile store writes: a binding as a value (`flow.dispatch.tensor.load`,
/// `iree_tensor_ext.dispatch.tensor.load`), or by name with an offset (`hal.interface.load.tensor`,
/// 2020).
struct TileMemory {
  std::string dialect;                       ///< what stands before "load" and "store": "flow.dispatch.tensor."
  mlir::Value binding;                       ///< null for a name
  llvm::SmallVector<mlir::Value> dimensions; ///< its dynamic ones
  mlir::SymbolRefAttr name;
  mlir::Value baseOffset;
  bool isReadable = true; ///< false for a binding that is only written
};

/// The memory of a load or store that `createTileLoad` and `createTileStore` can spell; nothing for
/// other ops.
std::optional<TileMemory> tileMemoryOf(mlir::Operation *access);

/// The part of it that the op moves: what its lists say, or the whole. Nothing where the whole has
/// sizes that nobody says.
std::optional<TileSlice> tileSliceOf(mlir::Operation *access);

/// Whether the two may be the same memory: the same binding, by its number or name.
bool mayAlias(const TileMemory &a, const TileMemory &b);

/// New ops at the insertion point, spelled as the dialect's own.
mlir::Value createTileLoad(mlir::OpBuilder &builder, mlir::Location loc, const TileMemory &memory,
                           mlir::RankedTensorType type, const TileSlice &slice);
mlir::Operation *createTileStore(mlir::OpBuilder &builder, mlir::Location loc, const TileMemory &memory,
                                 mlir::Value tile, const TileSlice &slice);

/// `inner` is a slice of the tensor that lies at `outer`: the slice of the memory that it is. New index
/// computations stand at the insertion point. Nothing where the tensor has fewer dimensions than
/// `outer`.
std::optional<TileSlice> composeSlices(mlir::OpBuilder &builder, mlir::Location loc, const TileSlice &outer,
                                       const TileSlice &inner);

} // namespace fuselage
