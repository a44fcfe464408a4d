#include "core/kernels/Occupancy.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace fuselage {

std::optional<ChipLimits> chipLimits(llvm::StringRef chip) {
  constexpr uint64_t KiB = 1024;
  static const ChipLimits known[] = {
      {.capability = 75, .warps = 32, .blocks = 16, .sharedBytes = 64 * KiB, .sharedBytesOfBlock = 64 * KiB},
      {.capability = 80,
       .warps = 64,
       .blocks = 32,
       .sharedBytes = 164 * KiB,
       .sharedBytesOfBlock = 163 * KiB,
       .reservedBytesOfBlock = KiB},
      {.capability = 86,
       .warps = 48,
       .blocks = 16,
       .sharedBytes = 100 * KiB,
       .sharedBytesOfBlock = 99 * KiB,
       .reservedBytesOfBlock = KiB},
      {.capability = 87,
       .warps = 48,
       .blocks = 16,
       .sharedBytes = 164 * KiB,
       .sharedBytesOfBlock = 163 * KiB,
       .reservedBytesOfBlock = KiB},
      {.capability = 89,
       .warps = 48,
       .blocks = 24,
       .sharedBytes = 100 * KiB,
       .sharedBytesOfBlock = 99 * KiB,
       .reservedBytesOfBlock = KiB},
      {.capability = 90,
       .warps = 64,
       .blocks = 32,
       .sharedBytes = 228 * KiB,
       .sharedBytesOfBlock = 227 * KiB,
       .reservedBytesOfBlock = KiB},
      {.capability = 100,
       .warps = 64,
       .blocks = 32,
       .sharedBytes = 228 * KiB,
       .sharedBytesOfBlock = 227 * KiB,
       .reservedBytesOfBlock = KiB},
      {.capability = 120,
       .warps = 48,
       .blocks = 24,
       .sharedBytes = 100 * KiB,
       .sharedBytesOfBlock = 99 * KiB,
       .reservedBytesOfBlock = KiB},
  };
  unsigned capability = 0;
  if (!chip.consume_front("sm_") || chip.consumeInteger(10, capability) ||
      !(chip.empty() || chip == "a" || chip == "f"))
    return std::nullopt;
  for (const ChipLimits &each : known)
    if (each.capability == capability)
      return each;
  return std::nullopt;
}

Occupancy occupancyOf(const ChipLimits &chip, unsigned threads, unsigned registers, uint64_t sharedBytes) {
  constexpr unsigned warpSize = 32, registerUnit = 256, warpUnit = 4, sharedUnit = 128;
  Occupancy result{.mostWarps = chip.warps};
  unsigned warps = std::max(1u, unsigned(llvm::divideCeil(threads, warpSize)));
  uint64_t shared = llvm::alignTo(sharedBytes + chip.reservedBytesOfBlock, sharedUnit);
  uint64_t registersOfWarp =
      std::max<uint64_t>(registerUnit, llvm::alignTo(uint64_t(registers) * warpSize, registerUnit));
  // Each quarter of a multiprocessor has its own registers and takes whole warps.
  uint64_t warpsByRegisters = llvm::alignDown(chip.registers / registersOfWarp, uint64_t(warpUnit));
  struct Bound {
    uint64_t blocks;
    const char *limiter;
  };
  Bound bounds[] = {{chip.blocks, "blocks"},
                    {chip.warps / warps, "warps"},
                    {warpsByRegisters / llvm::alignTo(warps, warpUnit), "registers"},
                    {shared ? chip.sharedBytes / shared : chip.blocks, "workgroup memory"}};
  const Bound *least = std::min_element(std::begin(bounds), std::end(bounds),
                                        [](const Bound &a, const Bound &b) { return a.blocks < b.blocks; });
  result.blocks = least->blocks;
  result.warps = result.blocks * warps;
  result.limiter = least->limiter;
  return result;
}

} // namespace fuselage
