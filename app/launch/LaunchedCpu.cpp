// What the launcher knows of the processor without LLVM, and how it links kernels of the host.
#include "core/device/HostCpu.h"
#include "core/runtime/host/ElfLinker.h"
#include <algorithm>
#include <cstdio>
#include <sched.h>
#include <sstream>

namespace fuselage {

/// The first line of /proc/cpuinfo under a key; empty: there is none.
static std::string cpuInfo(const std::string &key) {
  FILE *file = std::fopen("/proc/cpuinfo", "re");
  if (!file)
    return "";
  std::string found;
  char line[16384];
  while (found.empty() && std::fgets(line, sizeof line, file)) {
    std::string text = line;
    size_t colon = text.find(':');
    if (colon != text.npos && text.compare(0, key.size(), key) == 0 &&
        text.find_first_not_of(" \t", key.size()) == colon && colon + 2 <= text.size())
      found = text.substr(colon + 2, text.size() - colon - 3);
  }
  std::fclose(file);
  return found;
}

HostCpu readHostCpu() {
  HostCpu cpu{.name = cpuInfo("model name"), .features = {}, .triple = "", .linker = "fuselage-launch"};
  // Linux writes "avx512_bf16" and "sse4_2", LLVM "avx512bf16" and "sse4.2".
  std::istringstream flags(cpuInfo("flags") + " " + cpuInfo("Features"));
  for (std::string flag; flags >> flag;) {
    flag.erase(std::remove(flag.begin(), flag.end(), '_'), flag.end());
    cpu.features.insert(flag);
  }
#ifdef __x86_64__
  cpu.triple = "x86_64-linux-gnu";
  cpu.knowsRegisters = true;
#elif defined(__aarch64__)
  cpu.triple = "aarch64-linux-gnu";
  cpu.knowsRegisters = true;
#endif
  return cpu;
}

unsigned systemProcessorCount() {
  cpu_set_t processors;
  return sched_getaffinity(0, sizeof processors, &processors) == 0 ? unsigned(CPU_COUNT(&processors)) : 1;
}

Result<std::unique_ptr<HostLinker>> linkHostObject(std::string_view object) { return linkElfObject(object); }

} // namespace fuselage
