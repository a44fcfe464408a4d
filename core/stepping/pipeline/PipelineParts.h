// What a pipeline is made of beside passes: other compilers, and the default pipeline.
#pragma once
#include "core/support/Error.h"
#include <vector>

namespace fuselage {

struct PipelinePart {
  enum class Kind {
    Passes,  ///< `text` is for parsePipeline()
    Tool,    ///< `text` is a command line
    Default, ///< our default pipeline
  };
  Kind kind = Kind::Passes;
  std::string text{};
};

/// Takes `tool(torch-mlir-opt --torch-...),canonicalize,default` apart. `tool(...)` and `default`
/// stand at the top, beside passes; the parenthesis of a tool ends where one closes that no quotes hold. This is said
/// by whoever asks for a recording: MLIR's own pipelines, such as those in a file, know neither. Failure: a tool(...
/// that does not end.
llvm::Expected<std::vector<PipelinePart>> splitPipeline(llvm::StringRef pipeline);

/// "tool(...)" around a command.
std::string toolElement(llvm::StringRef command);
/// The command of a step's pipeline that is a tool; else empty.
std::string toolCommandOf(llvm::StringRef pipeline);

} // namespace fuselage
