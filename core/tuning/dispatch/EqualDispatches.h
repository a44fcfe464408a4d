// Equal dispatches of a program, of which one is tuned.
#pragma once
#include "core/run/RunProgram.h"

namespace fuselage::tune {

/// Dispatches with the same type and body. What tuning finds for the first one holds for all of them: the tuning
/// library knows dispatches by their type and body, too.
struct EqualDispatches {
  mlir::func::FuncOp first;
  std::vector<std::string> functions{}; ///< the names of all of them, in order of their first call
  unsigned calls = 0;                   ///< of all of them: a function may be called by every layer
};

/// The dispatches of a program by equality, in order of their first call. Each is in one of the groups.
std::vector<EqualDispatches> equalDispatches(const RunProgram &program);

} // namespace fuselage::tune
