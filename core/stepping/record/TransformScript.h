// A list of passes as a transform-dialect script.
#pragma once
#include "core/support/Error.h"
#include "llvm/ADT/ArrayRef.h"

namespace fuselage {

/// A script whose @__transform_main runs each pass by transform.apply_registered_pass: on the module, or
/// on all functions in it. `pipelines`: as in Step::pipeline, a pass each. Failure: a pass that is nested
/// in other ops than func.func, or one with options that are lists of options themselves.
llvm::Expected<std::string> transformScript(llvm::ArrayRef<std::string> pipelines);

/// The textual pipeline that runs all of them, one after the other: "builtin.module(a,func.func(b,c))".
std::string joinPipelines(llvm::ArrayRef<std::string> pipelines);

} // namespace fuselage
