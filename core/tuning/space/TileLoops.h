// Tiles of payload ops as a schedule makes them, by the point: what ScheduleDemands.cpp follows.
#pragma once
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/DeviceMappingInterface.h"
#include <numeric>
#include <string>

namespace fuselage::tune {

/// A loop of a payload op, as nodes: how many iterations a full tile has, and how many the last one, where that is
/// another number; 0: they are the same, or it is not known. A loop that was cut into parts of which one was shorter
/// has a size that IR does not know any more, whatever it is cut into behind that, but for parts of 1.
struct Extent {
  int size = -1, rest = -1;
  int isDynamic = -1; ///< whether that is so
};

struct Tile {
  mlir::linalg::LinalgOp op;         ///< that it is a tile of
  llvm::SmallVector<Extent> loops;   ///< by loop of `op`
  llvm::SmallVector<unsigned> order; ///< of each of its own loops, the one of `op`: they may be interchanged
  bool isGeneric = false;

  Extent &at(unsigned own) { return loops[order[own]]; }
  /// As transform.structured.interchange does. False: not by this order.
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

/// Whole, until it has loops.
inline Tile wholeOf(mlir::linalg::LinalgOp op) {
  Tile tile{.op = op,
            .loops = {},
            .order = llvm::SmallVector<unsigned>(op.getNumLoops()),
            .isGeneric = llvm::isa<mlir::linalg::GenericOp>(op.getOperation())};
  std::iota(tile.order.begin(), tile.order.end(), 0u);
  return tile;
}

/// A forall that tiling made.
struct Grid {
  struct Dim {
    int trips = -1;
    int isKnown = -1;   ///< whether the number of them is the same in every tile
    std::string text{}; ///< what `trips` is, for people
    mlir::DeviceMappingAttrInterface mapping{};
  };
  llvm::SmallVector<Dim> dims;
  mlir::Operation *madeBy = nullptr;
};

/// What structured.pad makes of a tile.
struct Padding {
  Tile before, after;
  llvm::SmallVector<bool> isKept; ///< by operand: its pad stays where it adds nothing
};

/// One operand of a tile.
struct Slice {
  Tile tile;
  unsigned operand = 0;
};

} // namespace fuselage::tune
