// Makes it known where a module computes poison.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <vector>

namespace fuselage {

/// In place, after insertChecks: each op whose result may be poison (a shift by the width or more,
/// a broken nsw, nuw, exact, nnan or ninf, a float that does not fit the integer, an element of a
/// vector that it does not have, ub.poison) gives what host::kPoison says where it is. So a result
/// that differs between the two depends on poison; one that a select throws away does no harm.
void insertPoisonChecks(mlir::ModuleOp module);

/// The hook's sentence for a site: what stands before and after the number that made the value
/// poison.
struct PoisonSite {
  std::string text; ///< "arith.shrui by <integer> on i32 is poison (a.mlir:7:10)"
  /// With the number, as it lies in the hook's 64 bits.
  std::string sentence(int64_t number) const;
};

/// Numbers the calls of host::kPoison in `module`, from 0.
std::vector<PoisonSite> numberPoisonSites(mlir::ModuleOp module);

} // namespace fuselage
