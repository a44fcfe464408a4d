#include "core/emulator/AsyncCopies.h"
#include "core/emulator/RaceDetector.h"
#include <cstring>

namespace fuselage::emulator {

void AsyncCopies::begin(unsigned lane, PendingCopy copy) {
  copy.group = threads_[lane].groups;
  threads_[lane].copies.push_back(copy);
}

void AsyncCopies::wait(unsigned lane, uint64_t groups, RaceDetector &races) {
  Thread &thread = threads_[lane];
  if (thread.groups <= groups)
    return;
  uint64_t done = thread.groups - groups; // groups with lower numbers
  while (!thread.copies.empty() && thread.copies.front().group < done) {
    PendingCopy &copy = thread.copies.front();
    std::memcpy(copy.buffer->data + copy.byte, copy.value.data(), copy.bytes);
    races.markWritten(*copy.buffer, copy.byte, copy.bytes);
    thread.copies.pop_front();
  }
}

void AsyncCopies::clear() {
  for (Thread &thread : threads_)
    thread = {};
}

} // namespace fuselage::emulator
