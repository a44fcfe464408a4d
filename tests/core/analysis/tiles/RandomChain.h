// Random modules of ops that footprints know: maps of every kind, moves, several uses.
#pragma once
#include <random>
#include <string>
#include <vector>

namespace fuselage {

/// Writes `func.func @f` with `ops` ops or a few more, each reading values made before; shapes are
/// small enough to execute.
std::string randomChain(std::mt19937 &random, int ops);

} // namespace fuselage
