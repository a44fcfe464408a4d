// Edges that somebody asked to fuse, without success: what was tried is remembered for all edges like them.
#pragma once
#include "core/analysis/fusion/FusionReport.h"
#include "core/engine/Document.h"

namespace fuselage {

/// Ids as in the graph of the snapshot; `operand` -1: any.
struct TriedFusion {
  int64_t from = -1, to = -1;
  int operand = -1;
  std::vector<std::string> tried{}; ///< names of transforms
};

/// Holds for the snapshot wherever it stands in the recording, so that it outlives an undo.
void rememberTried(Document &document, unsigned snapshot, const std::string &policy, TriedFusion fusion);

/// Says so of the edges of a report on that snapshot by that policy, and of all that are in a group with them.
void addTried(Document &document, unsigned snapshot, const std::string &policy, FusionReport &report);

} // namespace fuselage
