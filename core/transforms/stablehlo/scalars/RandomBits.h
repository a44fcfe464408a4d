// Counter-based generators of random numbers on scalars: Threefry and Philox (Salmon and others, SC 2011).
#pragma once
#include "core/transforms/stablehlo/scalars/Scalar.h"
#include <array>

namespace fuselage {

/// Threefry 2x32 of 20 rounds; words are i32.
std::array<Scalar, 2> threefry(std::array<Scalar, 2> counter, std::array<Scalar, 2> key);
/// Philox 4x32 of 10 rounds; words are i32, of the counter the lowest first.
std::array<Scalar, 4> philox(std::array<Scalar, 4> counter, std::array<Scalar, 2> key);

/// The halves of an i64, the low one first, and back.
std::array<Scalar, 2> wordsOf(const Scalar &number);
Scalar joinWords(const Scalar &low, const Scalar &high);

} // namespace fuselage
