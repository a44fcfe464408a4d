// What a strategy answers to passes, as options.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace fuselage {

/// What the tiles of a kernel depend on besides the op that shapes them.
struct KernelContext {
  /// One op with a reduction, and elementwise ops.
  bool isAlone = true;
  /// Other ops of the kernel compute an operand of its contraction, which takes registers beside the results.
  bool computesOperand = false;
  /// The last tile along a loop may start earlier than the tile divides, and compute again what the one before it has.
  bool mayOverlap = false;
  /// Tiles that overlap are multiples of this: 4, or more for matrix instructions.
  int64_t tileMultiple = 4;
};

/// A tile of a contraction whose threads hold 8 by 8 results each, and how near it comes to the peak of a
/// multiprocessor that is full of such: by what it reads for each multiplication, and how many threads hide latencies.
struct WideTile {
  int64_t rows, columns;
  double efficiency;
};

/// Reductions of a great depth to few results: partial results first, in a kernel of their own.
struct LongReductionOptions {
  /// A reduction of so many results at most, each of so many iterations at least, is too much for one thread and has
  /// too few results for all.
  struct Limit {
    int64_t mostResults, leastDepth;
  };
  std::vector<Limit> limits;     ///< one of them holds
  int64_t columns = 256;         ///< partial results that neighbouring threads compute for each result
  int64_t workgroupColumns = 64; ///< of those, the ones of one workgroup; 0: all
  int64_t workgroups = 512;      ///< that occupy the device
  bool mergesInputs = false;     ///< elementwise ops before the reduction become part of it
};

/// How the threads of a workgroup share its ops.
struct ThreadOptions {
  int64_t maxThreads = 256;
  int64_t workgroupBytes = 32 * 1024; ///< workgroup memory that a kernel may take
  /// A workgroup is one subgroup of so many threads, which share what they read by shuffles; 0: it is as large as its
  /// work.
  int64_t lanes = 0;
  /// A thread may hold 8 by 8 results, spread over the tile in fours, and whole rows of products of f32; it takes 128
  /// registers of 32 bits. Else it holds 4 by 4.
  bool holdsLargeTiles = false;
  /// Elementwise ops after a reduction are computed in the registers that hold its results.
  bool continuesInRegisters = false;
  /// Copies and elementwise ops move 16 bytes a thread, also where elements are gathered or masked.
  bool movesVectors = false;

  bool isOneSubgroup() const { return lanes > 0; }
};

/// How tiles of attention that nobody requested are chosen.
struct AttentionTileOptions {
  enum class Choice {
    AsBuilt,   ///< those that attention was fused with, made equal
    Registers, ///< those whose scores and context threads keep in registers
    Subgroup   ///< few queries and many keys, whole rows of lanes
  };
  Choice choice = Choice::AsBuilt;
  int64_t workgroupBytes = 0;             ///< of a workgroup, for a tile of the queries and two of keys and values each
  int64_t multiprocessorBytes = 0;        ///< workgroup memory of a multiprocessor; 0: unknown, and f32 keeps its tiles
  int64_t multiprocessors = 0;            ///< with fewer workgroups, tiles have fewer queries
  int64_t registers = 0;                  ///< of 32 bits, of a multiprocessor
  int64_t lanes = 0;                      ///< of a subgroup, for Choice::Subgroup
  std::vector<std::string> matrixTypes{}; ///< element types that matrix instructions multiply
};

/// Workgroup memory for copies that run ahead of the loop that needs them.
struct AsyncCopyOptions {
  int64_t workgroupBytes = 48 * 1024; ///< of a kernel, all buffers together
  int64_t mostWorkgroupBytes = 0;     ///< the same of a kernel that takes more than that with one buffer of each tile
};

} // namespace fuselage
