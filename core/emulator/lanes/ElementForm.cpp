#include "core/emulator/lanes/ElementForm.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage::emulator {

std::optional<ElementForm> formOf(Type type) {
  auto matrix = dyn_cast<gpu::MMAMatrixType>(type);
  Type element = matrix ? matrix.getElementType() : getElementTypeOrSelf(type);
  if (element.isIndex() || isa<nvgpu::DeviceAsyncTokenType>(element))
    return ElementForm{};
  if (!element.isIntOrFloat())
    return std::nullopt;
  unsigned bits = element.getIntOrFloatBitWidth();
  if (bits == 0 || bits > 64)
    return std::nullopt;
  ElementForm form{.bits = bits, .bytes = unsigned(llvm::PowerOf2Ceil(llvm::divideCeil(bits, 8)))};
  auto number = dyn_cast<FloatType>(element);
  if (!number)
    return form;
  form.semantics = &number.getFloatSemantics();
  using Kind = ElementForm::Kind;
  form.kind = number.isF64()    ? Kind::F64
              : number.isF32()  ? Kind::F32
              : number.isF16()  ? Kind::F16
              : number.isBF16() ? Kind::BF16
                                : Kind::Narrow;
  // tf32 is a float of 19 bits, held as any other one.
  return form.kind != Kind::Narrow || bits <= 32 ? std::optional(form) : std::nullopt;
}

std::optional<unsigned> elementCount(Type type, unsigned subgroupSize) {
  if (auto matrix = dyn_cast<gpu::MMAMatrixType>(type))
    return unsigned(
        llvm::divideCeil(uint64_t(matrix.getShape()[0] * matrix.getShape()[1]), std::max(subgroupSize, 1u)));
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return isa<ShapedType>(type) ? std::nullopt : std::optional(1u);
  constexpr int64_t most = 1 << 12;
  if (vector.isScalable() || vector.getNumElements() > most)
    return std::nullopt;
  return unsigned(vector.getNumElements());
}

} // namespace fuselage::emulator
