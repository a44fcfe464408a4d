// What the knobs of dispatches have in common.
#pragma once
#include "core/tuning/space/Domain.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace fuselage::tune {

/// Along one loop of a kernel.
constexpr int64_t mostTile = 512;

/// Divisors of `range`, powers of two and their triples below it, up to `most`, as `kept` leaves them; 0 in front.
Domain sizesFor(int64_t range, int64_t most, bool onlyDivisors, llvm::function_ref<int64_t(int64_t size)> kept = {});

/// For features, whose values may be 0.
double log2Of(double value);

/// How much is done for what is wanted: 1 where parts of `size` go into `range`.
double waste(int64_t range, int64_t size);

/// The same of rounds in which `workers` take one each.
double waveWaste(double parts, int64_t workers);

} // namespace fuselage::tune
