// bitcast_convert, which between elements of two widths gives up or gains the last dimension.
#include "core/transforms/composites/BitcastTensor.h"
#include "core/transforms/stablehlo/HloLowering.h"

using namespace mlir;

namespace fuselage {

static unsigned widthOf(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * widthOf(complex.getElementType());
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
}

/// Complex numbers of another width: by way of their parts.
static Value bitcastComplex(HloCall &call, ComplexType from, ComplexType to) {
  auto flat = [](RankedTensorType type, Type part) { return RankedTensorType::get({2 * type.getNumElements()}, part); };
  Value parts =
      bitcastTensor(call.builder, call.loc, call.operands[0], flat(call.operandType(0), from.getElementType()));
  if (parts)
    parts = bitcastTensor(call.builder, call.loc, parts, flat(call.resultType(), to.getElementType()));
  return parts ? bitcastTensor(call.builder, call.loc, parts, call.resultType()) : Value();
}

static HloResults lowerBitcast(HloCall &call) {
  if (!call.isOnTensors() || call.operands.size() != 1)
    return call.refuse("it is not on tensors");
  RankedTensorType from = call.operandType(0), to = call.resultType();
  Type given = from.getElementType(), wanted = to.getElementType();
  if (given == wanted && from == to)
    return SmallVector<Value>{call.operands[0]};
  auto givenComplex = dyn_cast<ComplexType>(given), wantedComplex = dyn_cast<ComplexType>(wanted);
  if (!givenComplex && !wantedComplex && widthOf(given) == widthOf(wanted) && from.getShape() == to.getShape())
    return lowerElementwise(call);
  if (!from.hasStaticShape() || !to.hasStaticShape())
    return call.refuse("its sizes are not known");
  if (from.getNumElements() == 0)
    return SmallVector<Value>{emptyTensor(call.builder, call.loc, to)};
  Value result = givenComplex && wantedComplex ? bitcastComplex(call, givenComplex, wantedComplex)
                                               : bitcastTensor(call.builder, call.loc, call.operands[0], to);
  if (!result)
    return call.refuse("its types do not have the same bits");
  return SmallVector<Value>{result};
}

void addBitcastLowerings(HloLowerings &lowerings) {
  lowerings["bitcast_convert"] = lowerBitcast;
  lowerings["bitcast"] = lowerBitcast; // of MHLO
}

} // namespace fuselage
