// What TORCH_LOGS=fusion prints: the scheduler's nodes, and why two of them are not fused.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>
#include <vector>

namespace fuselage::inductor {

/// "cannot fuse op0_op1 with op2: intermediate nodes between node1 & node2"
struct Unfused {
  std::vector<std::string> first, second; ///< names of the scheduler's nodes: "op0", "op1"
  std::string reason;
};

/// What is printed of one graph.
struct FusionRound {
  std::map<std::string, std::vector<std::string>> origins; ///< by node of the scheduler: FX nodes
  std::vector<std::string> library; ///< nodes of the scheduler that call a kernel of a library, in the log's order
  std::vector<Unfused> unfused;     ///< each once
};

/// Whether a text has lines of this log.
bool hasFusionLines(llvm::StringRef text);

/// The graphs of a log in its order. Lines that are not understood are passed over.
std::vector<FusionRound> readFusionLog(llvm::StringRef text);

} // namespace fuselage::inductor
