// The bytes that a collective moves, by the ring algorithms that reach the lower bound.
#pragma once
#include <cstdint>
#include <string>

namespace fuselage {

/// What a collective does, in whichever dialect.
enum class CollectiveKind {
  AllReduce,
  AllGather,
  ReduceScatter,
  AllToAll,
  Permute,   ///< each device sends to at most one other
  AllSlice,  ///< each device keeps its part of what all have
  Broadcast, ///< one device sends to all of its group
  Gather,    ///< one device gets the parts of its group
  Scatter,   ///< one device sends a part to each of its group
  Reduce,    ///< one device gets the sum of its group
  Send,
  Receive,
  Reshard, ///< from one sharding to another; which collectives that takes is the partitioner's matter
};
/// "all-reduce"
const char *collectiveName(CollectiveKind kind);

/// What the busiest device of a group sends.
struct MovedBytes {
  int64_t bytes = -1;  ///< -1: not known
  std::string formula; ///< "2*(n-1)/n of 16 MiB, n = 4", without units of its own: `{0}` stands for the buffer
};

/// `whole`: the larger of what a device has before and after, in bytes; -1: not known. `group`: devices that take part.
/// All-reduce 2*(n-1)/n, all-gather, reduce-scatter and all-to-all (n-1)/n of it, the others at most all of it:
/// Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009, and the factors of
/// NVIDIA's nccl-tests (PERFORMANCE.md, "bus bandwidth").
MovedBytes ringBytes(CollectiveKind kind, int64_t whole, int64_t group);

} // namespace fuselage
