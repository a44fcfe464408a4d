// What there is to say about an op at given tile sizes: loops, footprints of a tile, costs.
#pragma once
#include "core/analysis/tiles/TileTotals.h"
#include "core/protocol/Tiles.h"
#include <functional>

namespace fuselage {

/// Names in a report are as the caller's text has them.
struct TileNames {
  std::function<std::string(mlir::Value)> value;
  std::function<int64_t(mlir::Operation *)> op; ///< OpId of the snapshot; -1: unknown
};

struct TileRequest {
  llvm::SmallVector<int64_t> sizes; ///< by loop; 0, and what is missing: the whole loop
  llvm::SmallVector<int64_t> tile;  ///< indices by loop; what is missing is 0
  llvm::SmallVector<int64_t> order; ///< loops from outer to inner; empty: as the op has them
  bool snap = false;                ///< sizes become the nearest divisor of the loop's range
  int64_t workgroupLimit = 0;       ///< bytes; 0: none is known
  std::string device{};             ///< whose limit that is
  int64_t budget = 20000;           ///< footprints at most, see sumTiles
  int64_t cache = 0;                ///< bytes that costs are for, see trafficThroughCache; 0: as TileCost says
};

/// One loop of the iteration domain.
struct ReportedLoop {
  bool isReduction = false;
  int64_t range = 0, size = 0, trips = 0;
  int64_t lastSize = 0; ///< iterations of the last tile; less than size: it is uneven
};

/// What the tile touches of a value.
struct Footprint {
  mlir::Value value;
  mlir::AffineMap map; ///< null: none
  std::string role;    ///< "input", "destination", "result", "producer", "outside"
  std::string note;    ///< why nothing computes it in the tile, or why it is inexact
  Region touched;      ///< exact, see TileChain.h
  Region slices;       ///< what tile-and-fuse extracts or computes
  Region halo;         ///< what the next tile of a loop touches again, among tiles that differ there
  unsigned loops = 0;  ///< bit l: moves with loop l
  bool isExact = true;
  bool isPlaceKnown = true; ///< false: data decides which elements; `touched` says how many at most
};

/// A producer that is computed in the tile.
struct ProducerReport {
  mlir::Operation *op = nullptr;
  bool isView = false;
  llvm::SmallVector<int64_t> domain;
  std::vector<Footprint> results;
  std::vector<Footprint> inputs;
  int64_t points = 0, slicePoints = 0; ///< of the domain, for this tile
  /// For all tiles; while only reduction loops go on that do not move it, it is computed once.
  /// -1: too many different tiles to tell.
  int64_t allPoints = 0, allSlicePoints = 0;
  int64_t domainPoints = 0;
  bool hasOtherUsers = false; ///< is needed outside of the tiles, too
  /// Points computed over all tiles by the points that there are: 1 is no recompute, below 1 nobody
  /// needs all of it. -1: unknown.
  double recompute() const { return ratio(allPoints); }
  double sliceRecompute() const { return ratio(allSlicePoints); }

private:
  double ratio(int64_t points) const {
    return points < 0 || domainPoints <= 0 ? -1 : double(points) / double(domainPoints);
  }
};

/// Work and traffic. Bytes: through the cache of the request, or, without one: of whole ops, each value moves once, as
/// if a cache held all of them; of a tiled loop nest, each tile of the parallel loops reads what it touches and writes
/// its result, and nothing stays from one to the next; what the reduction loops do not move stays while they run. -1:
/// unknown.
struct TileCost {
  double flops = 0, bytes = 0;
  bool bytesAtMost = false; ///< data decides what is read; it may be less
  double intensity() const { return bytes > 0 && flops >= 0 ? flops / bytes : -1; }
};

struct TileReport {
  mlir::Operation *op = nullptr;
  std::vector<std::string> notes; ///< "size 48 of d0 is 50, ..."
  std::vector<ReportedLoop> loops;
  llvm::SmallVector<int64_t> order, tile;
  int64_t tiles = 0, tileNumber = 0; ///< in loop order
  bool fuses = false;
  std::vector<Footprint> operands, results;                              ///< of the op
  std::vector<ProducerReport> producers;                                 ///< consumers first
  std::vector<Footprint> outside;                                        ///< what the tile reads from memory
  int64_t workgroupBytes = 0, maxWorkgroupBytes = 0, workgroupLimit = 0; ///< -1: unknown
  std::string device;
  /// The op and its producers one after the other; the op alone, whole; by tiles; tiles with
  /// producers. By tiles: see TileCost.
  TileCost separate, untiled, tiled, fused;
  int64_t cache = 0;                    ///< of the request
  std::vector<std::string> assumptions; ///< what the bytes hold for, a sentence each
  bool isComplete = true;               ///< false: sums over all tiles were too many, see TileTotals
};

/// Failure: more sizes or indices than loops, a tile that is not there, an order that is none.
llvm::Expected<TileReport> reportTile(const TileChain &chain, const TileRequest &request);

/// The report as clients see it.
message::TileReport<> messageOf(const TileReport &report, const TileNames &names);
std::string formatTileReport(const TileReport &report, const TileNames &names);

/// The divisors of a range, ascending.
llvm::SmallVector<int64_t> divisorsOf(int64_t range);

} // namespace fuselage
