// A tensor whose bytes are read as elements of another type.
#pragma once
#include "mlir/IR/Builders.h"

namespace fuselage {

/// The elements of `source`, a tensor, as those of `type`, which has as many bytes: each element in another type of its
/// width, in parts of it (complex numbers in real and imaginary part, integers and floats from their low bits up, as a
/// little-endian processor stores them), or several joined to one. Shapes are static. Null where types do not allow it.
mlir::Value bitcastTensor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value source,
                          mlir::RankedTensorType type);

/// A tensor of static shape in another shape with as many elements, through one dimension if need be; null: it has not.
mlir::Value reshapeTensor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value source,
                          mlir::RankedTensorType type);

} // namespace fuselage
