// Numbers for ops that look alike.
#pragma once
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace fuselage {

/// Gives ops the same number exactly if they agree in name, operand and result types, attributes and
/// payload (body of a linalg op); what their operands are is the edges' matter, other bodies are nodes
/// of their own. Two liberties, so that layers are equal which a reader calls equal: constants agree
/// whatever their data is, unless it is a splat (all weights of a type are alike), and so do ops
/// without operands that differ in the symbol they name (loads of globals); slices agree whatever
/// their static offsets are (heads of attention).
class NodeShapes {
public:
  int of(mlir::Operation *op);

private:
  struct Shape {
    mlir::Operation *op; ///< the first one
    mlir::Attribute relaxed;
    int number;
  };
  llvm::DenseMap<size_t, llvm::SmallVector<Shape, 1>> byHash_;
  int next_ = 0;
};

} // namespace fuselage
