#include "core/analysis/buffers/BufferSize.h"
#include "core/analysis/costs/Costs.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVAttributes.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage {

using SizeVariable = ValueBoundsConstraintSet::Variable;

/// The least that a size can be; 0 where nothing is known.
static int64_t leastSize(const SizeVariable &size) {
  auto bound = ValueBoundsConstraintSet::computeConstantBound(presburger::BoundType::LB, size);
  return succeeded(bound) ? std::max<int64_t>(*bound, 0) : 0;
}

/// Elements from the first to the last of a strided layout; as many as the shape has, if there is none.
static int64_t spannedElements(MemRefType type, ArrayRef<int64_t> shape) {
  int64_t elements = 1, offset = 0;
  for (int64_t size : shape)
    if (llvm::MulOverflow(elements, size, elements))
      return INT64_MAX;
  llvm::SmallVector<int64_t> strides;
  if (type.getLayout().isIdentity() || elements == 0 || failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset) || llvm::any_of(strides, ShapedType::isDynamic))
    return elements;
  int64_t last = offset;
  for (auto [size, stride] : llvm::zip_equal(shape, strides)) {
    int64_t step = 0;
    if (stride < 0 || llvm::MulOverflow(size - 1, stride, step) || llvm::AddOverflow(last, step, last))
      return elements;
  }
  return last + 1;
}

/// With dynamic dimensions as `sizes` says, from the first on; what it lacks counts as 0.
static BufferSize sizeOfType(BaseMemRefType type, ArrayRef<SizeVariable> sizes, const KnownSizes &known) {
  auto ranked = dyn_cast<MemRefType>(type);
  if (!ranked)
    return {.bytes = 0, .isLowerBound = true};
  BufferSize size;
  llvm::SmallVector<int64_t> shape(ranked.getShape());
  for (int64_t &extent : shape) {
    if (!ShapedType::isDynamic(extent))
      continue;
    std::optional<int64_t> exact = sizes.empty() ? std::nullopt : known.of(sizes.front());
    size.isLowerBound |= !exact;
    extent = exact ? std::max<int64_t>(*exact, 0) : sizes.empty() ? 0 : leastSize(sizes.front());
    sizes = sizes.drop_front(sizes.empty() ? 0 : 1);
  }
  // Bytes of all elements as if they lay in a row: sub-byte elements are packed.
  int64_t elements = spannedElements(ranked, shape);
  auto bytes = byteSize(RankedTensorType::get({elements}, ranked.getElementType()));
  // Nobody has as much; sums of such sizes would wrap around.
  constexpr int64_t largest = int64_t(1) << 50;
  size.bytes = std::min(bytes.value_or(0), largest);
  size.isLowerBound |= !bytes || *bytes > largest;
  return size;
}

BufferSize sizeOfBuffer(BaseMemRefType type, ValueRange dynamicSizes, const KnownSizes &known) {
  return sizeOfType(type, llvm::to_vector(llvm::map_range(dynamicSizes, [](Value size) { return SizeVariable(size); })),
                    known);
}

static llvm::SmallVector<SizeVariable> dynamicSizesOf(Value value) {
  llvm::SmallVector<SizeVariable> sizes;
  if (auto type = dyn_cast<MemRefType>(value.getType()))
    for (int64_t dimension = 0; dimension < type.getRank(); ++dimension)
      if (type.isDynamicDim(dimension))
        sizes.push_back({value, dimension});
  return sizes;
}

BufferSize sizeOfBuffer(Value value, const KnownSizes &known) {
  return sizeOfType(cast<BaseMemRefType>(value.getType()), dynamicSizesOf(value), known);
}

BufferSize sizeOfElements(Value value, const KnownSizes &known) {
  auto type = cast<BaseMemRefType>(value.getType());
  if (auto ranked = dyn_cast<MemRefType>(type))
    type = MemRefType::get(ranked.getShape(), ranked.getElementType());
  return sizeOfType(type, dynamicSizesOf(value), known);
}

std::string memorySpaceName(Attribute space) {
  if (!space)
    return "global";
  if (auto gpuSpace = dyn_cast<gpu::AddressSpaceAttr>(space))
    return gpu::stringifyAddressSpace(gpuSpace.getValue()).str();
  if (auto storage = dyn_cast<spirv::StorageClassAttr>(space))
    switch (storage.getValue()) {
    case spirv::StorageClass::StorageBuffer:
    case spirv::StorageClass::CrossWorkgroup:
      return "global";
    case spirv::StorageClass::Workgroup:
      return "workgroup";
    case spirv::StorageClass::Function:
    case spirv::StorageClass::Private:
      return "private";
    default:
      return spirv::stringifyStorageClass(storage.getValue()).str();
    }
  if (auto number = dyn_cast<IntegerAttr>(space); number && number.getValue().getSignificantBits() <= 32)
    switch (number.getInt()) {
    case 0:
    case 1:
      return "global";
    case 3:
      return "workgroup";
    case 5:
      return "private";
    default:
      return "space " + std::to_string(number.getInt());
    }
  std::string text;
  llvm::raw_string_ostream os(text);
  space.print(os);
  return llvm::json::fixUTF8(text);
}

} // namespace fuselage
