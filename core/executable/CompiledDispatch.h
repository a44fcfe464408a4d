// What compilers hand to the runtime: code for a device, and how it is launched.
#pragma once
#include "core/executable/HostCallForm.h"
#include <array>
#include <memory>
#include <string>
#include <vector>

namespace fuselage {

/// One launch. Kernel parameter i (PTX) or binding i of set 0 (SPIR-V) is buffer `arguments[i]` of
/// its dispatch (see CompiledDispatch).
struct CompiledKernel {
  std::string entry;
  std::string binary; ///< PTX text, SPIR-V words as bytes, or an object of the host
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::array<uint32_t, 3> block{1, 1, 1}; ///< on the host, the threads that share its work
  uint64_t sharedBytes = 0;
  uint64_t dynamicSharedBytes = 0; ///< part of sharedBytes that the launch gives (PTX only)
  std::vector<unsigned> arguments;
  std::shared_ptr<const HostCallForm> host{}; ///< how the host calls it; null: it is a kernel of a GPU
};

/// A result of a dispatch on a GPU, whose sizes are known before it is launched.
struct ResultForm {
  uint64_t bytes = 0;
  std::vector<int64_t> shape{};
};

/// A dispatch function `(tensors) -> tensors` compiled to launches in order. Buffers are numbered:
/// the function's arguments, then its results, then scratch buffers. All are dense row-major;
/// i1 takes a byte an element, i2 and i4 are packed, low bits first, index takes 64 bits. Scalars
/// (index, f32 arguments) are one-element buffers. On the host, which has one kernel a dispatch, i2 and i4 take a byte
/// an element, too.
struct CompiledDispatch {
  std::string name;
  std::vector<CompiledKernel> kernels;
  std::vector<uint64_t> scratchBytes;
  std::vector<ResultForm> results{}; ///< for Device::prepare; the host's are in its call form
};

} // namespace fuselage
