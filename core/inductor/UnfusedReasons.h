// The log's lines on nodes of the scheduler, as lines on kernels.
#pragma once
#include "core/inductor/CompiledGraph.h"
#include "core/inductor/KernelPlan.h"

namespace fuselage::inductor {

/// Why the values of one kernel are not computed in another.
class UnfusedReasons {
public:
  UnfusedReasons(const CompiledGraph &graph, const FxFunction &function, const KernelPlan &plan);

  /// Of an edge between two units: what the log says of them; else, that one is a call of a library; else empty.
  std::string ofEdge(unsigned from, unsigned to) const;
  /// All that the log says of a unit and others, each once: "with cpp_fused_relu_1: no shared data".
  std::vector<std::string> ofUnit(unsigned unit) const;

private:
  std::string nameOf(unsigned unit) const;

  const CompiledGraph &graph_;
  const KernelPlan &plan_;
  std::map<std::pair<unsigned, unsigned>, std::vector<std::string>> reasons_; // by units, the lower first
};

} // namespace fuselage::inductor
