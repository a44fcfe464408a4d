// Where two programs for one model are cut into dispatches alike, and where not.
#pragma once
#include "core/protocol/Compare.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace fuselage {

using DispatchComparison = message::DispatchComparison<>;

/// Failure: the module is a dump that XLA made before it formed kernels, named `name`.
llvm::Error checkComparable(mlir::ModuleOp module, llvm::StringRef name);

/// Compares the dispatches of two modules, those that are in them, or, where none are, those that the policy would
/// form. Dispatches hang together that have the same work in them (Alignment.h says which is the same): names, numbers
/// and dialects play no part, so that what another compiler made can be told. What has no such counterpart goes with
/// what was made of the same ops of the user's program, as the exporter named them, and data that is only laid out anew
/// with who reads it. Beside a dump of XLA, the other side says why it keeps apart what XLA fused; beside what Inductor
/// left behind, each side says that of the other. Names of the sides are left open.
DispatchComparison compareDispatches(mlir::ModuleOp a, mlir::ModuleOp b);

/// Totals, then a line for each group of rows, with how many they are, and the time of all of them where they were
/// timed; if `all` a line for each row.
std::string formatComparison(const DispatchComparison &comparison, bool all);

} // namespace fuselage
