// What tileAndFuse is asked, and what it did.
#pragma once
#include "core/interfaces/FusableOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include <functional>
#include <vector>

namespace fuselage {

enum class TileLoop {
  For,   ///< scf.for, one loop in another; can cut reductions
  Forall ///< one scf.forall; parallel loops only
};

/// What to do with a producer whose value is used outside of the loops as well.
enum class SharedProducer {
  Recompute, ///< the loops compute their tiles, the op stays for the others
  Yield,     ///< the loops return the value, if their tiles partition it; else as Recompute
  Keep,      ///< it is not fused
};

/// One op that could move into the loops.
struct FusionCandidate {
  mlir::Operation *op = nullptr;
  bool isConsumer = false;
};

struct TileAndFuseOptions {
  llvm::SmallVector<int64_t> tileSizes;   ///< by loop of the root; 0 or none: the loop stays whole
  llvm::SmallVector<int64_t> interchange; ///< order of the loops; empty: as they are
  TileLoop loop = TileLoop::For;
  bool fuseProducers = true;
  bool fuseConsumers = true;
  SharedProducer shared = SharedProducer::Recompute;
  /// Fuse along slices with strides, which computes the elements between as well.
  bool coverStridedTiles = false;
  /// Asked for each op that could be fused; empty: all are.
  std::function<bool(const FusionCandidate &)> control;

  TileAndFuseOptions &setTileSizes(llvm::ArrayRef<int64_t> sizes) {
    return tileSizes.assign(sizes.begin(), sizes.end()), *this;
  }
  TileAndFuseOptions &setInterchange(llvm::ArrayRef<int64_t> order) {
    return interchange.assign(order.begin(), order.end()), *this;
  }
  TileAndFuseOptions &setLoop(TileLoop kind) { return loop = kind, *this; }
  TileAndFuseOptions &setFuseProducers(bool fuse) { return fuseProducers = fuse, *this; }
  TileAndFuseOptions &setFuseConsumers(bool fuse) { return fuseConsumers = fuse, *this; }
  TileAndFuseOptions &setShared(SharedProducer policy) { return shared = policy, *this; }
  TileAndFuseOptions &setCoverStridedTiles(bool cover) { return coverStridedTiles = cover, *this; }
  TileAndFuseOptions &setControl(std::function<bool(const FusionCandidate &)> function) {
    return control = std::move(function), *this;
  }
};

/// An op that stayed outside of the loops, or of which something less was done than asked for.
struct RefusedFusion {
  mlir::Location loc;
  std::string op; ///< its name
  bool isConsumer = false;
  FusableRefusal refusal;
};

struct TileAndFuseResult {
  llvm::SmallVector<mlir::LoopLikeOpInterface> loops; ///< outermost first
  std::vector<std::string> producers, consumers;      ///< names of what was fused, in that order
  std::vector<RefusedFusion> refusals;
};

} // namespace fuselage
