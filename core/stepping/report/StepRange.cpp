#include "core/stepping/report/StepRange.h"

namespace fuselage {

llvm::Expected<StepRange> parseStepRange(llvm::StringRef text) {
  auto [first, last] = text.split('-');
  StepRange range;
  bool isRange = text.contains('-');
  if ((first.empty() && last.empty()) || (!first.empty() && first.getAsInteger(10, range.first)) ||
      (!last.empty() && last.getAsInteger(10, range.last)) || range.last < range.first)
    return fail("'" + text.str() + "' is no range of steps; write 12, 12-40, 12- or -40");
  if (!isRange)
    range.last = range.first;
  return range;
}

} // namespace fuselage
