// Expressions that are linear in one knob.
#pragma once
#include "core/tuning/space/Expression.h"

namespace fuselage::tune {

/// base + slope * knob, as nodes of the expression that do not read the knob.
struct Line {
  int base = -1, slope = -1;
};

/// `node` of `expression` as a linear function of `knob`; appends nodes as needed. Returns nullopt if it is not linear,
/// such as k * k.
std::optional<Line> lineIn(Expression &expression, int node, unsigned knob);

/// Returns true if `node` reads the knob.
bool reads(const Expression &expression, int node, unsigned knob);

} // namespace fuselage::tune
