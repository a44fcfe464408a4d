// A graph with all that is known of it. Internal to core/inductor.
#pragma once
#include "core/inductor/FusionLog.h"
#include "core/inductor/FxGraph.h"
#include "core/inductor/Provenance.h"

namespace fuselage::inductor {

/// One graph that Inductor compiled.
struct CompiledGraph {
  std::string name; ///< "model__0_inference_0.0"
  std::string file; ///< that the graph was read from: locations name it
  FxGraph graph;
  std::vector<InductorKernel> kernels; ///< of its first function
  const FusionRound *log = nullptr;    ///< null: not known
};

} // namespace fuselage::inductor
