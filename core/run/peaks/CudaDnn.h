// cuDNN, where it is installed.
#pragma once
#include "core/run/peaks/ConvolutionShape.h"
#include "core/run/peaks/MatmulLibrary.h"
#include "core/runtime/device/Device.h"

namespace fuselage {

/// A library of convolutions that is here, to time a dispatch's convolution with.
class ConvolutionLibrary {
public:
  virtual ~ConvolutionLibrary() = default;
  /// "cuDNN 9.1.0"
  virtual const std::string &name() const = 0;
  virtual bool takes(const ConvolutionShape &shape) const = 0;
  /// "cudnnConvolutionForward 1x56x56x64 by .."
  virtual std::string describe(const ConvolutionShape &shape) const = 0;
  /// Microseconds of each launch, on operands of its own. Failure: no memory, a wrong result, or the library's.
  virtual llvm::Expected<std::vector<double>> time(const ConvolutionShape &shape, const MatmulTiming &timing) = 0;
};

inline constexpr const char *kCudnnNames[] = {"libcudnn.so.9", "libcudnn.so.8"};

/// Calls cudnnConvolutionForward with the algorithm that cuDNN's heuristics put first, filters in the layout of the
/// image (as cuDNN wants them), f32 in f32 (no tf32), f16 and bf16 with matrix instructions where it has them; timed by
/// CUDA's events. Null: `device` is no CUDA device, or none of `names` is there, has those functions, and starts.
std::unique_ptr<ConvolutionLibrary> openCudaDnn(Device &device, llvm::ArrayRef<const char *> names = kCudnnNames);

} // namespace fuselage
