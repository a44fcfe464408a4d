// What the processor is called and what it has. The engine asks LLVM (HostCpu.cpp); fuselage-launch, which has no LLVM,
// reads the same from the system.
#pragma once
#include <set>
#include <string>

namespace fuselage {

/// What a processor is called and what it has, as LLVM says (HostCpu.cpp); fuselage-launch, which has no LLVM, reads
/// the same from the processor itself.
struct HostCpu {
  std::string name;               ///< "znver4"
  std::set<std::string> features; ///< "avx512f", those that it has
  std::string triple;             ///< of this process
  std::string linker;             ///< what makes kernels callable: "LLVM 22.1.8"
  bool knowsRegisters = false;    ///< the number of vector registers follows from the features
};
HostCpu readHostCpu();
/// The number of processors that the system lets this process use.
unsigned systemProcessorCount();

} // namespace fuselage
