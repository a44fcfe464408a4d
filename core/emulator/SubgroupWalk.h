// Instructions that all threads of a subgroup carry out together.
#pragma once
#include "core/emulator/Machine.h"

namespace fuselage::emulator {

/// Calls `each` with the first thread of every subgroup of `size` threads of which somebody takes part; that not all do
/// is reported.
template <class Each>
void forSubgroups(Machine &machine, mlir::Operation *op, unsigned size, const char *what, Each each) {
  const Mask &mask = machine.mask();
  for (unsigned first = 0; first < machine.lanes(); first += size) {
    unsigned count = 0, end = std::min(first + size, machine.lanes());
    for (unsigned lane = first; lane < end; ++lane)
      count += mask.active[lane];
    if (count == 0)
      continue;
    if (count == size)
      each(first);
    else
      machine.races.report(FindingKind::InactiveLane, op, first,
                           std::to_string(count) + " of the " + std::to_string(size) + " threads of a " + what +
                               " take part, and the instruction needs all");
  }
}

} // namespace fuselage::emulator
