// The inputs that a run makes up.
#pragma once
#include "core/run/values/HostTensor.h"
#include "core/run/values/InputDomain.h"
#include <atomic>

namespace fuselage {

/// A value of `type` that depends on `seed`, `index` and `domain` alone, on every platform. Floats
/// are normally distributed (the sum of twelve uniform numbers, so within 6 deviations), rounded to
/// the type; integers count up where a domain says so, else take the whole range of the type, small
/// and large ones as likely, one in 16 at an edge (least, greatest, 0, 1, -1); i1 both; index, and
/// what a domain bounds, is uniform within the bounds ([0, 8) for an index that nothing bounds).
llvm::Expected<HostTensor> randomTensor(mlir::Type type, uint64_t seed, uint64_t index, const InputDomain &domain = {});

/// The same into memory that is there. Leaves the rest as it is once `cancelled`.
void fillRandomly(HostTensor &tensor, uint64_t seed, uint64_t index, const InputDomain &domain,
                  const std::atomic<bool> *cancelled = nullptr);

/// One value an argument, in the domain of what reads it.
llvm::Expected<std::vector<HostTensor>> randomArguments(mlir::func::FuncOp function, uint64_t seed);

} // namespace fuselage
