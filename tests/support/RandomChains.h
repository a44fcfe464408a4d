// Random functions on tensors, as exporters write them: transposes, broadcasts, reshapes and unit
// dimensions between products, elementwise ops and reductions.
#pragma once
#include <random>
#include <string>

namespace fuselage::test {

/// A module with one function @dispatch of `ops` steps on small f32 tensors, and its first lines:
/// `options` leave out what a pass is not about.
struct ChainOptions {
  int ops = 6;
  bool unitDims = true;
  bool reshapes = true;
  bool products = true;
  bool reductions = true;
  bool slices = false; ///< also slices (strided ones, too), padding, casts and concatenations
  int results = 1;     ///< values that the function returns; more give producers other users
};
std::string randomChain(const ChainOptions &options, std::mt19937 &random);

/// softmax(scale * q k^T + mask) v, cut into ops in a random way.
std::string randomAttention(std::mt19937 &random);

} // namespace fuselage::test
