// Attention dispatches in tiles that threads keep in registers, whatever tiles they were made with.
#pragma once
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include <string>
#include <vector>

namespace fuselage {

/// What tiles have to fit.
struct WideAttentionOptions {
  int64_t maxWorkgroupBytes = 0;          ///< of a workgroup, for a tile of the queries and two of keys and values each
  int64_t unitWorkgroupBytes = 0;         ///< of a multiprocessor; 0: f32 keeps the tiles that it has
  int64_t units = 0;                      ///< multiprocessors: fewer workgroups than these get smaller tiles
  int64_t lanes = 0;                      ///< of a device that runs on a processor; 0: it is none
  bool onlyAsked = false;                 ///< tiles that nobody asks for stay as they are
  std::vector<std::string> matrixTypes{}; ///< element types whose products are computed by matrix instructions
};

/// Rebuilds a loop over workgroups as buildOnlineSoftmax makes them with tiles of one static size:
/// where that does not divide the queries or keys, the last tile starts earlier. What a tile of
/// keys repeats gets the probability 0; of the queries each workgroup stores its own. False, and
/// nothing changed, where the loop is none of these, a size is not known, or its tiles are good as
/// they are.
bool widenAttention(mlir::RewriterBase &rewriter, mlir::scf::ForallOp forall, const WideAttentionOptions &options);

} // namespace fuselage
