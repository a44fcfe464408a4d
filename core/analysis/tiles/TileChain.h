// An op with the producers that are computed in its tiles, and what one tile of it needs of them.
#pragma once
#include "core/analysis/tiles/AccessModel.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/Error.h"

namespace fuselage {

/// Where an input of an op in a chain comes from.
struct ChainSource {
  int producer = -1; ///< index into TileChain::nodes; -1: from outside the chain
  unsigned result = 0;
  int outside = -1; ///< index into TileChain::outside where there is no producer
};

/// One op of a chain.
struct ChainNode {
  std::unique_ptr<AccessModel> access;
  std::vector<ChainSource> sources; ///< by input
  double flopsPerPoint = 0;         ///< -1: unknown
};

/// A value that the chain reads from memory, and why nothing computes it in the tile.
struct OutsideValue {
  mlir::Value value;
  std::string why;
  /// It has elements that somebody wrote.
  bool isRead() const { return mlir::isa<mlir::ShapedType>(value.getType()) && why != "tensor.empty"; }
};

struct ChainOptions {
  bool fuse = false;
  /// Ops that stay outside although they could be fused.
  llvm::SmallPtrSet<mlir::Operation *, 4> kept;
  static constexpr size_t maxLoops = 31;
  static constexpr size_t maxOps = 256; ///< producers beyond stay outside
};

/// The ops, the root first and every op before its producers.
class TileChain {
public:
  /// Failure: the root has no iteration domain that is known, and why.
  static llvm::Expected<TileChain> build(mlir::Operation *root, const ChainOptions &options);

  std::vector<ChainNode> nodes;
  std::vector<OutsideValue> outside;
  const AccessModel &root() const { return *nodes.front().access; }
};

/// Tile sizes as they are used: between 1 and the loop's range, one a loop.
using TileSizes = llvm::SmallVector<int64_t, 4>;

/// What one tile touches. Exact: the elements that its results depend on. Slices: what tile-and-fuse
/// computes for it, which is the box around what each consumer needs (tensor.extract_slice has unit
/// strides there), twice where two consumers need different boxes.
struct TileFootprint {
  Region tile;                              ///< of the root's domain
  std::vector<Region> points;               ///< by node: of its domain
  std::vector<std::vector<Region>> results; ///< by node and result: needed of it; of the root: written
  std::vector<std::vector<Region>> inputs;  ///< by node and input
  std::vector<Region> outside;              ///< by outside value: what all ops together read of it
};

enum class FootprintKind { Exact, Slices };

/// Footprint of the tile with these indices; `steps`: by loop, how many tiles one step of the events
/// is (1 unless TileTotals says otherwise).
TileFootprint footprintOf(const TileChain &chain, llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> tile,
                          FootprintKind kind, TileEvents &events, llvm::ArrayRef<int64_t> steps = {});

/// How many points a domain has; -1: too many to be told.
int64_t pointsOf(llvm::ArrayRef<int64_t> domain);

/// ceil(range / size), by loop.
TileSizes tripCounts(llvm::ArrayRef<int64_t> domain, llvm::ArrayRef<int64_t> sizes);

} // namespace fuselage
