// Tiles of payload ops as expressions over the knobs of a schedule, for ScheduleDemands.cpp.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/DeviceMappingInterface.h"
#include <numeric>
#include <string>

namespace fuselage::tune {

/// The extent of a tile along one loop of a payload op, as nodes: iterations of a full tile, and of the last tile if
/// that is shorter (0 if it is not, or its size is unknown). After tiling with a shorter last tile, the extent is
/// dynamic in the IR, also after further tiling, except by 1.
struct Extent {
  int size = -1, rest = -1;
  int isDynamic = -1; ///< the extent is dynamic
};

struct Tile {
  mlir::linalg::LinalgOp op;         ///< the payload op
  llvm::SmallVector<Extent> loops;   ///< by loop of `op`
  llvm::SmallVector<unsigned> order; ///< by loop of the tile, the loop of `op`: loops may be interchanged
  bool isGeneric = false;

  Extent &at(unsigned own) { return loops[order[own]]; }
  /// Changes the order of loops as transform.structured.interchange does. Returns false if `own` is not valid.
  bool interchange(llvm::ArrayRef<int64_t> own) {
    if (own.empty())
      return true;
    if (own.size() != order.size())
      return false;
    llvm::SmallVector<unsigned> before = order;
    for (auto [loop, from] : llvm::zip_equal(order, own))
      loop = before[from];
    return true;
  }
};

/// The tile that is the whole op; its extents are to be filled in.
inline Tile wholeOf(mlir::linalg::LinalgOp op) {
  Tile tile{.op = op,
            .loops = {},
            .order = llvm::SmallVector<unsigned>(op.getNumLoops()),
            .isGeneric = llvm::isa<mlir::linalg::GenericOp>(op.getOperation())};
  std::iota(tile.order.begin(), tile.order.end(), 0u);
  return tile;
}

/// An scf.forall that tiling created.
struct Grid {
  struct Dim {
    int trips = -1;
    int isKnown = -1;   ///< the trip count is the same in every tile
    std::string text{}; ///< `trips` for messages
    mlir::DeviceMappingAttrInterface mapping{};
  };
  llvm::SmallVector<Dim> dims;
  mlir::Operation *madeBy = nullptr;
};

/// A tile before and after structured.pad.
struct Padding {
  Tile before, after;
  llvm::SmallVector<bool> isKept; ///< by operand: its pad stays even if it adds nothing
};

/// One operand of a tile.
struct Slice {
  Tile tile;
  unsigned operand = 0;
};

} // namespace fuselage::tune
