// Which compiler lowers a module that is not in linalg yet.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include <optional>
#include <string>

namespace fuselage {

struct ToolAdvice {
  std::string form;     ///< "Torch"
  unsigned ops = 0;     ///< that are in it
  std::string program;  ///< the first that does it and is here; where none is, the first that would
  bool isThere = false; ///< the program is in a folder of PATH
  std::string command;  ///< "iree-compile --iree-input-type=torch --compile-to=input"
  std::string pipeline; ///< the same as an element of a pipeline: "tool(iree-compile ...)"
  std::string install;  ///< the command that installs the program; empty: it is here, or there is no such command
  /// What the module is, and what lowers it; how to get the program where it is not here.
  std::string sentence;
};

/// Of a module whose work is mostly in ops of Torch or ONNX; nullopt for all others.
std::optional<ToolAdvice> adviceFor(mlir::ModuleOp module);

/// The sentence, and the call that does it to a file, for a terminal.
std::string adviceNote(const ToolAdvice &advice, llvm::StringRef file);

} // namespace fuselage
