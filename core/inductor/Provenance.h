// Which kernels Inductor made of a graph, as inductor_provenance_tracking_node_mappings.json tells.
#pragma once
#include "core/support/Error.h"
#include <string>
#include <vector>

namespace fuselage::inductor {

struct InductorKernel {
  std::string name;               ///< "cpp_fused_relu_1", "extern_kernels.addmm"
  std::vector<std::string> nodes; ///< FX nodes of the post-grad graph that it computes
  /// Inductor generated its code; otherwise it calls one of a library.
  bool isGenerated() const;
};

/// The kernels in the order in which they run, as far as the file numbers them ("cpp_fused_relu_1:4"). Failure: it is
/// no such file, or of a version that has none of the keys that are known.
llvm::Expected<std::vector<InductorKernel>> readProvenance(llvm::StringRef json);

} // namespace fuselage::inductor
