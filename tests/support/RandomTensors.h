// Random programs on tensors, for what bufferization does with them.
#pragma once
#include <random>
#include <string>

namespace fuselage::test {

struct TensorProgramOptions {
  int ops = 8;
  bool calls = true;   ///< with a second function that is called
  bool foreign = true; ///< with ops that nobody knows
};

/// A module whose function @main reads and writes, in random order, whole tensors and slices of them:
/// arguments (some read-only), constants, empty tensors; in loops that carry tensors, in branches, in
/// parallel loops.
std::string randomTensorProgram(const TensorProgramOptions &options, std::mt19937 &random);

} // namespace fuselage::test
