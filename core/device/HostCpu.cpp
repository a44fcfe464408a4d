#include "core/device/HostCpu.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Threading.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

namespace fuselage {

HostCpu readHostCpu() {
  HostCpu cpu{.name = llvm::sys::getHostCPUName().str(),
              .features = {},
              .triple = llvm::sys::getProcessTriple(),
              .linker = "LLVM " LLVM_VERSION_STRING};
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    if (feature.getValue())
      cpu.features.insert(feature.getKey().str());
  llvm::Triple triple(cpu.triple);
  cpu.knowsRegisters = triple.getArch() == llvm::Triple::x86_64 || triple.isAArch64(64);
  return cpu;
}

unsigned systemProcessorCount() { return llvm::hardware_concurrency().compute_thread_count(); }

} // namespace fuselage
