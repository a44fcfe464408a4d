// A module of many linalg ops, for tests and figures of what has to grow linearly.
#pragma once
#include <string>

namespace fuselage {

/// A function of `ops` linalg ops on tensors: each reads the one before it and an older one, every fifth
/// is a matmul, so that there are chains, branches, and values that many read. One fill and one empty
/// tensor serve all.
std::string linalgChain(unsigned ops);

} // namespace fuselage
