// One way to make a context.
#pragma once
#include "mlir/IR/MLIRContext.h"
#include <memory>

namespace fuselage {

/// A context without threads, in which unknown ops are allowed. The dialects that core builds ops
/// of are loaded: a module that uses none of them does not load them, passes load theirs for
/// themselves only, and to build an op of a dialect that is not loaded gives a null op.
std::unique_ptr<mlir::MLIRContext> makeContext(const mlir::DialectRegistry &registry);

} // namespace fuselage
