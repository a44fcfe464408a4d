// The size of a dispatch that a knob sets, and the name of that knob.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace fuselage::tune {

/// A size that the default pipeline chooses for a dispatch. What reads or writes such a size switches over its role;
/// names are for files, messages and people.
enum class KnobRole {
  WorkgroupTile, ///< GPU: results of a workgroup along one parallel loop
  ReductionStep, ///< GPU: iterations of the innermost reduction in one serial step
  Split,         ///< GPU: workgroups that share the longest reduction (split-K); 1: the reduction is not split
  Rows,          ///< host: rows of results that registers hold
  Vectors,       ///< host: vectors of results that registers hold, of each row
  TaskRows,      ///< host: rows that a thread takes at once
  TaskColumns,   ///< host: columns that a thread takes at once
  BlockRows,     ///< host: rows that ops over the same rows go through together; all of them: there are no blocks
  Queries,       ///< fused attention: rows of a workgroup, or of a task
  Keys,          ///< fused attention: keys of one step
};

/// By role, in its order. Journals, libraries and reports have these names, so that they stay as they are. A
/// WorkgroupTile's is followed by its loop.
inline constexpr llvm::StringLiteral knobNames[] = {"tile_",     "step",         "split",      "rows",    "vectors",
                                                    "task_rows", "task_columns", "block_rows", "queries", "keys"};

struct KnobTarget {
  KnobRole role;
  unsigned loop = 0; ///< of the shaping op; only WorkgroupTile has one
  bool operator==(const KnobTarget &) const = default;
};

/// "tile_2", "rows".
std::string nameOf(KnobTarget target);
/// The reverse. Nullopt: no knob of a dispatch has that name.
std::optional<KnobTarget> knobTargetOf(llvm::StringRef name);

} // namespace fuselage::tune
