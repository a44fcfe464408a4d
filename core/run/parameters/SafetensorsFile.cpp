// The format: https://huggingface.co/docs/safetensors
#include "core/run/parameters/ParameterArchive.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {

constexpr uint64_t kMostHeaderBytes = 100'000'000; ///< what its own readers take

StringRef safetensorsName(Type elementType) {
  if (auto type = llvm::dyn_cast<FloatType>(elementType)) {
    if (type.isF64() || type.isF32() || type.isF16())
      return type.isF64() ? "F64" : type.isF32() ? "F32" : "F16";
    if (type.isBF16())
      return "BF16";
    return llvm::isa<Float8E5M2Type>(type) ? "F8_E5M2" : llvm::isa<Float8E4M3FNType>(type) ? "F8_E4M3" : "";
  }
  auto type = llvm::dyn_cast<IntegerType>(elementType);
  if (!type)
    return elementType.isIndex() ? "I64" : "";
  bool isUnsigned = type.isUnsigned();
  switch (type.getWidth()) {
  case 1:
    return "BOOL";
  case 8:
    return isUnsigned ? "U8" : "I8";
  case 16:
    return isUnsigned ? "U16" : "I16";
  case 32:
    return isUnsigned ? "U32" : "I32";
  case 64:
    return isUnsigned ? "U64" : "I64";
  default:
    return "";
  }
}

/// Bytes of an element; 0: no such type.
static uint64_t bytesOfType(StringRef name) {
  return llvm::StringSwitch<uint64_t>(name)
      .Cases({"BOOL", "U8", "I8", "F8_E5M2", "F8_E4M3"}, 1)
      .Cases({"U16", "I16", "F16", "BF16"}, 2)
      .Cases({"U32", "I32", "F32"}, 4)
      .Cases({"U64", "I64", "F64"}, 8)
      .Default(0);
}

/// LLVM's JSON parser recurses; a header nests three deep.
static bool nestsTooDeep(StringRef json) {
  int depth = 0;
  bool inString = false;
  for (size_t i = 0; i < json.size(); ++i) {
    char c = json[i];
    if (inString) {
      if (c == '\\')
        ++i;
      inString &= c != '"';
    } else if (c == '"') {
      inString = true;
    } else if (c == '{' || c == '[') {
      if (++depth > 16)
        return true;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return false;
}

/// One tensor's description, checked in itself.
static llvm::Expected<ParameterEntry> readEntry(const llvm::json::Value &value, const std::string &name,
                                                uint64_t dataStart, uint64_t dataBytes) {
  auto wrong = [&](const std::string &what) { return fail("its header says of '" + name + "' " + what); };
  const llvm::json::Object *object = value.getAsObject();
  if (!object)
    return wrong("nothing that describes a tensor");
  ParameterEntry entry;
  std::optional<StringRef> dtype = object->getString("dtype");
  const llvm::json::Array *shape = object->getArray("shape"), *offsets = object->getArray("data_offsets");
  if (!dtype || !shape || !offsets || offsets->size() != 2)
    return wrong("no dtype, no shape or no data_offsets");
  entry.dtype = dtype->str();
  uint64_t bytes = bytesOfType(*dtype);
  if (bytes == 0)
    return wrong("the element type '" + dtype->take_front(32).str() + "', which is unknown here");
  entry.shape.emplace();
  for (const llvm::json::Value &size : *shape) {
    std::optional<int64_t> number = size.getAsInteger();
    std::optional<uint64_t> product =
        number && *number >= 0 ? llvm::checkedMulUnsigned<uint64_t>(bytes, *number) : std::nullopt;
    if (!product)
      return wrong("a shape that no memory holds");
    bytes = *product;
    entry.shape->push_back(*number);
  }
  std::optional<uint64_t> begin = (*offsets)[0].getAsUINT64(), end = (*offsets)[1].getAsUINT64();
  if (!begin || !end || *begin > *end || *end > dataBytes)
    return wrong("data_offsets outside of the file's " + std::to_string(dataBytes) + " bytes of data");
  if (*end - *begin != bytes)
    return wrong(std::to_string(*end - *begin) + " bytes of data, but its shape takes " + std::to_string(bytes));
  entry.offset = dataStart + *begin;
  entry.bytes = bytes;
  return entry;
}

/// No two tensors share bytes.
static llvm::Error checkOverlaps(const ParameterEntries &entries) {
  std::vector<std::pair<uint64_t, const llvm::StringMapEntry<ParameterEntry> *>> starts;
  for (const auto &entry : entries)
    if (entry.second.bytes != 0)
      starts.emplace_back(entry.second.offset, &entry);
  llvm::sort(starts, [](const auto &a, const auto &b) { return a.first < b.first; });
  for (size_t i = 1; i < starts.size(); ++i) {
    const auto &before = *starts[i - 1].second, &after = *starts[i].second;
    if (before.second.offset + before.second.bytes > after.second.offset)
      return fail("'" + before.first().str() + "' and '" + after.first().str() + "' share bytes of it");
  }
  return llvm::Error::success();
}

llvm::Expected<ParameterEntries> readSafetensorsHeader(StringRef file) {
  constexpr uint64_t lengthBytes = 8;
  if (file.size() < lengthBytes)
    return fail("it ends before its header");
  uint64_t length = llvm::support::endian::read64le(file.data());
  if (length > kMostHeaderBytes || length > file.size() - lengthBytes)
    return fail("its first 8 bytes ask for a header of " + std::to_string(length) + " bytes, which it does not have");
  StringRef json = file.substr(lengthBytes, length);
  if (nestsTooDeep(json))
    return fail("its header nests deeper than one of tensors does");
  auto header = llvm::json::parse(json);
  if (!header)
    return fail("its header is no JSON: " + takeFailure(header.takeError()).message);
  const llvm::json::Object *object = header->getAsObject();
  if (!object)
    return fail("its header is no JSON object");
  ParameterEntries entries;
  uint64_t dataStart = lengthBytes + length;
  for (const auto &[key, value] : *object) {
    if (StringRef(key) == "__metadata__")
      continue;
    auto entry = readEntry(value, StringRef(key).take_front(256).str(), dataStart, file.size() - dataStart);
    if (!entry)
      return entry.takeError();
    entries[StringRef(key)] = std::move(*entry);
  }
  if (llvm::Error error = checkOverlaps(entries))
    return error;
  return entries;
}

} // namespace fuselage
