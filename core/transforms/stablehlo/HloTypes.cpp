#include "core/transforms/stablehlo/HloTypes.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace fuselage {

Type elementOf(Type type) { return getElementTypeOrSelf(type); }

bool isUnsignedElement(Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  return integer && (integer.isUnsigned() || integer.getWidth() == 1);
}

Type signlessElement(Type element) {
  if (auto quantized = dyn_cast<quant::QuantizedType>(element))
    return quantized.getStorageType();
  auto integer = dyn_cast<IntegerType>(element);
  return integer && !integer.isSignless() ? IntegerType::get(element.getContext(), integer.getWidth()) : element;
}

HloTypeConverter::HloTypeConverter() {
  addConversion([](Type type) { return type; });
  addConversion([](IntegerType type) { return signlessElement(type); });
  addConversion([](RankedTensorType type) {
    return RankedTensorType::get(type.getShape(), signlessElement(type.getElementType()));
  });
  addConversion([this](TupleType type, SmallVectorImpl<Type> &parts) -> std::optional<LogicalResult> {
    for (Type part : type.getTypes())
      if (failed(convertTypes(part, parts)))
        return failure();
    return success();
  });
  addConversion([](OpaqueType type, SmallVectorImpl<Type> &) -> std::optional<LogicalResult> {
    return type.getTypeData() == "token" ? std::optional(success()) : std::nullopt;
  });
  auto cast = [](OpBuilder &builder, Type type, ValueRange inputs, Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs).getResult(0);
  };
  addSourceMaterialization(cast);
  addTargetMaterialization(cast);
}

ElementsAttr retyped(ElementsAttr elements, ShapedType type) {
  if (elements.getShapedType() == type)
    return elements;
  if (auto dense = dyn_cast<DenseElementsAttr>(elements)) {
    if (dense.getElementType() == type.getElementType())
      return dense.reshape(type);
    if (isa<IntegerType>(dense.getElementType()) && isa<IntegerType>(type.getElementType()))
      return dense.bitcast(type.getElementType());
    return {};
  }
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  return {};
}

} // namespace fuselage
