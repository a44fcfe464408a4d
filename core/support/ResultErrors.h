// A Status and a Result as LLVM's types, for callers of the runtime.
#pragma once
#include "core/support/Error.h"
#include "core/support/Result.h"

namespace fuselage {

/// A failure's log becomes a diagnostic. Both conversions happen by themselves where this header is included and the
/// type that is wanted is stated: `if (llvm::Error error = device.upload(..))`.
inline llvm::Error llvmError(Status status) {
  if (!status)
    return llvm::Error::success();
  std::vector<Diagnostic> diagnostics;
  if (std::string log = status.log(); !log.empty())
    diagnostics.push_back({.message = std::move(log), .file = "", .line = 0, .column = 0, .notes = {}});
  return fail(status.message(), std::move(diagnostics));
}
template <class T> llvm::Expected<T> llvmExpected(Result<T> result) {
  if (!result)
    return llvmError(result.takeError());
  return std::move(*result);
}

template <> struct ErrorFrom<llvm::Error> {
  static llvm::Error from(Status &&status) { return llvmError(std::move(status)); }
};
template <class T> struct ErrorFrom<llvm::Expected<T>> {
  static llvm::Expected<T> from(Status &&status) { return llvmError(std::move(status)); }
  template <class U> static llvm::Expected<T> from(Result<U> &&result) {
    if (!result)
      return llvmError(result.takeError());
    return T(std::move(*result));
  }
};

} // namespace fuselage
