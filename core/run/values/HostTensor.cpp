#include "core/run/values/HostTensor.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <sys/mman.h>
#include <unistd.h>

using namespace mlir;

namespace fuselage {

std::string textOf(Type type) { return debugString(type); }

/// The bytes of a value of this type, or why host memory has no form of it.
static llvm::Expected<uint64_t> bytesInMemory(Type type) {
  unsigned elementBytes = hostElementBytes(getElementTypeOrSelf(type));
  auto shaped = llvm::dyn_cast<ShapedType>(type);
  if (!elementBytes || (shaped && !llvm::isa<RankedTensorType>(type)))
    return fail("the type " + textOf(type) +
                " has no form in host memory: running takes ranked tensors and scalars of "
                "integers (up to 64 bits, or 128), index, floats or complex numbers");
  if (shaped && !shaped.hasStaticShape())
    return fail("the type " + textOf(type) + " has a dynamic dimension: give its size");
  uint64_t bytes = elementBytes;
  for (int64_t size : shaped ? shaped.getShape() : ArrayRef<int64_t>())
    bytes = llvm::SaturatingMultiply<uint64_t>(bytes, size);
  if (bytes > (uint64_t(1) << 46))
    return fail("out of memory: a " + textOf(type) + " is larger than any host memory");
  return bytes;
}

static llvm::Error outOfMemory(Type type, uint64_t bytes) {
  return fail("out of memory: the host has no " + std::to_string(bytes) + " bytes for a " + textOf(type) +
              "; use smaller sizes");
}

llvm::Expected<HostTensor> HostTensor::create(Type type) {
  auto bytes = bytesInMemory(type);
  if (!bytes)
    return bytes.takeError();
  // A multiple of the alignment, and never empty, so that every tensor has an address.
  void *memory = std::aligned_alloc(64, llvm::alignTo(std::max<uint64_t>(*bytes, 1), 64));
  if (!memory)
    return outOfMemory(type, *bytes);
  std::memset(memory, 0, *bytes);
  return wrap(type, std::shared_ptr<void>(memory, std::free), memory);
}

llvm::Expected<HostTensor> HostTensor::createSealable(Type type) {
  constexpr uint64_t large = 256 << 10;
  auto bytes = bytesInMemory(type);
  if (!bytes)
    return bytes.takeError();
  if (*bytes < large)
    return create(type);
  uint64_t size = llvm::alignTo(*bytes, sysconf(_SC_PAGESIZE));
  void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return create(type);
  HostTensor tensor = wrap(type, std::shared_ptr<void>(memory, [size](void *memory) { munmap(memory, size); }), memory);
  tensor.sealable_ = size;
  return tensor;
}

void HostTensor::seal() const {
  if (sealable_ != 0)
    mprotect(data_, sealable_, PROT_READ);
}

HostTensor HostTensor::wrap(Type type, std::shared_ptr<void> owner, void *data) {
  HostTensor tensor;
  tensor.type_ = type;
  tensor.owner_ = std::move(owner);
  tensor.data_ = static_cast<uint8_t *>(data);
  return tensor;
}

ArrayRef<int64_t> HostTensor::shape() const {
  auto shaped = llvm::dyn_cast<ShapedType>(type_);
  return shaped ? shaped.getShape() : ArrayRef<int64_t>();
}

int64_t HostTensor::elementCount() const {
  int64_t count = 1;
  for (int64_t size : shape())
    count *= size;
  return count;
}

/// Stores the low `bytes` bytes of `bits` (little endian, as every host that MLIR's JIT serves).
static void storeBits(uint8_t *to, const APInt &bits, unsigned bytes) {
  APInt wide = bits.zextOrTrunc(std::max(64u, bytes * 8));
  std::memcpy(to, wide.getRawData(), bytes);
}

/// The `width` low bits at `from`, stored in `bytes` bytes.
static APInt loadBits(const uint8_t *from, unsigned bytes, unsigned width) {
  uint64_t words[2] = {0, 0};
  std::memcpy(words, from, bytes);
  return APInt(std::max(64u, bytes * 8), ArrayRef(words, bytes > 8 ? 2 : 1)).zextOrTrunc(width);
}

/// Bits of an integer type; index counts 64.
static unsigned bitsOf(Type type) { return type.isIndex() ? 64 : type.getIntOrFloatBitWidth(); }

int64_t HostTensor::integerAt(int64_t index) const {
  Type element = elementType();
  unsigned bytes = hostElementBytes(element), bits = bitsOf(element);
  APInt value = loadBits(data_ + index * bytes, bytes, bits);
  return bits == 1 || element.isUnsignedInteger() ? int64_t(value.getLimitedValue())
                                                  : value.sextOrTrunc(64).getSExtValue();
}

// The weights of a model are millions of halves: what APFloat does for every format is done by bits for these two, and
// by the processor where its own format is f80.
constexpr bool hasF80 = std::numeric_limits<long double>::digits == 64;
constexpr unsigned bytesOfF80 = 10; // the rest of an element is padding

static float fromBf16(uint16_t bits) { return llvm::bit_cast<float>(uint32_t(bits) << 16); }

/// Of a finite half.
static float fromF16(uint16_t bits) {
  uint32_t sign = uint32_t(bits & 0x8000) << 16, exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  if (exponent == 0)
    return (sign ? -0x1p-24f : 0x1p-24f) * float(mantissa);
  return llvm::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
}

/// Of a finite number; ties go to even.
static uint16_t toBf16(float number) {
  auto bits = llvm::bit_cast<uint32_t>(number);
  return uint16_t((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

/// The same.
static uint16_t toF16(float number) {
  auto bits = llvm::bit_cast<uint32_t>(number);
  uint16_t sign = (bits >> 16) & 0x8000;
  float size = std::abs(number);
  if (size < 0x1p-14f) // subnormal there
    return sign | uint16_t(std::lrint(size * 0x1p24f));
  if (size >= 65520.0f)
    return sign | 0x7c00;
  uint32_t magnitude = (bits & 0x7fffffff) - (112u << 23);
  return sign | uint16_t((magnitude + 0xfff + ((magnitude >> 13) & 1)) >> 13);
}

double HostTensor::floatAt(int64_t index) const {
  Type element = elementType();
  auto *halves = reinterpret_cast<const uint16_t *>(data_);
  if (element.isBF16())
    return fromBf16(halves[index]);
  if (element.isF16() && (halves[index] & 0x7c00) != 0x7c00)
    return fromF16(halves[index]);
  if (element.isF32())
    return as<float>()[index];
  if (element.isF64())
    return as<double>()[index];
  auto type = llvm::cast<FloatType>(element);
  unsigned bytes = hostElementBytes(element);
  if (hasF80 && type.isF80()) {
    long double wide = 0;
    std::memcpy(&wide, data_ + index * bytes, bytesOfF80);
    if (std::isfinite(wide))
      return static_cast<double>(wide);
  }
  APFloat value(type.getFloatSemantics(), loadBits(data_ + index * bytes, bytes, type.getWidth()));
  bool inexact = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &inexact);
  return value.convertToDouble();
}

void HostTensor::setInteger(int64_t index, int64_t value) {
  unsigned bytes = hostElementBytes(elementType());
  APInt bits = APInt(64, value, /*isSigned=*/true, /*implicitTrunc=*/true);
  storeBits(data_ + index * bytes, bits.sextOrTrunc(bitsOf(elementType())), bytes);
}

void HostTensor::setFloat(int64_t index, double value) {
  auto type = llvm::cast<FloatType>(elementType());
  float single = static_cast<float>(value);
  if (std::isfinite(value) && single == value && (type.isBF16() || type.isF16())) {
    reinterpret_cast<uint16_t *>(data_)[index] = type.isBF16() ? toBf16(single) : toF16(single);
    return;
  }
  unsigned bytes = hostElementBytes(type);
  if (hasF80 && type.isF80() && std::isfinite(value)) {
    const long double wide = value;
    std::memset(data_ + index * bytes, 0, bytes);
    std::memcpy(data_ + index * bytes, &wide, bytesOfF80);
    return;
  }
  APFloat converted(value);
  bool inexact = false;
  converted.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &inexact);
  storeBits(data_ + index * bytes, converted.bitcastToAPInt(), bytes);
}

/// Stores one scalar attribute (integer, float or complex as an array of two) at `to`.
static bool storeScalar(uint8_t *to, Attribute attribute, unsigned bytes) {
  if (auto integer = llvm::dyn_cast<IntegerAttr>(attribute))
    storeBits(to,
              integer.getValue().isSingleWord() && integer.getType().isIndex() ? integer.getValue().sextOrTrunc(64)
                                                                               : integer.getValue(),
              bytes);
  else if (auto number = llvm::dyn_cast<FloatAttr>(attribute))
    storeBits(to, number.getValue().bitcastToAPInt(), bytes);
  else if (auto pair = llvm::dyn_cast<ArrayAttr>(attribute); pair && pair.size() == 2)
    return storeScalar(to, pair[0], bytes / 2) && storeScalar(to + bytes / 2, pair[1], bytes / 2);
  else
    return false;
  return true;
}

/// Repeats the first element over the whole tensor.
static void fillWithFirst(const HostTensor &tensor, unsigned elementBytes) {
  uint64_t total = tensor.byteCount();
  for (uint64_t done = elementBytes; done < total; done *= 2)
    std::memcpy(tensor.data() + done, tensor.data(), std::min(done, total - done));
}

/// The memory of a large constant, which lives as long as its context; null where elements have another form there.
static const char *sharedMemory(TypedAttr attribute, const HostTensor &shaped) {
  constexpr uint64_t large = 64 << 10;
  Type element = shaped.elementType();
  unsigned bytes = hostElementBytes(element);
  bool isWhole = element.isIndex() || (element.isIntOrFloat() && element.getIntOrFloatBitWidth() == 8 * bytes);
  if (!bytes || !isWhole || shaped.byteCount() < large)
    return nullptr;
  ArrayRef<char> data;
  if (auto resource = llvm::dyn_cast<DenseResourceElementsAttr>(attribute)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    data = blob ? blob->getData() : data;
  } else if (auto dense = llvm::dyn_cast<DenseIntOrFPElementsAttr>(attribute); dense && !dense.isSplat()) {
    data = dense.getRawData();
  }
  bool fits = data.size() >= shaped.byteCount() && reinterpret_cast<uintptr_t>(data.data()) % bytes == 0;
  return fits ? data.data() : nullptr;
}

llvm::Expected<HostTensor> HostTensor::fromAttribute(TypedAttr attribute) {
  if (auto type = llvm::dyn_cast<RankedTensorType>(attribute.getType()); type && type.hasStaticShape())
    if (const char *memory = sharedMemory(attribute, wrap(type, nullptr, nullptr)))
      return wrap(type, nullptr, reinterpret_cast<uint8_t *>(const_cast<char *>(memory)));
  llvm::Expected<HostTensor> tensor = create(attribute.getType());
  if (!tensor)
    return tensor.takeError();
  unsigned bytes = hostElementBytes(tensor->elementType());
  if (tensor->elementCount() == 0)
    return tensor;
  if (storeScalar(tensor->data(), attribute, bytes))
    return tensor;
  if (auto resource = llvm::dyn_cast<DenseResourceElementsAttr>(attribute)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    unsigned bits = tensor->elementType().isIntOrFloat() ? tensor->elementType().getIntOrFloatBitWidth() : 8 * bytes;
    // Resources store i1 and other sub-byte elements a byte each.
    if (!blob || blob->getData().size() < tensor->byteCount())
      return fail("the resource '" + resource.getRawHandle().getKey().str() + "' has no data for a " +
                  textOf(attribute.getType()) + ": the file was saved with its large constants elided");
    std::memcpy(tensor->data(), blob->getData().data(), tensor->byteCount());
    if (bits < 8)
      for (uint8_t &byte : tensor->as<uint8_t>())
        byte &= (1u << bits) - 1;
    return tensor;
  }
  auto elements = llvm::dyn_cast<ElementsAttr>(attribute);
  if (!elements)
    return fail("a constant of type " + textOf(attribute.getType()) + " has a form that the runtime does not know");
  bool splat = elements.isSplat();
  Type element = tensor->elementType();
  bool wholeBytes = element.isIndex() || (element.isIntOrFloat() && element.getIntOrFloatBitWidth() == 8 * bytes);
  if (auto dense = llvm::dyn_cast<DenseIntOrFPElementsAttr>(attribute); dense && wholeBytes) {
    std::memcpy(tensor->data(), dense.getRawData().data(), splat ? bytes : tensor->byteCount());
    if (splat)
      fillWithFirst(*tensor, bytes);
    return tensor;
  }
  auto values = elements.tryGetValues<Attribute>();
  if (!values)
    return fail("a constant of type " + textOf(attribute.getType()) + " has a form that the runtime does not know");
  uint8_t *to = tensor->data();
  for (Attribute value : *values) {
    if (!storeScalar(to, value, bytes))
      return fail("a constant of type " + textOf(attribute.getType()) + " has elements that are no numbers");
    to += bytes;
    if (splat)
      break;
  }
  if (splat)
    fillWithFirst(*tensor, bytes);
  return tensor;
}

/// Bits of an element that devices pack into bytes; 0: not packed.
static unsigned packedBits(Type elementType) {
  if (!elementType.isInteger(2) && !elementType.isInteger(4))
    return 0;
  return elementType.getIntOrFloatBitWidth();
}

/// Elements of a static tensor type or a scalar.
static uint64_t countOf(Type type) {
  auto shaped = llvm::dyn_cast<ShapedType>(type);
  return shaped ? shaped.getNumElements() : 1;
}

uint64_t deviceByteCount(Type type) {
  Type element = getElementTypeOrSelf(type);
  uint64_t count = countOf(type);
  unsigned bits = packedBits(element);
  return bits ? llvm::divideCeil(count * bits, 8) : count * hostElementBytes(element);
}

bool sameOnDevice(Type type) { return !packedBits(getElementTypeOrSelf(type)); }

void packForDevice(const HostTensor &tensor, uint8_t *bytes) {
  unsigned bits = packedBits(tensor.elementType());
  if (!bits) {
    std::memcpy(bytes, tensor.data(), tensor.byteCount());
    return;
  }
  std::memset(bytes, 0, deviceByteCount(tensor.type()));
  for (int64_t i = 0, count = tensor.elementCount(); i < count; ++i)
    bytes[i * bits / 8] |= (tensor.data()[i] & ((1u << bits) - 1)) << (i * bits % 8);
}

void unpackFromDevice(const uint8_t *bytes, const HostTensor &tensor) {
  unsigned bits = packedBits(tensor.elementType());
  if (!bits) {
    std::memcpy(tensor.data(), bytes, tensor.byteCount());
    return;
  }
  for (int64_t i = 0, count = tensor.elementCount(); i < count; ++i)
    tensor.data()[i] = (bytes[i * bits / 8] >> (i * bits % 8)) & ((1u << bits) - 1);
}

} // namespace fuselage
