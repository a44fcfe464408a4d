// Contractions that read and write through the transposes and broadcasts around them.
#pragma once
#include "core/transforms/unlock/LinalgUtils.h"

namespace fuselage {

enum class MoveKind {
  Transpose, ///< dimensions change their order, some may also be repeated
  Broadcast  ///< copies that keep the order of dimensions
};

/// Makes contractions outside of dispatches read the sources of such moves: the permutation goes into the indexing
/// map of the operand. A remark says where a move must stay.
void absorbInputMoves(mlir::RewriterBase &rewriter, mlir::FunctionOpInterface function, MoveKind kind);

/// Makes contractions outside of dispatches whose result is only read by a transpose write in the transposed order.
void absorbOutputTransposes(mlir::RewriterBase &rewriter, mlir::FunctionOpInterface function);

} // namespace fuselage
