// How breaches name ops. Internal to core/schedules/forms.
#pragma once
#include "core/ir/module/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace fuselage {

/// "'scf.for'"
inline std::string nameOf(mlir::Operation *op) { return "'" + op->getName().getStringRef().str() + "'"; }

/// "the 'scf.for' at line 7", or "the 'scf.for'" where nobody knows a line.
inline std::string placeOf(mlir::Operation *op) {
  unsigned line = positionOf(op->getLoc()).line;
  return "the " + nameOf(op) + (line > 0 ? " at line " + std::to_string(line) : "");
}

} // namespace fuselage
