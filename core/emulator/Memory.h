// Buffers that a kernel works on, and who touched them last.
#pragma once
#include "mlir/IR/BuiltinTypes.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fuselage::emulator {

/// Who wrote and read a place last. Stamps count barriers and workgroups, from 1; sites are numbers of ops.
struct ShadowEntry {
  uint32_t writeStamp = 0, writeSite = 0, readStamp = 0, readSite = 0;
  uint32_t otherStamp = 0, otherSite = 0; ///< a read by a workgroup before that of readStamp
  uint16_t writer = 0, reader = 0, secondReader = 0, otherReader = 0;

  // Flags in the upper bits of sites.
  static constexpr uint32_t atomic = 1u << 31, pending = 1u << 30, several = 1u << 31, siteMask = (1u << 30) - 1;
};

/// Entries of a buffer, made where they are touched.
class Shadow {
public:
  /// A place is `granule` bytes, a power of two.
  Shadow(uint64_t bytes, unsigned granule);
  unsigned granule() const { return 1u << shift_; }
  uint64_t placeOf(uint64_t byte) const { return byte >> shift_; }
  ShadowEntry &at(uint64_t place) {
    auto &page = pages_[place / pageSize];
    if (!page)
      page = std::make_unique<ShadowEntry[]>(pageSize);
    return page[place % pageSize];
  }
  const ShadowEntry *find(uint64_t place) const {
    const auto &page = pages_[place / pageSize];
    return page ? &page[place % pageSize] : nullptr;
  }

private:
  static constexpr uint64_t pageSize = 1024;
  unsigned shift_;
  std::vector<std::unique_ptr<ShadowEntry[]>> pages_;
};

struct Buffer {
  enum class Kind { Global, Workgroup, Private };
  Kind kind = Kind::Global;
  std::string name;
  mlir::MemRefType type;
  uint8_t *data = nullptr;
  uint64_t bytes = 0;        ///< of a thread's part, of a private one
  unsigned elementBytes = 1; ///< of the type's elements
  bool isInitialised = false;
  bool isWritten = true;         ///< by the launch that runs; false: its reads race with nobody
  bool hasSkippedWrites = false; ///< a launch of which some workgroups were left out may write to it
  uint32_t leastStamp = 1; ///< the last such launch's first; what was written before may have been overwritten by those
  bool isFreed = false;
  std::unique_ptr<Shadow> shadow{};
  std::unique_ptr<uint8_t[]> owned{};

  /// Whether somebody has written a place, and nobody who was left out may have done so since.
  bool isKnown(const ShadowEntry &entry) const { return entry.writeStamp >= leastStamp; }
  /// Where the element at a byte lies, by the type's dimensions; empty where those are not known.
  std::vector<int64_t> indexOf(uint64_t byte) const;
};

/// All buffers, by number.
class Memory {
public:
  /// `limit`: bytes of all buffers and their shadows, roughly.
  explicit Memory(uint64_t limit) : left_(limit) {}
  /// A buffer of zeros, or over `data`; nullptr: that is beyond the limit. `copies`: parts of a private one.
  Buffer *create(Buffer::Kind kind, std::string name, mlir::MemRefType type, uint64_t bytes, unsigned elementBytes,
                 unsigned granule, uint64_t copies = 1, uint8_t *data = nullptr);
  Buffer &at(uint64_t number) { return *buffers_[number < buffers_.size() ? number : 0]; }
  uint64_t count() const { return buffers_.size(); }
  /// Forgets those from `count` on, and gives their bytes back.
  void shrink(uint64_t count);

private:
  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::vector<uint64_t> costs_;
  uint64_t left_;
};

} // namespace fuselage::emulator
