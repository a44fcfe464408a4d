// What torch.compile leaves behind with TORCH_COMPILE_DEBUG=1, as a module: the graphs that Inductor compiled, and its
// kernels as dispatches. Files are read within limits, none outside of the folder, and links in it are not followed.
#pragma once
#include "core/support/Error.h"
#include <string>
#include <vector>

namespace fuselage::inductor {

/// A module of MLIR that says what was found.
struct DebugModule {
  std::string text;
  std::vector<Diagnostic> notes;
  std::vector<std::string> files; ///< that locations name
};

/// Whether a path is a folder with graphs of Inductor in it (torch_compile_debug, a run of it, torchinductor, the
/// folder of one graph), one of the files of such a graph, a file that begins like an FX graph, a log of TORCH_TRACE,
/// or a folder with one, such as that of tlparse. Reads little. False: also for what cannot be read.
bool isDebugPath(llvm::StringRef path);

/// Reads all graphs of a folder; of several runs the last. For a file, the graph that it belongs to. Failure: there is
/// no graph, or one of another form than this program knows.
llvm::Expected<DebugModule> readDebugPath(llvm::StringRef path);

} // namespace fuselage::inductor
