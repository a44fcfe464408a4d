// Updates that threads make one after the other, in any order.
#include "core/emulator/Accesses.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include <cstring>

using namespace mlir;

namespace fuselage::emulator {
namespace {

/// Reads, computes and writes for one thread after the other.
class AtomicUpdate : public Instruction {
public:
  AtomicUpdate(AddressPlan plan, ElementId old) : plan_(std::move(plan)), old_(old) { weight = 30; }
  void run(Machine &machine) const override {
    plan_.compute(machine);
    plan_.checkView(machine);
    Mask &one = machine.pushMask();
    // Others overwrite them.
    std::vector<int64_t> addresses(machine.addresses);
    const Mask &mask = machine.mask();
    for (unsigned lane = mask.begin; lane < mask.end && !machine.stops(); ++lane) {
      if (!mask.active[lane])
        continue;
      Buffer &buffer = plan_.bufferOf(machine, lane);
      auto byte = plan_.resolve(machine, buffer, addresses[lane], plan_.form().bytes, lane);
      if (!byte)
        continue;
      one.setWhere(mask, [&](unsigned other) { return other == lane; });
      machine.races.updateAtomically(buffer, *byte, plan_.form().bytes, lane, plan_.site());
      uint64_t bits = 0;
      std::memcpy(&bits, buffer.data + *byte, plan_.form().bytes);
      setLaneBits(machine, plan_.form(), old_, lane, bits);
      storeLane(machine, plan_.form(), update(machine, one, lane), lane, buffer.data + *byte);
    }
    machine.popMask();
  }

protected:
  ElementId old() const { return old_; }
  /// Computes the new value of `lane`, and says where it is.
  virtual ElementId update(Machine &machine, const Mask &one, unsigned lane) const = 0;

private:
  AddressPlan plan_;
  ElementId old_;
};

class NamedUpdate : public AtomicUpdate {
public:
  NamedUpdate(AddressPlan plan, ElementId old, ElementId value, ElementId result, const LaneOperation &operation)
      : AtomicUpdate(std::move(plan), old), value_(value), result_(result), operation_(operation) {}

private:
  ElementId update(Machine &machine, const Mask &, unsigned lane) const override {
    if (!operation_)
      return value_;
    operation_.run({machine.lanesOf(result_, lane), machine.lanesOf(old(), lane), machine.lanesOf(value_, lane),
                    machine.lanesOf(value_, lane), 1, operation_.parameter});
    return result_;
  }
  ElementId value_, result_;
  LaneOperation operation_;
};

class RegionUpdate : public AtomicUpdate {
public:
  RegionUpdate(AddressPlan plan, ElementId old, const Code &body) : AtomicUpdate(std::move(plan), old), body_(body) {}
  void setYielded(ElementId yielded) { yielded_ = yielded; }

private:
  ElementId update(Machine &machine, const Mask &one, unsigned) const override {
    machine.run(body_, one);
    return yielded_;
  }
  const Code &body_;
  ElementId yielded_;
};

/// The op of arith that an update stands for; empty: it puts the value there.
std::optional<llvm::StringRef> nameOf(arith::AtomicRMWKind kind) {
  using Kind = arith::AtomicRMWKind;
  switch (kind) {
  case Kind::assign:
    return "";
  case Kind::addf:
    return "arith.addf";
  case Kind::addi:
    return "arith.addi";
  case Kind::mulf:
    return "arith.mulf";
  case Kind::muli:
    return "arith.muli";
  case Kind::andi:
    return "arith.andi";
  case Kind::ori:
    return "arith.ori";
  case Kind::xori:
    return "arith.xori";
  case Kind::maximumf:
    return "arith.maximumf";
  case Kind::minimumf:
    return "arith.minimumf";
  case Kind::maxnumf:
    return "arith.maxnumf";
  case Kind::minnumf:
    return "arith.minnumf";
  case Kind::maxs:
    return "arith.maxsi";
  case Kind::maxu:
    return "arith.maxui";
  case Kind::mins:
    return "arith.minsi";
  case Kind::minu:
    return "arith.minui";
  default:
    return std::nullopt;
  }
}

llvm::Error decodeNamed(Decoder &decoder, memref::AtomicRMWOp op) {
  auto name = nameOf(op.getKind());
  if (!name || !canAddress(op.getMemref()) || isa<VectorType>(op.getMemRefType().getElementType()))
    return Decoder::refuse(op);
  decoder.noteWrite(op.getMemref());
  AddressPlan plan(decoder, op, op.getMemref(), op.getIndices(), 1);
  ElementForm form = plan.form();
  LaneOperation operation = name->empty() ? LaneOperation{} : laneOperation(*name, {form, form}, form);
  if (!operation && !name->empty())
    return Decoder::refuse(op);
  ElementId value = decoder.lanesOf(op.getValue()).front();
  auto old = decoder.define(op.getResult());
  if (!old)
    return old.takeError();
  decoder.emit<NamedUpdate>(op, std::move(plan), old->front(), value, decoder.newElement(form.isWide(), false),
                            operation);
  return llvm::Error::success();
}

llvm::Error decodeGeneric(Decoder &decoder, memref::GenericAtomicRMWOp op) {
  if (!canAddress(op.getMemref()) || !op.getRegion().hasOneBlock())
    return Decoder::refuse(op);
  decoder.noteWrite(op.getMemref());
  AddressPlan plan(decoder, op, op.getMemref(), op.getIndices(), 1);
  auto old = decoder.define(op.getCurrentValue());
  if (!old)
    return old.takeError();
  Code &body = decoder.newCode();
  auto &update = decoder.emit<RegionUpdate>(op, std::move(plan), old->front(), body);
  if (llvm::Error error = decoder.decode(op.getRegion().front(), body))
    return error;
  ElementIds yielded = decoder.lanesOf(op.getRegion().front().getTerminator()->getOperand(0));
  update.setYielded(yielded.front());
  decoder.alias(op.getResult(), std::move(yielded));
  return llvm::Error::success();
}

} // namespace

llvm::Expected<bool> decodeAtomic(Decoder &decoder, Operation *op) {
  auto done = [](llvm::Error error) -> llvm::Expected<bool> {
    if (error)
      return error;
    return true;
  };
  if (auto update = dyn_cast<memref::AtomicRMWOp>(op))
    return done(decodeNamed(decoder, update));
  if (auto update = dyn_cast<memref::GenericAtomicRMWOp>(op))
    return done(decodeGeneric(decoder, update));
  return false;
}

} // namespace fuselage::emulator
