// Where the threads' accesses go.
#pragma once
#include "core/emulator/Decoder.h"
#include "core/emulator/Machine.h"

namespace fuselage::emulator {

/// An access to a buffer at indices, of `width` elements of the last dimension.
class AddressPlan {
public:
  AddressPlan(Decoder &decoder, mlir::Operation *op, mlir::Value buffer, mlir::ValueRange indices, unsigned width);

  const ElementForm &form() const { return form_; }
  unsigned elementBytes() const { return elementBytes_; } ///< of the buffer's type, which may be vectors
  uint32_t site() const { return site_; }
  llvm::ArrayRef<ElementId> sizes() const { return sizes_; }
  llvm::ArrayRef<ElementId> indices() const { return indices_; }
  /// Of a dimension, in bytes. Uniform ones only.
  int64_t strideBytes(Machine &machine, unsigned dimension) const;

  /// Sets machine.addresses, in bytes from the buffer's beginning, of lanes that take part.
  void compute(Machine &machine) const;
  /// Reports indices outside of the view that they index.
  void checkView(Machine &machine) const;
  Buffer &bufferOf(Machine &machine, unsigned lane) const {
    return machine.memory.at(machine.word(number_)[number_.isUniform ? 0 : lane]);
  }
  /// Whether all threads access one buffer, whatever its number.
  bool isOneBuffer() const { return number_.isUniform; }

  /// The byte of an address in the buffer; nullopt: it is outside, which is reported.
  std::optional<uint64_t> resolve(Machine &machine, Buffer &buffer, int64_t address, unsigned bytes,
                                  unsigned lane) const;

  /// The plain walk of an access of `bytes`: visit(lane, buffer, byte) for each lane that takes part and stays within.
  template <class Visit> void eachPlace(Machine &machine, unsigned bytes, const Visit &visit) const {
    compute(machine);
    checkView(machine);
    const Mask &mask = machine.mask();
    for (unsigned lane = mask.begin; lane < mask.end; ++lane) {
      if (!mask.active[lane])
        continue;
      Buffer &buffer = bufferOf(machine, lane);
      if (auto byte = resolve(machine, buffer, machine.addresses[lane], bytes, lane))
        visit(lane, buffer, *byte);
    }
  }

private:
  struct Term {
    ElementId value, factor; ///< factor is only used where it is no constant
    int64_t constant;        ///< bytes, by which value * factor counts
    bool hasFactor;
  };
  void addTerm(Decoder &decoder, ElementId value, ElementId factor, int64_t bytes);

  mlir::Operation *op_;
  ElementForm form_;
  unsigned elementBytes_, width_;
  uint32_t site_;
  ElementId number_;
  int64_t base_ = 0;
  llvm::SmallVector<Term> uniform_, varying_;
  ElementIds indices_, sizes_, strides_;
};

/// The elements of a vector that lie one after the other, from or to a thread's place.
void loadLanes(Machine &machine, const ElementForm &form, ElementId element, unsigned offset);
/// The bits that a lane's element has in memory.
uint64_t laneBits(Machine &machine, const ElementForm &form, ElementId element, unsigned lane);
void setLaneBits(Machine &machine, const ElementForm &form, ElementId element, unsigned lane, uint64_t bits);
void storeLane(Machine &machine, const ElementForm &form, ElementId element, unsigned lane, uint8_t *to);

} // namespace fuselage::emulator
