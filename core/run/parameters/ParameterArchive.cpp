#include "core/run/parameters/ParameterArchive.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace mlir;

namespace fuselage {

static llvm::Error cannotRead(StringRef path, const std::string &why) {
  return fail("cannot read the parameters in " + path.str() + ": " + why);
}

llvm::Expected<ParameterArchive> ParameterArchive::open(StringRef path) {
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    return cannotRead(path, error.message());
  if (!llvm::sys::fs::is_regular_file(status))
    return cannotRead(path, "it is no regular file");
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return cannotRead(path, file.getError().message());
  return parse(std::move(*file), path);
}

llvm::Expected<ParameterArchive> ParameterArchive::parse(std::shared_ptr<llvm::MemoryBuffer> file, StringRef name) {
  ParameterArchive archive;
  archive.path_ = name.str();
  StringRef bytes = file->getBuffer();
  if (bytes.starts_with("GGUF"))
    return cannotRead(name, "it is a .gguf file; convert it with iree-convert-parameters, or save .safetensors");
  auto entries = isIrpa(bytes) ? readIrpaHeader(bytes) : readSafetensorsHeader(bytes);
  if (!entries)
    return cannotRead(name, std::string(isIrpa(bytes) ? "as .irpa, " : "as .safetensors, ") +
                                takeFailure(entries.takeError()).message + "; write it anew");
  archive.entries_ = std::move(*entries);
  archive.file_ = std::move(file);
  return archive;
}

const ParameterEntry *ParameterArchive::find(StringRef key) const {
  auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : &found->second;
}

std::vector<std::string> ParameterArchive::keys() const {
  std::vector<std::string> keys;
  for (const auto &entry : entries_)
    keys.push_back(entry.first().str());
  llvm::sort(keys);
  return keys;
}

/// "(2, 3)"
static std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text = "(";
  for (int64_t size : shape)
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + ")";
}

/// What is wrong with an entry for a type; empty: nothing.
static std::string whyNot(const ParameterEntry &entry, Type type, const HostTensor &shaped, uint64_t bytes) {
  StringRef wanted = safetensorsName(getElementTypeOrSelf(type));
  bool isSameKind = entry.dtype == wanted || // signless integers hold what the file calls unsigned, too
                    (getElementTypeOrSelf(type).isSignlessInteger() && StringRef(entry.dtype).starts_with("U") &&
                     StringRef(entry.dtype).drop_front() == wanted.drop_front());
  if (!entry.dtype.empty() && !isSameKind)
    return "holds " + entry.dtype + ", but a " + textOf(type) + " takes " +
           (wanted.empty() ? "what such files lack" : wanted.str());
  if (entry.shape && ArrayRef<int64_t>(*entry.shape) != shaped.shape())
    return "has the shape " + shapeText(*entry.shape) + ", but a " + textOf(type) + " has " + shapeText(shaped.shape());
  if (entry.bytes != bytes)
    return "has " + std::to_string(entry.bytes) + " bytes, but a " + textOf(type) + " takes " + std::to_string(bytes);
  return "";
}

llvm::Expected<HostTensor> ParameterArchive::read(StringRef key, Type type) const {
  const ParameterEntry *entry = find(key);
  if (!entry)
    return cannotRead(path_, "it has no '" + key.str() + "'");
  // i2 and i4 are packed in files as on devices, index is 64 bits.
  HostTensor shaped = HostTensor::wrap(type, nullptr, nullptr);
  if (!hostElementBytes(shaped.elementType()))
    return cannotRead(path_, "a " + textOf(type) + " has no form in host memory");
  uint64_t bytes = deviceByteCount(type);
  if (std::string why = whyNot(*entry, type, shaped, bytes); !why.empty())
    return cannotRead(path_, "'" + key.str() + "' " + why);
  auto *data = reinterpret_cast<uint8_t *>(const_cast<char *>(file_->getBufferStart())) + entry->offset;
  unsigned alignment = std::min(hostElementBytes(shaped.elementType()), 8u);
  bool isAligned = entry->pattern.empty() && reinterpret_cast<uintptr_t>(data) % alignment == 0;
  bool isBool = shaped.elementType().isInteger(1); // any byte may stand there
  if (isAligned && !isBool && sameOnDevice(type))
    return HostTensor::wrap(type, file_, data);
  auto copy = HostTensor::create(type);
  if (!copy)
    return copy.takeError();
  std::vector<uint8_t> packed(bytes);
  if (entry->pattern.empty())
    std::memcpy(packed.data(), data, bytes);
  else
    for (uint64_t i = 0; i < bytes; ++i)
      packed[i] = entry->pattern[i % entry->pattern.size()];
  if (isBool)
    for (uint8_t &byte : packed)
      byte = byte != 0;
  unpackFromDevice(packed.data(), *copy);
  return copy;
}

} // namespace fuselage
