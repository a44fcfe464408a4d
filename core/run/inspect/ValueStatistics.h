// Figures of a tensor: its range, its mean, and how many elements are no finite numbers.
#pragma once
#include "core/protocol/Values.h"
#include "core/run/values/HostTensor.h"

namespace fuselage {

using ValueStatistics = message::ValueStatistics<>;

/// Over all elements. Range, mean and deviation are of the finite ones; of complex numbers, of their magnitudes. Sums
/// are of float64 with compensation (Neumaier), in row-major order; those of integers of up to 64 bits are exact.
/// Integers of more bits are counted alone.
ValueStatistics valueStatisticsOf(const HostTensor &tensor);

/// An element in as few digits as read back as the same value (of floats of up to 32 bits, as an f32): "0.1", "nan",
/// "-7", "1+2i", "true".
std::string elementDigits(const HostTensor &tensor, int64_t index);

/// An element as a real number: a complex one's magnitude.
double realElement(const HostTensor &tensor, int64_t index);

} // namespace fuselage
