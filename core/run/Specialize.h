// One function of a module, made ready to run.
#pragma once
#include "core/ir/ops/ArgumentSizes.h"
#include "core/support/Error.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <map>
#include <vector>

namespace fuselage {

/// The function to run: `name`, or the first public func.func with a body, in `module` or one of
/// its split modules. Failure: none of that name (lists those that exist), or none at all.
llvm::Expected<mlir::func::FuncOp> pickFunction(mlir::ModuleOp module, llvm::StringRef name);

/// A copy of the function's module in which only that function is public, what it does not reach is
/// gone, and its tensor arguments have the sizes given ("arg0.1" -> 128). Static shapes are
/// propagated as far as they go. An integer argument that is one of these sizes becomes the constant, and bounds of its
/// argument say so. An argument that nobody reads may be anything. Failure: a dynamic size is missing, unknown, wrong,
/// or an argument cannot be given a size.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> specialize(mlir::func::FuncOp function, const ArgumentSizes &sizes);

/// The same, with sizes that are chosen (DefaultSizes.h) where `sizes` lacks some; a remark on the function says which.
/// `inputs` are values of arguments as a run is told them ("arg0" -> "16"): an integer that is a size counts as one.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
specializeWithDefaults(mlir::func::FuncOp function, ArgumentSizes sizes, std::vector<Diagnostic> &remarks,
                       const std::map<std::string, std::string> &inputs = {});

/// `sizes`, and those that specializeWithDefaults() chooses beside.
ArgumentSizes withDefaults(mlir::func::FuncOp function, const ArgumentSizes &sizes,
                           const std::map<std::string, std::string> &inputs);

} // namespace fuselage
