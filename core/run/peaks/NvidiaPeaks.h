// What NVIDIA's GPUs reach when nothing else is done: arithmetic on registers, and reading from the last cache. PTX of
// our own, since what code generation makes of a loop nest holds other instructions too.
#pragma once
#include "core/protocol/Peaks.h"
#include "core/runtime/device/Device.h"

namespace fuselage {

/// The names of the peaks of arithmetic: FMA instructions of f32 and pairs of f16, and matrix instructions.
inline constexpr const char *kNvidiaPeaks[] = {"f32", "f16", "f16 matrix", "bf16 matrix", "tf32"};

/// PTX for sm_80 and newer, of a kernel "peak" on two buffers: what a thread reads, and 32 bits for each thread, which
/// it writes. `rounds` times a loop of instructions in chains that do not wait for each other. Chains begin with
/// different numbers: what computes the same, the assembler would compute once. Empty: there is no such peak.
std::string peakPtx(llvm::StringRef name, unsigned rounds);
/// The registers that hold the chains: a kernel with fewer leaves work out.
unsigned peakRegisters(llvm::StringRef name);
/// Floating-point operations of a thread.
double peakFlops(llvm::StringRef name, unsigned rounds);
/// What each thread writes: a float, or for "f16" two halves.
double peakResult(llvm::StringRef name, unsigned rounds);

/// PTX of a kernel "cache_read" on two buffers: all threads together read the first one, a power of two of bytes, again
/// and again, past the first cache, and each writes the sum of what it has read.
std::string cacheReadPtx(uint64_t bytes, unsigned threads, unsigned rounds);

/// Whether it is NVIDIA's, and has those instructions.
bool hasNvidiaPeaks(const Device &device);

/// The fastest of some launches that fill the device, as a peak of that name. Failure: of the device, or a result is
/// wrong.
llvm::Expected<message::Peak<>> measureNvidiaPeak(Device &device, llvm::StringRef name,
                                                  const std::atomic<bool> *cancelled);
/// The bandwidth of the last cache, of whose memory `bytes` are read: a power of two.
llvm::Expected<message::Peak<>> measureCacheRead(Device &device, uint64_t bytes, const std::atomic<bool> *cancelled);

} // namespace fuselage
