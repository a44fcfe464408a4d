// cuBLAS, where it is installed.
#pragma once
#include "core/run/peaks/MatmulLibrary.h"
#include "core/runtime/device/Device.h"
#include "core/support/ResultErrors.h"

namespace fuselage {

inline constexpr const char *kCublasNames[] = {"libcublas.so.12", "libcublas.so.13", "libcublas.so.11", "libcublas.so"};

/// Calls cublasGemmEx, for batches cublasGemmStridedBatchedEx, in the device's own context and stream, and times it by
/// CUDA's events. f32 is computed in f32 (no tf32), f16 and bf16 in f32 by whatever instructions cuBLAS picks. Null:
/// `device` is no CUDA device, or none of `names` is there, has those functions, and starts.
std::unique_ptr<MatmulLibrary> openCudaBlas(Device &device, llvm::ArrayRef<const char *> names = kCublasNames);

} // namespace fuselage
