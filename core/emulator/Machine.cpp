#include "core/emulator/Machine.h"
#include <cstring>
#include <new>

namespace fuselage::emulator {

void Mask::setAll(unsigned lanes) {
  active.assign(lanes, 1);
  begin = 0;
  end = count = lanes;
}

Machine::Machine(const Program &program, Memory &memory, RaceDetector &races, Budget &budget, unsigned lanes,
                 unsigned subgroupSize)
    : program(program), memory(memory), races(races), budget(budget), copies(lanes), addresses(lanes), places(lanes),
      nowhere(1 << 20), lanes_(lanes), subgroupSize_(subgroupSize) {}

bool Machine::allocate() {
  constexpr uint64_t limit = uint64_t(1) << 30;
  uint64_t singles = uint64_t(program.singles) * lanes_, words = uint64_t(program.words) * lanes_;
  if (singles * 4 + words * 8 > limit)
    return false;
  singles_.reset(new (std::nothrow) float[singles + 1]());
  words_.reset(new (std::nothrow) uint64_t[words + 1]());
  return singles_ && words_;
}

void Machine::fill(ElementId id, uint64_t bits) {
  if (id.isWide)
    std::fill_n(word(id), lanes_, bits);
  else
    std::fill_n(single(id), lanes_, llvm::bit_cast<float>(uint32_t(bits)));
}

void Machine::broadcast(ElementId id) {
  unsigned count = mask_->end - mask_->begin;
  if (id.isWide)
    std::fill_n(word(id) + mask_->begin, count, word(id)[0]);
  else
    std::fill_n(single(id) + mask_->begin, count, single(id)[0]);
}

template <class T> static void copyLanes(T *to, const T *from, const Mask &mask) {
  if (mask.isDense()) {
    std::copy(from + mask.begin, from + mask.end, to + mask.begin);
    return;
  }
  for (unsigned lane = mask.begin; lane < mask.end; ++lane)
    to[lane] = mask.active[lane] ? from[lane] : to[lane];
}

void Machine::copy(llvm::ArrayRef<ElementId> from, llvm::ArrayRef<ElementId> to, const Mask &mask) {
  for (size_t i = 0; i < from.size(); ++i) {
    if (from[i].index == to[i].index && from[i].isWide == to[i].isWide)
      continue;
    if (from[i].isWide)
      copyLanes(word(to[i]), word(from[i]), mask);
    else
      copyLanes(single(to[i]), single(from[i]), mask);
  }
}

void Machine::run(const Code &code, const Mask &mask) {
  // An instruction takes its time, however few threads there are.
  budget.spend(code.weight * (mask.end - mask.begin) + 16 * code.instructions.size() + 32);
  if (mask.count == 0 || stops())
    return;
  const Mask *outer = mask_;
  mask_ = &mask;
  // Where the budget ends within a loop, what stands after it must not store what has been computed so far.
  for (const Instruction *instruction : code.instructions) {
    instruction->run(*this);
    if (stops())
      break;
  }
  mask_ = outer;
}

Mask &Machine::pushMask() {
  if (masksUsed_ == masks_.size())
    masks_.emplace_back();
  return masks_[masksUsed_++];
}

} // namespace fuselage::emulator
