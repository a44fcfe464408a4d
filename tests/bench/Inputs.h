// Synthetic inputs of any size for the benchmarks; the same seed gives the same input.
#pragma once
#include "core/graph/layout/Layout.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace fuselage::bench {

/// A transformer-like graph of about `nodes` nodes: a spine of layers with branches, residual
/// edges over many ranks, weights with one user each, and a cluster per layer.
LayoutGraph transformerGraph(unsigned nodes);

/// IR text of `lines` lines that parses: chains of arith ops in functions of 100 ops.
std::string irText(unsigned lines);

/// The same text with `percent` of its op lines inserted before or changed, SSA names renumbered
/// as MLIR would.
std::string editedIrText(unsigned lines, unsigned percent);

/// A module of about `ops` ops: one function of equal transformer layers of 122 ops with 4 equal heads
/// each, in linalg, tensor and arith.
std::string layeredModule(unsigned ops);

/// A module of about `ops` ops in one function, picked and connected at random: nothing repeats.
std::string flatModule(unsigned ops);

/// One function of so many products, each followed by a chain of elementwise ops that makes one dispatch of `opsEach`
/// ops with it. Which ops these are, and which of the last 48 results the next product reads, is random, so that the
/// graph is wide: no two dispatches are equal.
std::string dispatchesModule(unsigned dispatches, unsigned opsEach);

/// A module of about `ops` ops of dialects that MLIR does not know, in custom assembly: StableHLO
/// functions, IREE's dispatches, kernels in a dialect of its own.
std::string foreignModule(unsigned ops);

/// Prints how long the stages from `text` to its picture take (BigModuleBench.cpp). `file` holds the
/// text, `empty` an empty module.
void benchBigModule(llvm::StringRef name, const std::string &text, const std::string &file, const std::string &empty);

/// Prints how fast footprints of tiles are (TilesBench.cpp).
void benchTiles();

/// Prints what it costs to list rewrites while a file is recorded, and how soon an engine has the IR after one
/// (RewritesBench.cpp).
void benchRewrites(const std::string &file, llvm::StringRef name);

/// Spaces of schedules, and searches in them.
void benchTune();

/// Prints how fast text is read (ParseBench.cpp).
void benchParse();

/// A log of --mlir-print-ir-after-all of at least `bytes` bytes: passes on a module of some functions
/// and on the functions one by one; two passes in three change something.
std::string dumpLog(size_t bytes);

} // namespace fuselage::bench
