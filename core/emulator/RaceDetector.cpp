#include "core/emulator/RaceDetector.h"
#include <cstring>

using namespace mlir;

namespace fuselage::emulator {

void RaceDetector::beginLaunch(std::array<int64_t, 3> grid, std::array<int64_t, 3> block) {
  grid_ = grid;
  block_ = block;
  launchStamp_ = stamp_ + 1;
  begun_.clear();
}

void RaceDetector::beginWorkgroup(int64_t workgroup) {
  workgroup_ = workgroup;
  workgroupStamp_ = ++stamp_;
  begun_.emplace_back(stamp_, workgroup);
}

int64_t RaceDetector::workgroupOf(uint32_t stamp) const {
  auto after = llvm::upper_bound(begun_, stamp, [](uint32_t stamp, auto &begun) { return stamp < begun.first; });
  return after == begun_.begin() ? -1 : std::prev(after)->second;
}

void RaceDetector::report(FindingKind kind, Operation *op, int64_t thread, std::string detail, const Buffer *buffer,
                          std::vector<int64_t> index) {
  if (!findings_.isNew(kind, op, nullptr))
    return;
  findings_.add({.kind = kind,
                 .first = {op, thread, workgroup_},
                 .buffer = buffer ? buffer->name : "",
                 .index = std::move(index),
                 .detail = std::move(detail),
                 .grid = grid_,
                 .block = block_});
}

void RaceDetector::reportPair(FindingKind kind, const Access &access, uint32_t site, unsigned thread, uint32_t stamp,
                              std::string detail) {
  Operation *op = opOf(access.site), *other = opOf(site);
  if (!findings_.isNew(kind, op, other))
    return;
  findings_.add({.kind = kind,
                 .first = {op, access.thread, workgroup_},
                 .second = {other, thread, workgroupOf(stamp)},
                 .buffer = access.buffer.name,
                 .index = access.buffer.indexOf(access.byte),
                 .detail = std::move(detail),
                 .grid = grid_,
                 .block = block_});
}

template <class Check> void RaceDetector::forPlaces(Buffer &buffer, uint64_t byte, unsigned bytes, Check check) {
  ++accesses_;
  uint64_t last = buffer.shadow->placeOf(byte + bytes - 1);
  for (uint64_t place = buffer.shadow->placeOf(byte); place <= last; ++place)
    check(buffer.shadow->at(place), place * buffer.shadow->granule());
}

void RaceDetector::checkInitialised(const ShadowEntry &entry, const Access &access) {
  bool isWritten = access.buffer.kind == Buffer::Kind::Global
                       ? access.buffer.isKnown(entry) || isOfThisLaunch(entry.writeStamp)
                       : isOfThisWorkgroup(entry.writeStamp);
  if (isWritten)
    return;
  if (access.buffer.hasSkippedWrites) {
    dependsOnSkipped_ = true;
    return;
  }
  report(FindingKind::Uninitialised, opOf(access.site), access.thread, "nobody has written this element before",
         &access.buffer, access.buffer.indexOf(access.byte));
}

void RaceDetector::read(Buffer &buffer, uint64_t byte, unsigned bytes, unsigned thread, uint32_t site) {
  if (buffer.isInitialised && !buffer.isWritten) {
    ++accesses_;
    return;
  }
  bool isGlobal = buffer.kind == Buffer::Kind::Global, isPrivate = buffer.kind == Buffer::Kind::Private;
  forPlaces(buffer, byte, bytes, [&](ShadowEntry &entry, uint64_t place) {
    Access access{buffer, std::max(place, byte), thread, site};
    if (entry.writeSite & ShadowEntry::pending && isOfThisWorkgroup(entry.writeStamp)) {
      reportPair(FindingKind::PendingCopy, access, entry.writeSite, entry.writer, entry.writeStamp,
                 "the copy is read before its thread has waited for it");
      return;
    }
    if (!buffer.isInitialised)
      checkInitialised(entry, access);
    if (isPrivate || !buffer.isWritten)
      return;
    if (races(entry.writeStamp, entry.writer, thread, isGlobal))
      reportPair(FindingKind::ReadWrite, access, entry.writeSite, entry.writer, entry.writeStamp,
                 "the second thread writes what the first one reads");
    if (entry.readStamp != 0 && isOfThisWorkgroup(entry.readStamp)) {
      if (entry.readStamp == stamp_ && entry.reader != thread) {
        entry.secondReader = uint16_t(thread);
        entry.readSite |= ShadowEntry::several;
        return;
      }
    } else if (isGlobal) {
      entry.otherStamp = entry.readStamp;
      entry.otherSite = entry.readSite & ShadowEntry::siteMask;
      entry.otherReader = entry.reader;
    }
    if (entry.readStamp == stamp_ && entry.reader == thread)
      return;
    entry.readStamp = stamp_;
    entry.readSite = site;
    entry.reader = uint16_t(thread);
  });
}

void RaceDetector::checkWrite(const ShadowEntry &entry, const Access &access, bool isAtomic, const uint8_t *value) {
  bool isGlobal = access.buffer.kind == Buffer::Kind::Global;
  bool isPending = entry.writeSite & ShadowEntry::pending && isOfThisWorkgroup(entry.writeStamp);
  if (isPending) {
    reportPair(FindingKind::PendingCopy, access, entry.writeSite, entry.writer, entry.writeStamp,
               "the copy is overwritten before its thread has waited for it");
  } else if (!(isAtomic && entry.writeSite & ShadowEntry::atomic) &&
             races(entry.writeStamp, entry.writer, access.thread, isGlobal)) {
    bool isSame = value && std::memcmp(access.buffer.data + access.byte, value, access.buffer.shadow->granule()) == 0;
    reportPair(FindingKind::WriteWrite, access, entry.writeSite, entry.writer, entry.writeStamp,
               !value   ? ""
               : isSame ? "the values are equal"
                        : "the values are different");
  }
  std::string what = "the first thread writes what the second one reads";
  uint32_t stamp = entry.readStamp;
  if (stamp != 0 && isOfThisWorkgroup(stamp) && stamp == stamp_ && entry.reader == access.thread &&
      entry.readSite & ShadowEntry::several)
    reportPair(FindingKind::ReadWrite, access, entry.readSite, entry.secondReader, stamp, what);
  else if (races(stamp, entry.reader, access.thread, isGlobal))
    reportPair(FindingKind::ReadWrite, access, entry.readSite, entry.reader, stamp, what);
  else if (isGlobal && !isOfThisWorkgroup(entry.otherStamp) && isOfThisLaunch(entry.otherStamp))
    reportPair(FindingKind::ReadWrite, access, entry.otherSite, entry.otherReader, entry.otherStamp, what);
}

void RaceDetector::write(Buffer &buffer, uint64_t byte, unsigned bytes, unsigned thread, uint32_t site,
                         const uint8_t *value) {
  forPlaces(buffer, byte, bytes, [&](ShadowEntry &entry, uint64_t place) {
    if (buffer.kind != Buffer::Kind::Private) {
      // A place that is only touched in part has no value of its own to compare.
      bool isWhole = place >= byte && place + buffer.shadow->granule() <= byte + bytes;
      checkWrite(entry, {buffer, std::max(place, byte), thread, site}, false,
                 value && isWhole ? value + (place - byte) : nullptr);
    }
    entry.writeStamp = stamp_;
    entry.writeSite = site;
    entry.writer = uint16_t(thread);
  });
}

void RaceDetector::updateAtomically(Buffer &buffer, uint64_t byte, unsigned bytes, unsigned thread, uint32_t site) {
  forPlaces(buffer, byte, bytes, [&](ShadowEntry &entry, uint64_t place) {
    Access access{buffer, std::max(place, byte), thread, site};
    if (!buffer.isInitialised)
      checkInitialised(entry, access);
    if (buffer.kind != Buffer::Kind::Private)
      checkWrite(entry, access, true, nullptr);
    entry.writeStamp = stamp_;
    entry.writeSite = site | ShadowEntry::atomic;
    entry.writer = uint16_t(thread);
  });
}

void RaceDetector::beginCopy(Buffer &buffer, uint64_t byte, unsigned bytes, unsigned thread, uint32_t site) {
  forPlaces(buffer, byte, bytes, [&](ShadowEntry &entry, uint64_t place) {
    checkWrite(entry, {buffer, std::max(place, byte), thread, site}, false, nullptr);
    entry.writeStamp = stamp_;
    entry.writeSite = site | ShadowEntry::pending;
    entry.writer = uint16_t(thread);
  });
}

void RaceDetector::markWritten(Buffer &buffer, uint64_t byte, unsigned bytes) {
  uint64_t last = buffer.shadow->placeOf(byte + bytes - 1);
  for (uint64_t place = buffer.shadow->placeOf(byte); place <= last; ++place) {
    ShadowEntry &entry = buffer.shadow->at(place);
    entry.writeSite &= ~ShadowEntry::pending;
    entry.writeStamp = stamp_;
  }
}

} // namespace fuselage::emulator
