#include "core/runtime/host/HostMessage.h"
#include "core/support/BitCast.h"
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fuselage {

namespace {
enum class Where : uint64_t { Here = 1, InArgument = 2 };
constexpr uint64_t kAlignment = 64;
constexpr uint64_t aligned(uint64_t at) { return (at + kAlignment - 1) / kAlignment * kAlignment; }
} // namespace

void HostMessageWriter::bytes(const void *from, uint64_t count) {
  auto *next = static_cast<const char *>(from);
  for (uint64_t left = count; good_ && left > 0;) {
    ssize_t done = ::write(file_, next, left);
    if (done < 0 && errno == EINTR)
      continue;
    good_ = done > 0;
    next += done;
    left -= done;
  }
  written_ += count;
}

void HostMessageWriter::text(std::string_view text) {
  word(text.size());
  bytes(text.data(), text.size());
}

void HostMessageWriter::shape(std::span<const int64_t> shape) {
  word(shape.size());
  bytes(shape.data(), shape.size() * sizeof(int64_t));
}

void HostMessageWriter::data(std::span<const int64_t> sizes, const void *data, uint64_t byteCount) {
  word(uint64_t(Where::Here));
  shape(sizes);
  static const char padding[kAlignment] = {};
  bytes(padding, aligned(written_) - written_);
  bytes(data, byteCount);
}

void HostMessageWriter::alias(std::span<const int64_t> sizes, unsigned argument, uint64_t offset) {
  word(uint64_t(Where::InArgument));
  shape(sizes);
  word(argument);
  word(offset);
}

namespace {

/// The file in memory as bytes of this process; bounds are kept.
class Reader {
public:
  static Result<Reader> open(int file) {
    struct stat status {};
    if (fstat(file, &status) != 0 || status.st_size <= 0)
      return failWith("nothing came back");
    uint64_t size = status.st_size;
    void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    if (memory == MAP_FAILED)
      return failWith("there is no memory for its results; use smaller sizes");
    return Reader(std::shared_ptr<void>(memory, [size](void *memory) { munmap(memory, size); }), size);
  }

  std::optional<uint64_t> word() {
    uint64_t value = 0;
    uint8_t *from = take(sizeof value);
    if (!from)
      return std::nullopt;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  /// The next `count` bytes; null where there are not as many.
  uint8_t *take(uint64_t count) {
    if (count > size_ - at_)
      return nullptr;
    uint8_t *from = static_cast<uint8_t *>(memory_.get()) + at_;
    at_ += count;
    return from;
  }
  void align() { at_ = std::min(size_, aligned(at_)); }
  const std::shared_ptr<void> &owner() const { return memory_; }

private:
  Reader(std::shared_ptr<void> memory, uint64_t size) : memory_(std::move(memory)), size_(size) {}
  std::shared_ptr<void> memory_;
  uint64_t size_ = 0, at_ = 0;
};

} // namespace

/// Whether sizes that came out fit what is known of them.
static bool fits(const HostValueForm &form, std::span<const int64_t> sizes) {
  if (form.shape.size() != sizes.size())
    return false;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] < 0 || (form.shape[i] != kUnknownSize && form.shape[i] != sizes[i]))
      return false;
  return true;
}

/// Bytes of a value; nullopt where there are more than there can be.
static std::optional<uint64_t> bytesOf(const HostValueForm &form, std::span<const int64_t> sizes) {
  uint64_t bytes = form.elementBytes;
  for (int64_t size : sizes) {
    if (__builtin_mul_overflow(bytes, uint64_t(size), &bytes))
      return std::nullopt;
  }
  return bytes;
}

/// One result; nullopt if it does not fit.
static std::optional<HostValue> readValue(Reader &reader, const HostValueForm &form,
                                          std::span<const HostValue> arguments) {
  std::optional<uint64_t> where = reader.word(), rank = reader.word();
  if (!where || !rank || *rank > 1024)
    return std::nullopt;
  HostValue value;
  for (uint64_t i = 0; i < *rank; ++i)
    value.shape.push_back(reader.word().value_or(-1));
  std::optional<uint64_t> bytes = fits(form, value.shape) ? bytesOf(form, value.shape) : std::nullopt;
  if (!bytes)
    return std::nullopt;
  value.byteCount = *bytes;
  if (*where == uint64_t(Where::Here)) {
    reader.align();
    uint8_t *data = reader.take(*bytes);
    if (!data)
      return std::nullopt;
    value.memory = std::shared_ptr<void>(reader.owner(), data);
    return value;
  }
  std::optional<uint64_t> argument = reader.word(), offset = reader.word();
  if (!offset || *argument >= arguments.size())
    return std::nullopt;
  const HostValue &whole = arguments[*argument];
  if (*offset > whole.byteCount || *bytes > whole.byteCount - *offset)
    return std::nullopt;
  value.memory = std::shared_ptr<void>(whole.memory, whole.data() + *offset);
  return value;
}

Result<HostCallResults> readHostMessage(int file, std::span<const HostValueForm> forms,
                                        std::span<const HostValue> arguments) {
  auto reader = Reader::open(file);
  if (!reader)
    return reader.takeError();
  auto damaged = [] { return failWith("its results came back damaged: the module writes outside of its tensors"); };
  std::optional<uint64_t> outcome = reader->word(), count = reader->word();
  if (!count)
    return damaged();
  if (*outcome == uint64_t(HostOutcome::Failed)) {
    uint8_t *text = reader->take(*count);
    return text ? failWith(std::string(reinterpret_cast<char *>(text), *count)) : damaged();
  }
  HostCallResults results;
  std::optional<uint64_t> inside = reader->word();
  if (!inside)
    return damaged();
  results.overheadUs = -bitCast<double>(*inside);
  for (uint64_t i = 0; i < *count; ++i) {
    std::optional<uint64_t> bits = reader->word();
    if (!bits)
      return damaged();
    results.microseconds.push_back(bitCast<double>(*bits));
  }
  std::optional<uint64_t> poisonLength = reader->word();
  uint8_t *poison = poisonLength ? reader->take(*poisonLength) : nullptr;
  if (!poison)
    return damaged();
  results.poison.assign(reinterpret_cast<char *>(poison), *poisonLength);
  for (const HostValueForm &form : forms) {
    std::optional<HostValue> value = readValue(*reader, form, arguments);
    if (!value)
      return damaged();
    results.values.push_back(std::move(*value));
  }
  return results;
}

} // namespace fuselage
