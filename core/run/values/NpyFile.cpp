#include "core/run/values/NpyFile.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <cstring>

using namespace mlir;

namespace fuselage {

constexpr llvm::StringLiteral magic("\x93NUMPY");

//===-- Types -------------------------------------------------------------------------===//

/// The kind and size that an element type has in a file.
struct NpyType {
  char kind = 0; ///< 0: none
  unsigned bytes = 0;
};

static NpyType npyTypeOf(Type element) {
  if (auto complex = llvm::dyn_cast<ComplexType>(element)) {
    NpyType part = npyTypeOf(complex.getElementType());
    return part.kind == 'f' ? NpyType{'c', 2 * std::max(part.bytes, 4u)} : NpyType{};
  }
  if (element.isF16() || element.isF32() || element.isF64())
    return {'f', element.getIntOrFloatBitWidth() / 8};
  if (auto type = llvm::dyn_cast<FloatType>(element))
    return {'f', type.getWidth() > 32 ? 8u : 4u};
  if (element.isInteger(1))
    return {'b', 1};
  unsigned bytes = hostElementBytes(element);
  return bytes == 0 || bytes > 8 ? NpyType{} : NpyType{element.isUnsignedInteger() ? 'u' : 'i', bytes};
}

static std::string nameOf(char kind, unsigned bytes) {
  switch (kind) {
  case 'f':
    return "float" + std::to_string(8 * bytes);
  case 'c':
    return "complex" + std::to_string(8 * bytes);
  case 'i':
    return "int" + std::to_string(8 * bytes);
  case 'u':
    return "uint" + std::to_string(8 * bytes);
  case 'b':
    return "bool";
  default:
    return "";
  }
}

std::string NpyHeader::typeName() const { return nameOf(kind, bytes); }

std::string npyTypeName(Type elementType) {
  NpyType type = npyTypeOf(elementType);
  return nameOf(type.kind, type.bytes);
}

int64_t NpyHeader::elementCount() const {
  uint64_t count = 1;
  for (int64_t size : shape)
    if (size == 0)
      return 0;
  for (int64_t size : shape)
    count = llvm::SaturatingMultiply<uint64_t>(count, size);
  return std::min<uint64_t>(count, INT64_MAX);
}

//===-- The header --------------------------------------------------------------------===//

namespace {

/// Reads the Python dictionary of a header: three keys, in any order.
class DictionaryReader {
public:
  explicit DictionaryReader(StringRef text) : text_(text) {}

  bool read(NpyHeader &header) {
    if (!take('{'))
      return false;
    std::string descr;
    bool hasDescr = false, hasOrder = false, hasShape = false;
    while (!take('}')) {
      std::string key;
      if (!string(key) || !take(':'))
        return false;
      bool done = false;
      if (key == "descr")
        done = hasDescr = string(descr);
      else if (key == "fortran_order")
        done = hasOrder = boolean(header.fortran);
      else if (key == "shape")
        done = hasShape = tuple(header.shape);
      if (!done || (!take(',') && !text_.ltrim().starts_with("}")))
        return false;
    }
    return hasDescr && hasOrder && hasShape && text_.trim().empty() && type(descr, header);
  }

private:
  bool take(char c) {
    text_ = text_.ltrim();
    return text_.consume_front(StringRef(&c, 1));
  }
  bool string(std::string &out) {
    text_ = text_.ltrim();
    if (text_.empty() || (text_.front() != '\'' && text_.front() != '"'))
      return false;
    auto [inside, rest] = text_.drop_front().split(text_.front());
    if (inside.size() + 1 == text_.size()) // no closing quote
      return false;
    out = inside.str();
    text_ = rest;
    return true;
  }
  bool boolean(bool &out) {
    text_ = text_.ltrim();
    out = text_.consume_front("True");
    return out || text_.consume_front("False");
  }
  bool tuple(std::vector<int64_t> &out) {
    if (!take('('))
      return false;
    while (!take(')')) {
      text_ = text_.ltrim();
      uint64_t size = 0;
      if (out.size() == 64 || text_.consumeInteger(10, size) || size > INT64_MAX)
        return false;
      text_.consume_front("L"); // Python 2
      out.push_back(size);
      if (!take(',') && !text_.starts_with(")"))
        return false;
    }
    return true;
  }
  /// "<f4", "|b1", ">i8"
  static bool type(StringRef descr, NpyHeader &header) {
    if (descr.size() < 3 || !StringRef("<>|=").contains(descr.front()))
      return false;
    header.swapped = descr.front() == '>';
    header.kind = descr[1];
    if (descr.drop_front(2).getAsInteger(10, header.bytes))
      return false;
    bool isFloat = header.kind == 'f' && (header.bytes == 2 || header.bytes == 4 || header.bytes == 8);
    bool isInteger =
        (header.kind == 'i' || header.kind == 'u') && header.bytes <= 8 && llvm::isPowerOf2_32(header.bytes);
    bool isComplex = header.kind == 'c' && (header.bytes == 8 || header.bytes == 16);
    return isFloat || isInteger || isComplex || (header.kind == 'b' && header.bytes == 1);
  }

  StringRef text_;
};

} // namespace

llvm::Expected<NpyHeader> parseNpyHeader(StringRef front, uint64_t fileBytes) {
  if (!front.starts_with(magic) || front.size() < 10)
    return fail("it is no .npy file: it does not begin as one");
  unsigned major = uint8_t(front[6]);
  if (major < 1 || major > 3)
    return fail("it is a .npy file of version " + std::to_string(major) + ", which nobody knows");
  unsigned prefix = major == 1 ? 10 : 12;
  if (front.size() < prefix)
    return fail("it ends within its header");
  uint64_t length = 0;
  for (unsigned i = 8; i < prefix; ++i)
    length |= uint64_t(uint8_t(front[i])) << (8 * (i - 8));
  if (length > fileBytes - prefix)
    return fail("it ends within its header");
  if (length > front.size() - prefix)
    return fail("its header has " + std::to_string(length) + " bytes, which no array needs");
  StringRef text = front.substr(prefix, length);
  NpyHeader header;
  if (!DictionaryReader(text).read(header))
    return fail("its header is not that of an array of numbers: " + text.take_front(120).trim().str());
  header.dataOffset = prefix + length;
  uint64_t bytes = llvm::SaturatingMultiply<uint64_t>(header.elementCount(), header.bytes);
  if (bytes > fileBytes - header.dataOffset)
    return fail("it is too short for its shape: " + std::to_string(fileBytes - header.dataOffset) + " bytes of data");
  return header;
}

//===-- Reading -----------------------------------------------------------------------===//

static std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text = "(";
  for (int64_t size : shape)
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + (shape.size() == 1 ? ",)" : ")");
}

/// Whether numbers of a file can stand for elements of a type.
static bool fits(const NpyHeader &header, Type element) {
  NpyType wanted = npyTypeOf(element);
  if (header.bytes != wanted.bytes)
    return false;
  bool isInteger = header.kind == 'i' || header.kind == 'u';
  if (wanted.kind == 'i' && !element.isSignedInteger())
    return isInteger;
  return header.kind == wanted.kind;
}

/// Elements from row-major order, `step` by `step`, of an array whose first index runs fastest.
static std::vector<uint8_t> toRowMajor(ArrayRef<uint8_t> data, ArrayRef<int64_t> shape, unsigned bytes) {
  std::vector<uint8_t> out(data.size());
  std::vector<int64_t> index(shape.size(), 0), strides(shape.size(), 1);
  for (size_t dim = 1; dim < shape.size(); ++dim)
    strides[dim] = strides[dim - 1] * shape[dim - 1];
  for (size_t at = 0; at < out.size(); at += bytes) {
    int64_t from = 0;
    for (size_t dim = 0; dim < shape.size(); ++dim)
      from += index[dim] * strides[dim];
    std::memcpy(&out[at], &data[from * bytes], bytes);
    for (size_t dim = shape.size(); dim-- > 0 && ++index[dim] == shape[dim];)
      index[dim] = 0;
  }
  return out;
}

/// The tensor without complex numbers: each is two of its parts. And the bytes of an element, `bytes` of `tensor`.
static std::pair<HostTensor, unsigned> realParts(const HostTensor &tensor, unsigned bytes) {
  auto complex = llvm::dyn_cast<ComplexType>(tensor.elementType());
  if (!complex)
    return {tensor, bytes};
  return {tensor.reinterpret(RankedTensorType::get({2 * tensor.elementCount()}, complex.getElementType())), bytes / 2};
}

/// Element `i` of the data as a float or an integer of the host, into `tensor`.
static llvm::Error store(const HostTensor &tensor, ArrayRef<uint8_t> data, const NpyHeader &header) {
  auto [parts, bytes] = realParts(tensor, header.bytes);
  Type element = parts.elementType();
  int64_t count = parts.elementCount();
  bool sameBytes = hostElementBytes(element) == bytes && (header.kind != 'b') &&
                   (element.isIndex() || element.getIntOrFloatBitWidth() == 8 * bytes);
  for (int64_t i = 0; i < count; ++i) {
    uint8_t word[8] = {};
    std::memcpy(word, &data[i * bytes], bytes);
    if (header.swapped)
      std::reverse(word, word + bytes);
    if (sameBytes) {
      std::memcpy(parts.data() + i * bytes, word, bytes);
      continue;
    }
    uint64_t bits = 0;
    std::memcpy(&bits, word, 8);
    if (llvm::isa<FloatType>(element)) {
      parts.setFloat(i, bytes == 4 ? llvm::bit_cast<float>(uint32_t(bits)) : llvm::bit_cast<double>(bits));
      continue;
    }
    int64_t value = header.kind == 'b'   ? bits != 0
                    : header.kind == 'u' ? int64_t(bits)
                                         : llvm::SignExtend64(bits, 8 * bytes);
    parts.setInteger(i, value);
    unsigned width = element.getIntOrFloatBitWidth();
    bool holds = header.kind == 'b' || (header.kind == 'u' || element.isUnsignedInteger()
                                            ? llvm::isUIntN(width, value)
                                            : llvm::isIntN(width, value) || llvm::isUIntN(width, value));
    if (!holds)
      return fail("element " + std::to_string(i) + " is " + std::to_string(value) + ", which no " + textOf(element) +
                  " holds");
  }
  return llvm::Error::success();
}

static llvm::Expected<NpyHeader> readHeader(StringRef path) {
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    return fail(error.message());
  if (status.type() != llvm::sys::fs::file_type::regular_file)
    return fail("it is no regular file");
  constexpr uint64_t most = 1 << 16; // the header of an array of numbers has some 100 bytes
  auto front = llvm::MemoryBuffer::getFileSlice(path, std::min(status.getSize(), most), 0, /*IsVolatile=*/true);
  if (!front)
    return fail(front.getError().message());
  return parseNpyHeader((*front)->getBuffer(), status.getSize());
}

llvm::Expected<std::vector<int64_t>> readNpyShape(StringRef path) {
  auto header = readHeader(path);
  if (!header)
    return header.takeError();
  return std::move(header->shape);
}

/// Reads the file, whose errors do not name it yet.
static llvm::Expected<HostTensor> readFile(StringRef path, Type type) {
  auto header = readHeader(path);
  if (!header)
    return header.takeError();
  auto shaped = llvm::dyn_cast<RankedTensorType>(type);
  ArrayRef<int64_t> shape = shaped ? shaped.getShape() : ArrayRef<int64_t>();
  Type element = getElementTypeOrSelf(type);
  if (ArrayRef(header->shape) != shape)
    return fail("it has the shape " + shapeText(header->shape) + ", but a " + textOf(type) + " has " +
                shapeText(shape));
  if (!fits(*header, element)) {
    std::string wanted = npyTypeName(element);
    return fail("it holds " + header->typeName() + ", but a " + textOf(type) +
                (wanted.empty() ? " cannot be read from a .npy file"
                                : " takes " + wanted + ": convert it, with .astype(numpy." + wanted + ") say"));
  }
  auto tensor = HostTensor::create(type);
  if (!tensor)
    return tensor;
  uint64_t bytes = uint64_t(header->elementCount()) * header->bytes;
  if (bytes == 0)
    return tensor;
  auto buffer = llvm::MemoryBuffer::getFileSlice(path, bytes, header->dataOffset, /*IsVolatile=*/true);
  if (!buffer)
    return fail(buffer.getError().message());
  if ((*buffer)->getBufferSize() < bytes)
    return fail("it became shorter while it was read");
  ArrayRef<uint8_t> data(reinterpret_cast<const uint8_t *>((*buffer)->getBufferStart()), bytes);
  std::vector<uint8_t> reordered;
  if (header->fortran && shape.size() > 1)
    data = reordered = toRowMajor(data, shape, header->bytes);
  if (llvm::Error error = store(*tensor, data, *header))
    return error;
  return tensor;
}

llvm::Expected<HostTensor> readNpy(StringRef path, Type type) {
  auto tensor = readFile(path, type);
  if (tensor)
    return tensor;
  return fail("cannot read " + path.str() + ": " + takeFailure(tensor.takeError()).message);
}

//===-- Writing -----------------------------------------------------------------------===//

llvm::Expected<std::string> npyBytes(const HostTensor &tensor) {
  Type element = tensor.elementType();
  NpyType type = npyTypeOf(element);
  if (type.kind == 0)
    return fail("NumPy has no type for " + textOf(element));
  char order = type.bytes == 1 ? '|' : '<';
  std::string header = std::string("{'descr': '") + order + type.kind + std::to_string(type.bytes) +
                       "', 'fortran_order': False, 'shape': " + shapeText(tensor.shape()) + ", }";
  size_t length = llvm::alignTo(10 + header.size() + 1, 64) - 10;
  header.resize(length - 1, ' ');
  std::string out = magic.str() + std::string("\1\0", 2) + char(length & 0xff) + char(length >> 8) + header + '\n';

  auto [parts, bytes] = realParts(tensor, type.bytes);
  element = parts.elementType();
  int64_t count = parts.elementCount();
  bool isWhole = element.isF16() || element.isF32() || element.isF64() || element.isIndex() ||
                 (llvm::isa<IntegerType>(element) && element.getIntOrFloatBitWidth() == 8 * bytes);
  if (isWhole && hostElementBytes(element) == bytes) {
    out.append(reinterpret_cast<const char *>(parts.data()), count * bytes);
    return out;
  }
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    if (!llvm::isa<FloatType>(element))
      bits = uint64_t(parts.integerAt(i));
    else if (bytes == 4)
      bits = llvm::bit_cast<uint32_t>(float(parts.floatAt(i)));
    else
      bits = llvm::bit_cast<uint64_t>(parts.floatAt(i));
    out.append(reinterpret_cast<const char *>(&bits), bytes);
  }
  return out;
}

} // namespace fuselage
