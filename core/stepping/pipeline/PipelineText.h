// Reads textual pass pipelines and takes them apart into single passes.
#pragma once
#include "core/support/Error.h"
#include "mlir/IR/MLIRContext.h"

namespace fuselage {

/// One pass with the ops it is nested in.
struct PassUnit {
  std::string pass;     ///< "cse"
  std::string options;  ///< "max-iterations=3", without braces
  std::string pipeline; ///< "builtin.module(func.func(cse))"
};

/// Flattens a textual pipeline: nested pass managers and registered pipelines become one unit a
/// pass, in order. Accepts `builtin.module(...)`, several of them in a row, `func.func(...)` and
/// bare passes; a pass that cannot run on its anchor is nested where it can. Passes must be
/// registered. Failure: a syntax error, an unknown pass or option with the nearest names, or an anchor
/// that the pass cannot run on; its diagnostic has line, column and text of the place.
llvm::Expected<std::vector<PassUnit>> parsePipeline(llvm::StringRef text, mlir::MLIRContext &context);

} // namespace fuselage
