// Finds and loads the files of a debug folder. Internal to core/inductor.
#pragma once
#include "core/support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fuselage::inductor {

/// Names that torch gives to the files of a graph.
inline constexpr llvm::StringLiteral kGraphAfterPasses = "fx_graph_transformed.py",
                                     kGraphBefore = "fx_graph_readable.py", kRunnable = "fx_graph_runnable.py",
                                     kMappings = "inductor_provenance_tracking_node_mappings.json";

/// Whether torch calls a file of a graph so.
bool isGraphFileName(llvm::StringRef name);

/// A regular file in a folder, by its name; links are none. nullptr: it is not there, or too large (64 MiB).
std::unique_ptr<llvm::MemoryBuffer> loadFile(llvm::StringRef folder, llvm::StringRef name);
/// The same by the path that a user gave, who may give a link.
std::unique_ptr<llvm::MemoryBuffer> loadNamedFile(llvm::StringRef path);

/// The file in a folder that holds the graph that kernels were made of; empty: none.
std::string graphFileIn(llvm::StringRef folder);

/// The log of TORCH_TRACE in a folder: its own, that in its folder tlparse, or the copy that tlparse keeps beside its
/// pages (raw.log); of several the last by name. Empty: none.
std::string traceFileIn(llvm::StringRef folder);
/// Whether a file begins like such a log, or like an FX graph; reads little.
bool startsLikeTrace(llvm::StringRef file);
bool startsLikeGraph(llvm::StringRef file);

/// The folders of graphs in and below a folder, in the order of their names; of several runs those of the last, and
/// `otherRuns` says how many were left out. Looks at a bounded number of files and levels.
std::vector<std::string> findGraphFolders(llvm::StringRef path, unsigned &otherRuns);

/// The texts with lines of TORCH_LOGS=fusion that stand in a folder (.txt, .log), by name.
std::vector<std::unique_ptr<llvm::MemoryBuffer>> findFusionLogs(llvm::StringRef folder);

} // namespace fuselage::inductor
