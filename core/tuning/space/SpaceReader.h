// The space that a schedule leaves open.
#pragma once
#include "core/support/Error.h"
#include "core/tuning/space/Space.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

namespace fuselage::tune {

struct SpaceOptions {
  /// What `divides = "arg0.1"` asks: a size of the payload (PayloadSizes.h). nullopt: there is none of that name.
  std::function<std::optional<int64_t>(llvm::StringRef name)> sizeNamed{};
  /// Only what is selected counts: each knob takes that value alone, its options are not looked at.
  bool selectedOnly = false;
};

/// A space, and what constraints give to the schedule, over the knobs of the space.
struct ScriptSpace {
  Space space;
  std::vector<std::pair<mlir::Operation *, std::vector<Expression>>> results; ///< of each constrain_params, by result
  llvm::DenseMap<mlir::Value, Expression> numbers{}; ///< what parameters are: knobs, constants, and those results
};

/// Reads all transform.tune.knob, transform.tune.alternatives and transform.smt.constrain_params of `script`.
///  - Options are a list, or a dictionary of lower_bound (1 if missing), upper_bound, divisible_by, divides and
///    power_of_two. What divides or is divisible by is a number, the name of a knob or of a size of the payload, or a
///    list of these. Without upper_bound, what the knob divides bounds it.
///  - Knobs of one name are one, and must have the same options.
///  - A knob inside of a region that is not picked is left at its first value, so that no choice counts twice; what is
///  asked of it
///    there, is not asked.
///  - A region of constraints is ops of the smt dialect on Int and Bool; its operands are knobs,
///  transform.param.constant
///    and results of other constraints. Variables of its own (smt.declare_fun) have to be fixed by an assertion that is
///    an equation and linear in them.
/// Failure, with the place in the script: whatever of this it is not.
llvm::Expected<ScriptSpace> readSpace(mlir::ModuleOp script, const SpaceOptions &options = {});

} // namespace fuselage::tune
