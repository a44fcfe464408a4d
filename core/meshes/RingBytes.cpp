#include "core/meshes/RingBytes.h"

namespace fuselage {

const char *collectiveName(CollectiveKind kind) {
  switch (kind) {
  case CollectiveKind::AllReduce:
    return "all-reduce";
  case CollectiveKind::AllGather:
    return "all-gather";
  case CollectiveKind::ReduceScatter:
    return "reduce-scatter";
  case CollectiveKind::AllToAll:
    return "all-to-all";
  case CollectiveKind::Permute:
    return "permute";
  case CollectiveKind::AllSlice:
    return "all-slice";
  case CollectiveKind::Broadcast:
    return "broadcast";
  case CollectiveKind::Gather:
    return "gather";
  case CollectiveKind::Scatter:
    return "scatter";
  case CollectiveKind::Reduce:
    return "reduce";
  case CollectiveKind::Send:
    return "send";
  case CollectiveKind::Receive:
    return "receive";
  case CollectiveKind::Reshard:
    return "reshard";
  }
  return "";
}

MovedBytes ringBytes(CollectiveKind kind, int64_t whole, int64_t group) {
  const std::string n = "n = " + std::to_string(group);
  // (n-1)/n of the bytes, rounded up: in doubles the product cannot overflow.
  auto share = [&](double factor, const char *formula) {
    MovedBytes moved{.bytes = -1, .formula = std::string(formula) + " of {0}, " + n};
    if (whole >= 0 && group > 0)
      moved.bytes = int64_t(factor * double(whole) * double(group - 1) / double(group) + 0.5);
    return moved;
  };
  switch (kind) {
  case CollectiveKind::AllReduce:
    return share(2, "2*(n-1)/n");
  case CollectiveKind::AllGather:
  case CollectiveKind::ReduceScatter:
  case CollectiveKind::AllToAll:
  case CollectiveKind::Gather:
  case CollectiveKind::Scatter:
    return share(1, "(n-1)/n");
  case CollectiveKind::AllSlice:
    return {.bytes = 0, .formula = "nothing is sent"};
  case CollectiveKind::Permute:
  case CollectiveKind::Broadcast:
  case CollectiveKind::Reduce:
  case CollectiveKind::Send:
  case CollectiveKind::Receive:
    return {.bytes = group == 1 ? 0 : whole, .formula = "all of {0}"};
  case CollectiveKind::Reshard:
    return {.bytes = -1, .formula = "the partitioner decides what is sent"};
  }
  return {};
}

} // namespace fuselage
