#include "core/codegen/host/HostLayout.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage {

unsigned hostElementBytes(Type elementType) {
  if (elementType.isIndex())
    return 8;
  if (auto complex = llvm::dyn_cast<ComplexType>(elementType))
    return 2 * hostElementBytes(complex.getElementType());
  if (!elementType.isIntOrFloat())
    return 0;
  unsigned bits = elementType.getIntOrFloatBitWidth();
  // Between 64 and 128 bits LLVM's arrays and APInt's words are not laid out alike.
  if (bits == 0 || bits > 128 || (elementType.isInteger() && bits > 64 && bits != 128))
    return 0;
  return llvm::PowerOf2Ceil(llvm::divideCeil(bits, 8));
}

HostValueForm hostFormOf(Type type) {
  HostValueForm form;
  form.elementBytes = hostElementBytes(getElementTypeOrSelf(type));
  if (llvm::isa<MemRefType, RankedTensorType>(type)) {
    form.kind = HostValueForm::Kind::Tensor;
    form.shape = llvm::cast<ShapedType>(type).getShape().vec();
  } else if (form.elementBytes != 0 && !llvm::isa<ShapedType>(type)) {
    form.kind = llvm::isa<ComplexType>(type) ? HostValueForm::Kind::Complex : HostValueForm::Kind::Scalar;
  }
  return form;
}

} // namespace fuselage
