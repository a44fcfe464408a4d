// Which build of the engine this is.
#pragma once
#include <string>

namespace fuselage {

/// The version and a short hash of this program and of the LLVM and MLIR that it runs with, as "0.1.0-3f2a90c1d4e7":
/// two machines with the same name run the same code. A copy without symbols has the same name.
const std::string &engineId();

} // namespace fuselage
