// Domains and features that the knobs of all dispatches share.
#pragma once
#include "core/tuning/space/Domain.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace fuselage::tune {

/// The largest tile along one loop of a kernel.
constexpr int64_t mostTile = 512;

/// 0, and sizes from 1 to min(`range`, `most`): the divisors of `range` and, unless `onlyDivisors`, powers of two and
/// three times those. If given, `kept` maps each size to the one that the pipeline rounds it to.
Domain sizesFor(int64_t range, int64_t most, bool onlyDivisors, llvm::function_ref<int64_t(int64_t size)> kept = {});

/// The logarithm to base 2; about -30 for 0.
double log2Of(double value);

/// Computed iterations divided by requested ones, for tiles of `size`: 1 if `size` divides `range`.
double waste(int64_t range, int64_t size);

/// Waves divided by full waves, for `parts` tasks on `workers` workers: 1 if all workers are busy in all waves.
double waveWaste(double parts, int64_t workers);

} // namespace fuselage::tune
