// OpenBLAS or BLIS, where one of them is installed.
#pragma once
#include "core/run/peaks/MatmulLibrary.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>

namespace fuselage {

/// The names that these libraries have on a system, the first that is there counts. (libblas.so may be the reference
/// implementation, which nobody would be proud to beat.)
inline constexpr const char *kBlasNames[] = {"libopenblas.so.0", "libopenblas.so", "libblis.so.4", "libblis.so.3",
                                             "libblis.so"};

/// Loaded and called in a copy of this process only: libraries start threads of their own when they are loaded. Uses as
/// many threads as kernels on the host. Null: none of `names` is there and has a cblas_sgemm.
std::unique_ptr<MatmulLibrary> openHostBlas(llvm::ArrayRef<const char *> names = kBlasNames);

} // namespace fuselage
