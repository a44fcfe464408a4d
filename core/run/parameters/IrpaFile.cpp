// IREE's parameter archives, as runtime/src/iree/schemas/parameter_archive.h lays them out: packed, little-endian.
#include "core/run/parameters/ParameterArchive.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

namespace fuselage {

using llvm::StringRef;

static constexpr llvm::StringLiteral kMagic("IRPA");

bool isIrpa(StringRef file) { return file.starts_with(kMagic); }

namespace {

/// Numbers one after the other; once the bytes end, `good` is false and all numbers are 0.
class Cursor {
public:
  explicit Cursor(StringRef bytes) : bytes_(bytes) {}
  template <typename T> T number() {
    StringRef from = text(sizeof(T));
    return from.empty() ? T(0) : llvm::support::endian::read<T>(from.data(), llvm::endianness::little);
  }
  StringRef text(uint64_t count) {
    good &= count <= bytes_.size();
    if (!good)
      return "";
    StringRef from = bytes_.take_front(count);
    bytes_ = bytes_.drop_front(count);
    return from;
  }
  bool good = true;

private:
  StringRef bytes_;
};

/// Bytes of something larger.
struct Range {
  uint64_t offset = 0, length = 0;

  static Range read(Cursor &cursor) {
    Range range;
    range.offset = cursor.number<uint64_t>();
    range.length = cursor.number<uint64_t>();
    return range;
  }
  bool fitsInto(uint64_t bytes) const { return offset <= bytes && length <= bytes - offset; }
  StringRef of(StringRef whole) const { return whole.substr(offset, length); }
};

/// The header of one of the parts that a file consists of.
struct Header {
  uint64_t next = 0, entries = 0;
  Range entrySegment{}, metadataSegment{}, storageSegment{};
};

enum EntryType : uint32_t { Skipped = 0, Splat = 1, Data = 2 };

/// One part, from the byte on where its header starts.
class Part {
public:
  Part(StringRef file, uint64_t start) : whole_(file.drop_front(start)), start_(start) {}

  llvm::Expected<Header> readHeader();
  llvm::Error readEntries(const Header &header, ParameterEntries &entries);

private:
  llvm::Error readEntry(StringRef bytes, const Header &header, ParameterEntries &entries);
  StringRef whole_;
  uint64_t start_;
};

} // namespace

llvm::Expected<Header> Part::readHeader() {
  Cursor cursor(whole_);
  StringRef magic = cursor.text(kMagic.size());
  auto major = cursor.number<uint16_t>();
  cursor.number<uint16_t>(); // minor versions add what older readers need not know
  auto size = cursor.number<uint64_t>();
  Header header;
  header.next = cursor.number<uint64_t>();
  cursor.number<uint64_t>(); // flags
  header.entries = cursor.number<uint64_t>();
  for (Range *segment : {&header.entrySegment, &header.metadataSegment, &header.storageSegment})
    *segment = Range::read(cursor);
  if (!cursor.good || magic != kMagic || size > whole_.size())
    return fail("it ends within a header");
  if (major != 0)
    return fail("it is of version " + std::to_string(major) + " of the format; this reader knows version 0");
  for (const Range &segment : {header.entrySegment, header.metadataSegment, header.storageSegment})
    if (!segment.fitsInto(whole_.size()))
      return fail("its header names bytes beyond its end");
  return header;
}

llvm::Error Part::readEntry(StringRef bytes, const Header &header, ParameterEntries &entries) {
  Cursor cursor(bytes);
  auto type = cursor.number<uint32_t>();
  cursor.number<uint64_t>(); // flags
  Range name = Range::read(cursor);
  Range::read(cursor);       // metadata of the user's
  cursor.number<uint64_t>(); // the least alignment
  if (!cursor.good)
    return fail("one of its entries is too short");
  if (type == EntryType::Skipped)
    return llvm::Error::success();
  if (!name.fitsInto(header.metadataSegment.length))
    return fail("the name of one of its entries lies outside of its names");
  StringRef key = name.of(header.metadataSegment.of(whole_));
  std::string quoted = "its entry '" + key.take_front(256).str() + "' ";
  ParameterEntry entry;
  if (type == EntryType::Splat) {
    constexpr uint64_t mostPattern = 16;
    entry.bytes = cursor.number<uint64_t>();
    StringRef pattern = cursor.text(mostPattern);
    auto length = cursor.number<uint8_t>();
    if (!cursor.good || length == 0 || length > mostPattern || entry.bytes % length != 0)
      return fail(quoted + "has a pattern that does not fill it");
    entry.pattern = pattern.take_front(length).str();
  } else if (type == EntryType::Data) {
    Range storage = Range::read(cursor);
    if (!cursor.good || !storage.fitsInto(header.storageSegment.length))
      return fail(quoted + "lies outside of its data");
    entry.offset = start_ + header.storageSegment.offset + storage.offset;
    entry.bytes = storage.length;
  } else {
    return fail(quoted + "is of a kind (" + std::to_string(type) + ") that is unknown here");
  }
  if (!entries.try_emplace(key, std::move(entry)).second)
    return fail(quoted + "is there twice");
  return llvm::Error::success();
}

llvm::Error Part::readEntries(const Header &header, ParameterEntries &entries) {
  constexpr uint64_t alignment = 16, sizeBytes = 8;
  StringRef table = header.entrySegment.of(whole_);
  for (uint64_t i = 0, at = 0; i < header.entries; ++i) {
    if (at > table.size() || table.size() - at < sizeBytes)
      return fail("it says that it has " + std::to_string(header.entries) + " entries, but holds " + std::to_string(i));
    uint64_t size = llvm::support::endian::read64le(table.data() + at);
    if (size < sizeBytes || size > table.size() - at)
      return fail("its entry " + std::to_string(i) + " goes beyond its table");
    if (llvm::Error error = readEntry(table.substr(at + sizeBytes, size - sizeBytes), header, entries))
      return error;
    at += llvm::alignTo(size, alignment);
  }
  return llvm::Error::success();
}

llvm::Expected<ParameterEntries> readIrpaHeader(StringRef file) {
  ParameterEntries entries;
  for (uint64_t start = 0;;) {
    Part part(file, start);
    auto header = part.readHeader();
    if (!header)
      return header.takeError();
    if (llvm::Error error = part.readEntries(*header, entries))
      return error;
    if (header->next == 0)
      return entries;
    // Forward only, so that there is an end to it.
    if (header->next >= file.size() - start)
      return fail("its header names a next one beyond its end");
    start += header->next;
  }
}

} // namespace fuselage
