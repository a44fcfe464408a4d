// Random functions on tensors of every kind that fusion has to judge: also what no exporter writes.
#pragma once
#include <random>
#include <string>

namespace fuselage::test {

struct ModuleOptions {
  int steps = 8;
  bool dynamicSizes = false; ///< the first dimension of most values is `?`
  bool hasControlFlow = true;
};

/// A module with one function @dispatch; each op and each op of a payload stands on a line of its own.
/// Generics with transposed, broadcast and (0, ...) maps, several results, accumulators and indices;
/// named ops; reductions; reshapes, slices, pads, concatenations and gathers; loops, and calls with
/// effects. Valid by construction.
std::string randomModule(const ModuleOptions &options, std::mt19937 &random);

} // namespace fuselage::test
