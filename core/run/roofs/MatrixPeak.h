// What NVIDIA's matrix instructions reach when nothing else is done.
#pragma once
#include "core/protocol/Roofs.h"
#include "core/runtime/device/Device.h"

namespace fuselage {

inline constexpr const char *kMatrixPeakTypes[] = {"f16", "bf16", "tf32"};

/// PTX for sm_80 and newer, of a kernel "matrix_peak" on one buffer of floats, one for each thread: `steps` times eight
/// products by mma.sync of matrices of ones in registers, which do not wait for each other, and the sum of their
/// elements in the end. Empty: there is no such type.
std::string matrixPeakPtx(llvm::StringRef type, unsigned steps);

/// Floating-point operations of a warp, and what each thread writes.
double matrixPeakFlops(llvm::StringRef type, unsigned steps);
double matrixPeakResult(llvm::StringRef type, unsigned steps);

/// Whether it is NVIDIA's, and has those instructions.
bool hasMatrixPeak(const Device &device);

/// The fastest of some launches that fill the device, as a roof "f16 matrix". Failure: of the device, or a result is
/// wrong.
llvm::Expected<message::Roof<>> measureMatrixPeak(Device &device, llvm::StringRef type,
                                                  const std::atomic<bool> *cancelled);

} // namespace fuselage
