#include "core/kernels/InstructionMix.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage {

uint64_t InstructionMix::total() const {
  uint64_t sum = 0;
  for (const auto &[kind, count] : counts)
    sum += count;
  return sum;
}

std::vector<message::KernelFact<>> describeMix(const InstructionMix &mix, llvm::StringRef where) {
  std::vector<message::KernelFact<>> facts;
  std::string how = ("counted in the " + where + ", each once, however often it runs").str();
  if (uint64_t total = mix.total())
    facts.push_back({.key = "instructions",
                     .label = "instructions",
                     .value = std::to_string(total),
                     .number = double(total),
                     .how = how});
  for (const auto &[kind, count] : mix.counts)
    facts.push_back({.key = "mix." + kind,
                     .label = "  " + kind,
                     .value = std::to_string(count),
                     .number = double(count),
                     .how = how});
  if (!mix.globalReads.empty()) {
    std::string widths;
    for (const auto &[bytes, count] : mix.globalReads)
      widths += llvm::formatv("{0}{1} B ({2})", widths.empty() ? "" : ", ", bytes, count);
    facts.push_back({.key = "global_read_width",
                     .label = "global memory, read at once",
                     .value = widths,
                     .number = double(mix.globalReads.begin()->first),
                     .how = how + "; the number is the narrowest"});
  }
  if (mix.loopFmas != 0 && mix.loopSharedBytes != 0) {
    double ratio = double(mix.loopFmas) / mix.loopSharedBytes;
    facts.push_back(
        {.key = "fma_per_workgroup_byte",
         .label = "FMA a byte of workgroup memory",
         .value = llvm::formatv("{0:F2} ({1} FMA, {2} B in a round)", ratio, mix.loopFmas, mix.loopSharedBytes),
         .number = ratio,
         .how = ("counted in the innermost loop of the " + where + " that has the most FMA").str()});
  }
  if (const LoopMix &loop = mix.matrixLoop; loop.matrices != 0)
    facts.push_back(
        {.key = "matrix_loop",
         .label = "loop of matrix instructions",
         .value = llvm::formatv("{0} matrix instructions, {1} ldmatrix, {2} cp.async, {3} on elements in a round",
                                loop.matrices, loop.matrixReads, loop.copies, loop.elementwise),
         .number = double(loop.matrices),
         .how = ("counted in the innermost loop of the " + where + " that has the most of them").str()});
  return facts;
}

} // namespace fuselage
