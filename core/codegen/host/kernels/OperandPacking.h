// Operands copied into the order in which tiles read them.
#pragma once
#include "core/codegen/host/kernels/LoopPlan.h"

namespace fuselage {

struct PackedOperand {
  mlir::Value memory;                 ///< what the copy fills
  mlir::Value allocated;              ///< what is to be freed
  mlir::AffineMap map;                ///< from the kernel's loops to it
  LoopKernel copy;                    ///< fills it
  mlir::Operation *pattern = nullptr; ///< has the body of `copy`, for nothing else; to erase
};

/// The loops that fill `packed` from `source`, each with the places of both by loop.
void describeCopy(mlir::OpBuilder &builder, PackedOperand &packed, mlir::Value source, mlir::AffineMap from,
                  mlir::AffineMap places, llvm::ArrayRef<int64_t> ranges);

/// Allocates, at the builder's place, memory for an input whose map is a projected permutation: blocks as wide as a
/// tile, of which each holds all that one range of vectors reads, in order.
PackedOperand packOperand(mlir::OpBuilder &builder, const LoopKernel &kernel, const LoopPlan &plan, unsigned input);

/// Allocates memory for an input of which each row is followed by a line of the cache that nobody uses.
PackedOperand padOperand(mlir::OpBuilder &builder, const LoopKernel &kernel, unsigned input);

} // namespace fuselage
