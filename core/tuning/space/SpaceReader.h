// Reads the tuning space of a schedule.
#pragma once
#include "core/support/Error.h"
#include "core/tuning/space/Space.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

namespace fuselage::tune {

struct SpaceOptions {
  /// Returns the size of the payload that `divides = "arg0.1"` names (PayloadSizes.h); nullopt if there is none.
  std::function<std::optional<int64_t>(llvm::StringRef name)> sizeNamed{};
  /// Each knob takes its selected value only; its options are ignored.
  bool selectedOnly = false;
};

/// A space, and the parameters of the schedule as expressions over its knobs.
struct ScriptSpace {
  Space space;
  std::vector<std::pair<mlir::Operation *, std::vector<Expression>>> results; ///< by constrain_params, then by result
  llvm::DenseMap<mlir::Value, Expression> numbers{}; ///< by parameter: knobs, constants, those results
};

/// Reads all transform.tune.knob, transform.tune.alternatives and transform.smt.constrain_params of `script`.
///  - Options are a list, or a dictionary of lower_bound (1 if missing), upper_bound, divisible_by, divides and
///    power_of_two. The operand of divides and divisible_by is a number, the name of a knob or of a size of the
///    payload, or a list of these. Without upper_bound, the number that the knob divides is its upper bound.
///  - Knobs with the same name are one knob, and must have the same options.
///  - In a region of alternatives that is not selected, knobs have their first value and conditions do not apply, so
///    that no point is counted twice.
///  - A region of constraints contains ops of the smt dialect on Int and Bool. Its operands are knobs,
///    transform.param.constant and results of other constraints. Each variable of its own (smt.declare_fun) must be
///    determined by an assertion that is an equation and linear in the variable.
/// Fails, with the place in the script, on anything else.
llvm::Expected<ScriptSpace> readSpace(mlir::ModuleOp script, const SpaceOptions &options = {});

} // namespace fuselage::tune
