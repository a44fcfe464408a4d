// Do two modules compute the same? Runs both on the host, on the same random inputs.
#pragma once
#include "core/support/Error.h"
#include "mlir/IR/BuiltinOps.h"
#include <map>

namespace fuselage {

struct HostCheckOptions {
  std::string function;                 ///< empty: the first public function with a body
  uint64_t seed = 1;
  std::map<std::string, int64_t> sizes{}; ///< dynamic sizes: "arg0.1" -> 128
};

/// Errors as in RunReport, the worst of all results.
struct HostCheck {
  std::string function{};
  double maxAbsError = 0, maxRelError = 0;
  bool ok = true; ///< within the tolerance of the least exact type in the function before
};

/// Failure: no such function, a size is missing, or one of the two cannot be run here.
llvm::Expected<HostCheck> checkOnHost(mlir::ModuleOp before, mlir::ModuleOp after, const HostCheckOptions &options);

/// Floating-point operations of the linalg ops of a function as it stands; -1 where sizes are not known.
/// The host's reference computes some 10^9 a second.
int64_t estimateHostFlops(mlir::ModuleOp module, llvm::StringRef function);

} // namespace fuselage
