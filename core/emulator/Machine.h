// Runs a program for all threads of a workgroup at once.
#pragma once
#include "core/emulator/AsyncCopies.h"
#include "core/emulator/Program.h"
#include "core/emulator/RaceDetector.h"
#include <atomic>

namespace fuselage::emulator {

/// Which threads take part.
struct Mask {
  std::vector<uint8_t> active;
  unsigned begin = 0, end = 0, count = 0; ///< active ones lie within begin and end

  bool isFull() const { return count == active.size(); }
  bool isDense() const { return count == end - begin; }
  /// Sets what `test` says of each lane that is active in `of`.
  template <class Test> void setWhere(const Mask &of, Test test) {
    active.assign(of.active.size(), 0);
    begin = end = count = 0;
    for (unsigned lane = of.begin; lane < of.end; ++lane) {
      if (!of.active[lane] || !test(lane))
        continue;
      active[lane] = 1;
      begin = count++ == 0 ? lane : begin;
      end = lane + 1;
    }
  }
  void setAll(unsigned lanes);
};

/// What may still be done; shared by all launches of a run.
struct Budget {
  uint64_t left = 0;
  bool isSpent = false;
  const std::atomic<bool> *cancelled = nullptr;
  uint64_t sinceLook = 0;

  bool stops() const { return isSpent; }
  void spend(uint64_t cost) {
    isSpent |= cost > left;
    left -= std::min(left, cost);
    if ((sinceLook += cost) > 1'000'000) {
      sinceLook = 0;
      isSpent |= cancelled && cancelled->load();
    }
  }
};

struct RunState;

class Machine {
public:
  Machine(const Program &program, Memory &memory, RaceDetector &races, Budget &budget, unsigned lanes,
          unsigned subgroupSize);
  Machine(const Machine &) = delete;

  /// Whether there is memory for so many lanes of the program's values.
  bool allocate();
  unsigned lanes() const { return lanes_; }
  unsigned subgroupSize() const { return subgroupSize_; }

  float *single(ElementId id) { return singles_.get() + size_t(id.index) * lanes_; }
  uint64_t *word(ElementId id) { return words_.get() + size_t(id.index) * lanes_; }
  void *lanesOf(ElementId id, unsigned lane = 0) {
    return id.isWide ? static_cast<void *>(word(id) + lane) : static_cast<void *>(single(id) + lane);
  }
  uint64_t uniform(ElementId id) { return word(id)[0]; }
  void fill(ElementId id, uint64_t bits);
  /// Puts lane 0 into all that take part.
  void broadcast(ElementId id);
  /// Copies lanes that take part in `mask`.
  void copy(llvm::ArrayRef<ElementId> from, llvm::ArrayRef<ElementId> to, const Mask &mask);

  const Mask &mask() const { return *mask_; }
  /// Runs a block for these threads.
  void run(const Code &code, const Mask &mask);
  bool stops() const { return budget.stops(); }

  /// Memory for a while; give it back in reverse order.
  Mask &pushMask();
  void popMask() { --masksUsed_; }

  const Program &program;
  Memory &memory;
  RaceDetector &races;
  Budget &budget;
  AsyncCopies copies;
  std::vector<int64_t> addresses; ///< a lane each, of the access that is made
  std::vector<uint8_t *> places;
  std::vector<uint8_t> nowhere; ///< what is read instead of what is not there
  std::vector<uint64_t> scratch;
  std::array<int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  uint64_t dynamicBytes = 0; ///< of workgroup memory, that the launch gives
  bool isHost = false;
  RunState *state = nullptr; ///< of the host

private:
  unsigned lanes_, subgroupSize_;
  std::unique_ptr<float[]> singles_;
  std::unique_ptr<uint64_t[]> words_;
  const Mask *mask_ = nullptr;
  std::deque<Mask> masks_;
  size_t masksUsed_ = 0;
};

} // namespace fuselage::emulator
