// Places of a program as numbers that survive a compiler that knows lines only.
#pragma once
#include "core/ir/module/Diagnostics.h"
#include "mlir/IR/BuiltinOps.h"
#include <vector>

namespace fuselage {

/// Line N of one made-up file stands for place N.
class LocationTable {
public:
  /// Gives every op below `root` the number of where it comes from. Only for a copy: its own locations are gone.
  void number(mlir::Operation *root);
  /// Line 0 where the place is not known.
  SourcePosition at(uint64_t number) const { return number < places_.size() ? places_[number] : SourcePosition(); }

private:
  std::vector<SourcePosition> places_ = {{}, {}}; // no compiler takes a line 0; 1: unknown
};

} // namespace fuselage
