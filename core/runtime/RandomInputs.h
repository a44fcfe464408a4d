// The inputs that a run makes up.
#pragma once
#include "core/runtime/HostTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage {

/// A value of `type` that depends on `seed` and `index` alone, on every platform. Floats are
/// multiples of 1/128 in [-1, 1), which every format from 8 bits of mantissa on holds exactly and
/// whose products add up exactly in f32 for a while; integers of up to 8 bits span [-8, 8) (as far
/// as they reach), wider ones and indices are in [0, `limit`), since they often select rows.
llvm::Expected<HostTensor> randomTensor(mlir::Type type, uint64_t seed, uint64_t index,
                                        int64_t limit = 8);

/// One value an argument. Where the function turns tensor elements into indices (a table look-up),
/// wide integers are 0 or 1 so that they stay within small tables.
llvm::Expected<std::vector<HostTensor>> randomArguments(mlir::func::FuncOp function, uint64_t seed);

} // namespace fuselage
