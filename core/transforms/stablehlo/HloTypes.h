// Types of StableHLO as MLIR's own ops have them.
#pragma once
#include "mlir/Transforms/DialectConversion.h"

namespace fuselage {

/// Unsigned and signed integers become signless, as arith wants them; quantized types become what they are stored in; a
/// tuple becomes its elements, a token nothing; tensors lose the bounds of their dynamic sizes.
class HloTypeConverter : public mlir::TypeConverter {
public:
  HloTypeConverter();
};

/// The type of a tensor's elements, or the type itself, as it was written.
mlir::Type elementOf(mlir::Type type);
inline mlir::Type elementOf(mlir::Value value) { return elementOf(value.getType()); }

/// Whether numbers of the type as it was written have no sign: ui32, and i1, which is a boolean.
bool isUnsignedElement(mlir::Type element);
/// ui32 as i32, a quantized type as what it is stored in; others as they are.
mlir::Type signlessElement(mlir::Type element);

/// Elements of a constant in another type of the same width; null if they have no such form.
mlir::ElementsAttr retyped(mlir::ElementsAttr elements, mlir::ShapedType type);

} // namespace fuselage
