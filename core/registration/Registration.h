// All dialects, interface models, passes and pipelines: what a program registers before it opens files.
#pragma once
#include "mlir/IR/DialectRegistry.h"

namespace fuselage {

/// Every upstream dialect, extension, interface model and translation that we rely on, plus ours
/// and those of the plugins that are loaded.
mlir::DialectRegistry allDialects();

/// Every upstream pass and ours, once per process: before anything parses a pipeline, compiles a dispatch
/// or runs one.
void registerAllPasses();

} // namespace fuselage
