// A model of equal layers, for tests of what is looked at once for all of them.
#pragma once
#include <string>

namespace fuselage::test {

struct LayeredModelOptions {
  unsigned layers = 12;
  bool returnsEach = false; ///< what each layer has computed is returned, as caches are
  unsigned otherLayer = 0;  ///< the number of a layer that divides where the others multiply; 0: none does
  /// What layers do besides, a bit each: 1 transposes the second weight, 2 reads the layer before the last one, 4
  /// expands and collapses the activation, 8 broadcasts the norm's weight by an op of its own, 16 scales rows by their
  /// maxima.
  unsigned also = 0;
  /// Each layer ends with so many experts: the product with a weight of its own, scaled by its column of a gate, and
  /// added.
  unsigned experts = 0;
};

/// A function @main of residual layers on 8x16 tensors: a norm over rows with a weight, a product with a weight, a
/// relu, a product with another weight, and the sum with what came in. A table that is made before the first layer is
/// read by all.
std::string layeredModel(LayeredModelOptions options);

} // namespace fuselage::test
