// The log that torch writes with TORCH_TRACE, from which tlparse makes its pages: graphs and mappings of all graphs.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace fuselage::inductor {

/// One graph of a log.
struct TracedGraph {
  std::string name; ///< "frame 0/0", a second one of the frame "frame 0/0.1"
  std::string text;
  unsigned firstLine = 1; ///< of the text, in the log
  std::string mappings;   ///< JSON; empty: the log has none of it
};

struct TraceArtifacts {
  std::vector<TracedGraph> graphs;
  std::string version; ///< of torch; empty: not told
};

/// Whether a text begins like such a log: `V1129 01:59:39.738000 1 torch/x.py:1] {"artifact": ..`.
bool isTorchTrace(llvm::StringRef text);

/// Reads what comes after each line with a header, which is a line of JSON. Headers that are not understood are passed
/// over with what belongs to them.
TraceArtifacts readTorchTrace(llvm::StringRef text);

} // namespace fuselage::inductor
