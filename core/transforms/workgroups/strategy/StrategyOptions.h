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
  /// Other ops of the kernel compute an operand of its contraction, which takes registers in addition to the results.
  bool computesOperand = false;
  /// The last tile along a loop may start earlier and compute elements of the tile before it again.
  bool mayOverlap = false;
  /// Overlapping tiles are multiples of this: 4, or more for matrix instructions.
  int64_t tileMultiple = 4;
};

/// A workgroup tile of a contraction, of which each thread holds up to 8 by 8 results. `efficiency` is the estimated
/// fraction, up to 1, of the peak that a multiprocessor full of such workgroups reaches: large tiles read fewer
/// operands per multiply-add, and many threads hide latencies.
struct WideTile {
  int64_t rows, columns;
  double efficiency;
};

/// How the iterations of a reduction are split into partial results (see SplitReductions.h).
enum class SplitKind {
  Rows,    ///< reductions along memory: the threads of a workgroup share a row
  Columns, ///< reductions across memory: each thread has neighbouring columns and some of the rows
  Strided, ///< few results: neighbouring threads take neighbouring iterations, each of which is a partial result
  Runs     ///< few results: each core takes contiguous iterations
};

/// Which reductions with few results are split (SplitKind::Strided), and how many partial results they have.
struct LongReductionOptions {
  /// Holds for a reduction with at most `mostResults` results of at least `leastIterations` iterations each.
  struct Limit {
    int64_t mostResults, leastIterations;
  };
  std::vector<Limit> limits;      ///< a reduction is split if any of them holds
  int64_t partials = 256;         ///< partial results per result, computed by neighbouring threads
  int64_t workgroupPartials = 64; ///< how many of `partials` one workgroup computes; 0: all
  int64_t workgroups = 512;       ///< how many workgroups fill the device
  bool fusesInputs = false;       ///< elementwise producers are fused into the reduction
};

/// How the threads of a workgroup share its ops.
struct ThreadOptions {
  int64_t maxThreads = 256;
  int64_t workgroupBytes = 32 * 1024; ///< workgroup memory that a kernel may take
  /// A workgroup is one subgroup of this many threads, which exchange what they read by shuffles; 0: the size of a
  /// workgroup depends on its work.
  int64_t lanes = 0;
  /// A thread may hold 8 by 8 results, in blocks of four that are spread over the tile, and whole rows of f32 products.
  /// That takes 128 registers of 32 bits. Else it holds 4 by 4.
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
    Usual,     ///< 32 queries and 32 keys, or divisors near that, made equal
    Registers, ///< those whose scores and context threads keep in registers
    Subgroup   ///< few queries and many keys, whole rows of lanes
  };
  Choice choice = Choice::Usual;
  int64_t workgroupBytes = 0;             ///< workgroup memory that the tiles of one workgroup may take
  int64_t multiprocessorBytes = 0;        ///< workgroup memory of a multiprocessor; 0: unknown, and f32 keeps its tiles
  int64_t multiprocessors = 0;            ///< tiles get fewer queries if there are fewer workgroups than this
  int64_t registers = 0;                  ///< 32-bit registers of a multiprocessor
  int64_t lanes = 0;                      ///< of a subgroup, for Choice::Subgroup
  double subgroupsToHideLatency = 8;      ///< of a multiprocessor (DeviceCosts.h)
  std::vector<std::string> matrixTypes{}; ///< element types that matrix instructions multiply
};

/// Workgroup memory for copies that run ahead of the loop that needs them.
struct AsyncCopyOptions {
  int64_t workgroupBytes = 48 * 1024; ///< limit for a workgroup, all buffers together
  int64_t mostWorkgroupBytes = 0;     ///< the limit if a workgroup exceeds the first one even without such copies
};

} // namespace fuselage
