// An expression as a line in one knob.
#pragma once
#include "core/tuning/space/Expression.h"

namespace fuselage::tune {

/// base + slope * knob, both free of the knob: nodes of the expression.
struct Line {
  int base = -1, slope = -1;
};

/// `node` of `expression` as a line in `knob`; what is needed for it is appended. nullopt: it is none, such as k * k.
std::optional<Line> lineIn(Expression &expression, int node, unsigned knob);

/// Whether `node` reads the knob.
bool reads(const Expression &expression, int node, unsigned knob);

} // namespace fuselage::tune
