// What another rounding would have left, and what it tells of a result.
#pragma once
#include "core/run/values/HostTensor.h"

namespace fuselage {

/// Moves each of `count` floats (or parts of complex numbers) to one of the two numbers next to it, picked by a hash of
/// its position and `seed`. Whole numbers, which most often mean themselves, infinities and NaN stay, and so does all
/// that is no float.
void moveToNeighbours(mlir::Type elementType, uint8_t *data, int64_t count, uint64_t seed);

/// How large the terms were that the elements of a result were added up from, which may be far more than the elements:
/// by how much it moved where each value on the way to it moved by one rounding, divided by `roundoff`, their unit
/// roundoff (random rounding, as in Parker, "Monte Carlo Arithmetic", UCLA 1997). Of the median element, so that a few
/// that jump, such as an index of a maximum, do not count. 0: nothing moved, or too little of it to tell.
double sizeOfTerms(const HostTensor &expected, const HostTensor &moved, double roundoff);

} // namespace fuselage
