// A library of linear algebra that is here, to time a dispatch's matmul with.
#pragma once
#include "core/run/peaks/MatmulShape.h"
#include "core/support/Error.h"
#include <atomic>
#include <vector>

namespace fuselage {

/// How often a matmul is timed.
struct MatmulTiming {
  unsigned launches = 10;
  double seconds = 1; ///< for all of them, in vain ones included
  bool coldCaches = false;
  const std::atomic<bool> *cancelled = nullptr;
};

class MatmulLibrary {
public:
  virtual ~MatmulLibrary() = default;
  /// "OpenBLAS 0.3.21, 2 threads"
  virtual const std::string &name() const = 0;
  virtual bool takes(const MatmulShape &shape) const = 0;
  /// "sgemm 128x768x768 f32"
  virtual std::string describe(const MatmulShape &shape) const = 0;
  /// Microseconds of each launch, on operands of its own. Failure: no memory, a wrong result, or it died.
  virtual llvm::Expected<std::vector<double>> time(const MatmulShape &shape, const MatmulTiming &timing) = 0;
};

} // namespace fuselage
