// The RUN lines of a test of MLIR: what they do to the file, as far as it is passes.
#pragma once
#include "core/lsp/text/TextBuffer.h"

namespace fuselage::lsp {

/// A command of lit that runs passes on the file. It is read, and never started: a file cannot name a program.
struct RunLine {
  int first = 0, last = 0; ///< lines: a command may go on after a backslash
  std::string program;     ///< "mlir-opt"
  std::string pipeline;    ///< "canonicalize,cse", or what --pass-pipeline has
  std::vector<std::string>
      passes{}; ///< arguments that name a pass or a pipeline, without options; of --pass-pipeline, none
  std::vector<std::string> unknown{}; ///< arguments that are neither, such as a pass of another compiler
};

/// Those of commands whose program is called "..-opt" and that run a pass, in order. Passes are those that are
/// registered in this process; options of MlirOptMain are passed over.
std::vector<RunLine> findRunLines(const TextBuffer &text);

} // namespace fuselage::lsp
