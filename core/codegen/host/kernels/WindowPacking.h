// Images copied so that windows on them are rows.
#pragma once
#include "core/codegen/host/kernels/HostTarget.h"
#include "core/codegen/host/kernels/OperandPacking.h"

namespace fuselage {

/// The input of a sum over windows, such as a convolution's image, of which the copy is worth making: its rows fill
/// vectors badly, and each element is read for many results. Nullopt where there is none.
std::optional<unsigned> windowsToPack(const LoopKernel &kernel, const HostTarget &target);

/// Allocates memory for that input: a copy for each place in the window along the rows, and along what is read in
/// strides. In it, rows of the result lie one after the other, so that `joinLoops` makes one of them.
PackedOperand packWindows(mlir::OpBuilder &builder, const LoopKernel &kernel, unsigned input);

} // namespace fuselage
