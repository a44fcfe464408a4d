// Conversions of floats that the processor has no instruction for, as compiled code calls them (HostSymbols.h).
#pragma once
#include <cstdint>

namespace fuselage {

/// The value of a float of 8 bits or fewer, by the number of its llvm::APFloat::Semantics. Exact: a double holds every
/// value of those types.
double widenFloat(uint32_t bits, uint32_t kind);
/// Rounds to the nearest, ties to even.
uint32_t narrowFloat(double from, uint32_t kind);

/// __truncsfbf2 and __truncdfbf2 of compiler-rt, which LLVM calls to narrow to bf16. The bf16 lies in the low bits.
float truncateToBf16(float from);
float truncateWideToBf16(double from);

} // namespace fuselage
