// Calls of somebody else's library into a CUDA device, timed by the device's own clock.
#pragma once
#include "core/run/peaks/MatmulLibrary.h"
#include "core/runtime/device/CudaBuffer.h"
#include "core/support/ResultErrors.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <dlfcn.h>

namespace fuselage {

/// A tensor of a call, all elements of which are one.
struct CudaOperand {
  int64_t elements = 0;
  std::string type{}; ///< "f32", "f16", "bf16"
};

/// The operands of a call, the result last, as often as it takes for caches to forget them where they shall be cold.
class CudaCalls {
public:
  explicit CudaCalls(Device &device) : device_(device), context_(device.cudaContext()) {}

  /// Allocates and fills them. Failure: no memory.
  llvm::Error prepare(llvm::ArrayRef<CudaOperand> operands, bool coldCaches);
  /// Calls with the addresses of one set after the other; each is timed between two events, but for the first two.
  /// Failure: of a call, of the device, or it was cancelled.
  llvm::Expected<std::vector<double>> time(const MatmulTiming &timing, const std::string &what,
                                           llvm::function_ref<llvm::Error(llvm::ArrayRef<void *> addresses)> call);
  /// Failure: the first or the last element of a result is not `expected`, up to one part in a hundred. `library` and
  /// `what` are for the message.
  llvm::Error check(double expected, const std::string &library, const std::string &what);

private:
  llvm::Expected<bool> isResult(double expected);

  Device &device_;
  std::shared_ptr<CudaContext> context_;
  std::vector<CudaOperand> operands_;
  std::vector<std::vector<std::unique_ptr<DeviceBuffer>>> sets_;
};

/// The first library of `names` that has all `Functions` and starts on the device; null: there is none. It stays
/// loaded: it has threads and state in the context.
template <class Library, class Functions>
std::unique_ptr<Library> openCudaLibrary(Device &device, llvm::ArrayRef<const char *> names) {
  if (!device.cudaContext())
    return nullptr;
  for (const char *soname : names) {
    void *loaded = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
    Functions functions;
    if (!loaded || !functions.resolve(loaded))
      continue;
    auto library = std::make_unique<Library>(device, functions);
    if (library->start())
      return library;
  }
  return nullptr;
}

/// Bytes of an element; 0: no such type.
unsigned cudaElementBytes(llvm::StringRef type);
/// As cudaDataType_t numbers it; -1: no such type.
int cudaDataType(llvm::StringRef type);

} // namespace fuselage
