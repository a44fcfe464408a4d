// Compiled to the object that ElfLinkerTest links: constants, data, a call within, and calls of the C library.
#include <cmath>
#include <cstring>

static const double factors[] = {1, 2, 4, 8, 16, 32, 64, 128};
static long counter = 40;

__attribute__((noinline)) static double scaled(double x, int by) { return x * factors[by & 7]; }

extern "C" double fuselage_test_wave(double x, int by) { return std::sin(scaled(x, by)); }
extern "C" long fuselage_test_count() { return ++counter; }
extern "C" void fuselage_test_copy(void *to, const void *from, unsigned long bytes) { std::memcpy(to, from, bytes); }
