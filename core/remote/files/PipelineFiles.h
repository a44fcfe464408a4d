// Options of passes that name files.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <string>

namespace fuselage::remote {

/// Calls `map` for each file that a pass of the pipeline reads, and puts what it makes of the path in its place.
/// Failure: that of `map`, or a pass writes a file, which would be on the other machine.
llvm::Error mapPipelineFiles(std::string &pipeline, llvm::function_ref<llvm::Error(std::string &path)> map);

} // namespace fuselage::remote
