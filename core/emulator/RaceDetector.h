// Who touches memory in which order, and whether anything orders them.
#pragma once
#include "core/emulator/Findings.h"
#include "core/emulator/Memory.h"

namespace fuselage::emulator {

/// Ops that touch memory or wait, by number.
class SiteTable {
public:
  uint32_t add(mlir::Operation *op) {
    ops_.push_back(op);
    return uint32_t(ops_.size() - 1);
  }
  mlir::Operation *at(uint32_t site) const { return ops_[(site & ShadowEntry::siteMask) % ops_.size()]; }

private:
  std::vector<mlir::Operation *> ops_;
};

/// Checks accesses of a launch, whose workgroups run one after the other. Within a workgroup a barrier orders; between
/// workgroups nothing does.
class RaceDetector {
public:
  RaceDetector(Findings &findings, const SiteTable &sites) : findings_(findings), sites_(sites) {}

  void beginLaunch(std::array<int64_t, 3> grid, std::array<int64_t, 3> block);
  void beginWorkgroup(int64_t workgroup);
  void barrier() {
    ++stamp_;
    ++epochs_;
  }
  uint64_t accesses() const { return accesses_; }
  /// Barriers, of all workgroups together.
  uint64_t epochs() const { return epochs_; }
  /// Something was read that only workgroups which were left out may have written.
  bool dependsOnSkipped() const { return dependsOnSkipped_; }
  int64_t workgroup() const { return workgroup_; }
  uint32_t firstStampOfLaunch() const { return launchStamp_; }

  /// One access of a thread to `bytes` bytes at `byte`, inside of the buffer. `value`: what will be there.
  void read(Buffer &buffer, uint64_t byte, unsigned bytes, unsigned thread, uint32_t site);
  void write(Buffer &buffer, uint64_t byte, unsigned bytes, unsigned thread, uint32_t site, const uint8_t *value);
  void updateAtomically(Buffer &buffer, uint64_t byte, unsigned bytes, unsigned thread, uint32_t site);
  /// An asynchronous copy begins to write, and has written; so has who is alone.
  void beginCopy(Buffer &buffer, uint64_t byte, unsigned bytes, unsigned thread, uint32_t site);
  void markWritten(Buffer &buffer, uint64_t byte, unsigned bytes);

  /// A finding of one thread, or of none (-1).
  void report(FindingKind kind, mlir::Operation *op, int64_t thread, std::string detail, const Buffer *buffer = nullptr,
              std::vector<int64_t> index = {});
  mlir::Operation *opOf(uint32_t site) const { return sites_.at(site); }

private:
  struct Access {
    Buffer &buffer;
    uint64_t byte;
    unsigned thread;
    uint32_t site;
  };
  bool isOfThisWorkgroup(uint32_t stamp) const { return stamp >= workgroupStamp_; }
  bool isOfThisLaunch(uint32_t stamp) const { return stamp >= launchStamp_; }
  /// Whether somebody else's access is not ordered before one of `thread` now.
  bool races(uint32_t stamp, unsigned other, unsigned thread, bool isGlobal) const {
    return isOfThisWorkgroup(stamp) ? stamp == stamp_ && other != thread : isGlobal && isOfThisLaunch(stamp);
  }
  template <class Check> void forPlaces(Buffer &buffer, uint64_t byte, unsigned bytes, Check check);
  void checkInitialised(const ShadowEntry &entry, const Access &access);
  void checkWrite(const ShadowEntry &entry, const Access &access, bool isAtomic, const uint8_t *value);
  void reportPair(FindingKind kind, const Access &access, uint32_t site, unsigned thread, uint32_t stamp,
                  std::string detail);
  int64_t workgroupOf(uint32_t stamp) const;

  Findings &findings_;
  const SiteTable &sites_;
  uint32_t stamp_ = 1, workgroupStamp_ = 1, launchStamp_ = 1;
  int64_t workgroup_ = 0;
  std::array<int64_t, 3> grid_{1, 1, 1}, block_{1, 1, 1};
  std::vector<std::pair<uint32_t, int64_t>> begun_; ///< workgroups of the launch by their first stamp
  uint64_t accesses_ = 0, epochs_ = 0;
  bool dependsOnSkipped_ = false;
};

} // namespace fuselage::emulator
