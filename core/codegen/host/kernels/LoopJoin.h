// Loops that are one in memory.
#pragma once
#include "core/codegen/host/kernels/LoopKernel.h"

namespace fuselage {

/// Leaves out loops of one iteration, and makes one loop of two where each operand that knows them has the elements of
/// both next to each other: rows of 7 would fill half of a vector, and 7 of them fill three. Operands become views of
/// theirs, made at the builder's place. Nothing changes where the body asks for the loops' indices.
void joinLoops(mlir::OpBuilder &builder, LoopKernel &kernel);

} // namespace fuselage
