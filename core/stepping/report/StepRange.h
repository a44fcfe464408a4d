// Which steps of a recording are reported.
#pragma once
#include "core/support/Error.h"

namespace fuselage {

/// Steps [first, last] by number; the default is all of them.
struct StepRange {
  unsigned first = 0, last = ~0u;
};
/// "12", "12-40", "12-" or "-40"; anything else is a Failure.
llvm::Expected<StepRange> parseStepRange(llvm::StringRef text);

} // namespace fuselage
