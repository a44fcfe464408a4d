// Where a script begins, and what its entry is given beside the payload's module.
#pragma once
#include "core/ir/module/Diagnostics.h"
#include "core/support/Error.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <optional>

namespace fuselage {

/// The op that the script begins at: the named sequence `wanted`; without a wish @__transform_main, else the sequence
/// that an IREE tuning spec marks as its entry, the only transform.sequence at the top, or the only named sequence that
/// no other op refers to. Failure: there is none, or more than one; it lists what there is.
llvm::Expected<mlir::transform::TransformOpInterface> findEntry(mlir::ModuleOp script, llvm::StringRef path,
                                                                llvm::StringRef wanted);

/// A remark that nothing names `entry` as the entry: it is the only sequence that can be. nullopt: something does.
std::optional<Diagnostic> describeChosenEntry(mlir::Operation *entry);

/// Puts a value in the place of each argument of the script's entry after the first, which is the payload's module, so
/// that every interpreter runs the script as it is then. `valueNames` has the names of values as the text spells them,
/// with the %, and gets those of the new values. `given` has by name, without the %, op names for a handle to ops
/// ("linalg.matmul,linalg.generic") and for one to values (the results of these ops), and an attribute for a parameter
/// ("32"). What it leaves out follows from a type such as !transform.op<"linalg.matmul">. Value names are known, op
/// numbers are not yet. Failure: an argument is left open, or `given` has what the entry has not, or what the type of
/// an argument does not take.
llvm::Error bindArguments(mlir::transform::TransformOpInterface entry, mlir::ModuleOp script, llvm::StringRef path,
                          llvm::DenseMap<mlir::Value, std::string> &valueNames,
                          const std::map<std::string, std::string> &given);

} // namespace fuselage
