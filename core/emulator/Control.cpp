// Branches and loops of scf: some threads take part, others do not.
#include "core/emulator/Decoder.h"
#include "core/emulator/Machine.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <cstring>

using namespace mlir;

namespace fuselage::emulator {
namespace {

/// Values that are handed on at once, even where one takes the place of another.
class Handover {
public:
  Handover() = default;
  Handover(ElementIds from, ElementIds to) : from_(std::move(from)), to_(std::move(to)) {
    for (size_t i = 0; i < from_.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        needsCopy_ |= from_[i].index == to_[j].index && from_[i].isWide == to_[j].isWide && i != j;
  }
  size_t size() const { return from_.size(); }
  void run(Machine &machine, const Mask &mask) const {
    if (!needsCopy_)
      return machine.copy(from_, to_, mask);
    // Through a copy of all of them.
    unsigned lanes = machine.lanes();
    machine.scratch.resize(from_.size() * lanes);
    auto bytes = [](ElementId id) { return id.isWide ? 8u : 4u; };
    for (size_t i = 0; i < from_.size(); ++i)
      std::memcpy(&machine.scratch[i * lanes], machine.lanesOf(from_[i]), size_t(lanes) * bytes(from_[i]));
    for (size_t i = 0; i < from_.size(); ++i) {
      auto *from = reinterpret_cast<const uint8_t *>(&machine.scratch[i * lanes]);
      auto *to = static_cast<uint8_t *>(machine.lanesOf(to_[i]));
      for (unsigned lane = mask.begin; lane < mask.end; ++lane)
        if (mask.active[lane])
          std::memcpy(to + lane * bytes(to_[i]), from + lane * bytes(to_[i]), bytes(to_[i]));
    }
  }

private:
  ElementIds from_, to_;
  bool needsCopy_ = false;
};

class If : public Instruction {
public:
  If(ElementId condition, const Code &yes, const Code &no, Handover ofYes, Handover ofNo)
      : condition_(condition), yes_(yes), no_(no), ofYes_(std::move(ofYes)), ofNo_(std::move(ofNo)) {}
  void run(Machine &machine) const override {
    if (condition_.isUniform)
      return machine.uniform(condition_) ? take(machine, yes_, ofYes_, machine.mask())
                                         : take(machine, no_, ofNo_, machine.mask());
    const uint64_t *condition = machine.word(condition_);
    Mask &yes = machine.pushMask(), &no = machine.pushMask();
    yes.setWhere(machine.mask(), [&](unsigned lane) { return condition[lane] != 0; });
    no.setWhere(machine.mask(), [&](unsigned lane) { return condition[lane] == 0; });
    take(machine, yes_, ofYes_, yes);
    take(machine, no_, ofNo_, no);
    machine.popMask();
    machine.popMask();
  }

private:
  static void take(Machine &machine, const Code &code, const Handover &results, const Mask &mask) {
    if (mask.count == 0)
      return;
    machine.run(code, mask);
    results.run(machine, mask);
  }
  ElementId condition_;
  const Code &yes_, &no_;
  Handover ofYes_, ofNo_;
};

int64_t signedOf(uint64_t word, unsigned bits) {
  uint64_t sign = uint64_t(1) << (bits - 1);
  return int64_t((word ^ sign) - sign);
}

struct ForParts {
  ElementId lower, upper, step, counter;
  unsigned bits;
  bool isUnsigned;
};

class For : public Instruction {
public:
  For(ForParts parts, const Code &body) : parts_(parts), body_(body) {}
  void setValues(Handover initial, Handover next) {
    initial_ = std::move(initial);
    next_ = std::move(next);
  }
  void run(Machine &machine) const override {
    initial_.run(machine, machine.mask());
    parts_.counter.isUniform ? runTogether(machine) : runEach(machine);
  }

private:
  bool goesOn(uint64_t counter, uint64_t upper) const {
    return parts_.isUnsigned ? counter < upper : signedOf(counter, parts_.bits) < signedOf(upper, parts_.bits);
  }
  /// A step that does not lead on ends the loop, as one whose counter overflows does.
  bool advance(uint64_t &counter, uint64_t step) const {
    uint64_t mask = parts_.bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << parts_.bits) - 1;
    uint64_t next = (counter + step) & mask;
    bool isAhead = goesOn(counter, next);
    counter = next;
    return isAhead;
  }
  void runTogether(Machine &machine) const {
    uint64_t counter = machine.uniform(parts_.lower), upper = machine.uniform(parts_.upper),
             step = machine.uniform(parts_.step);
    for (bool isAhead = true; isAhead && goesOn(counter, upper) && !machine.stops(); isAhead = advance(counter, step)) {
      machine.word(parts_.counter)[0] = counter;
      if (isBroadcast)
        machine.broadcast(parts_.counter);
      machine.run(body_, machine.mask());
      next_.run(machine, machine.mask());
    }
  }
  void runEach(Machine &machine) const {
    const uint64_t *upper = machine.word(parts_.upper), *step = machine.word(parts_.step);
    uint64_t *counter = machine.word(parts_.counter);
    Mask &mask = machine.pushMask();
    Mask &before = machine.pushMask();
    std::copy_n(machine.word(parts_.lower), machine.lanes(), counter);
    mask.setWhere(machine.mask(), [&](unsigned lane) { return goesOn(counter[lane], upper[lane]); });
    while (mask.count != 0 && !machine.stops()) {
      machine.run(body_, mask);
      next_.run(machine, mask);
      before = mask;
      mask.setWhere(before, [&](unsigned lane) {
        return advance(counter[lane], step[lane]) && goesOn(counter[lane], upper[lane]);
      });
    }
    machine.popMask();
    machine.popMask();
  }

  ForParts parts_;
  const Code &body_;
  Handover initial_, next_;
};

class While : public Instruction {
public:
  While(const Code &before, const Code &after, ElementId condition)
      : before_(before), after_(after), condition_(condition) {}
  void setValues(Handover initial, Handover onward, Handover results, Handover next) {
    initial_ = std::move(initial);
    onward_ = std::move(onward);
    results_ = std::move(results);
    next_ = std::move(next);
  }
  void run(Machine &machine) const override {
    initial_.run(machine, machine.mask());
    Mask &inside = machine.pushMask(), &leaving = machine.pushMask(), &staying = machine.pushMask();
    inside = machine.mask();
    while (inside.count != 0 && !machine.stops()) {
      machine.run(before_, inside);
      const uint64_t *condition = machine.word(condition_);
      bool isUniform = condition_.isUniform;
      leaving.setWhere(inside, [&](unsigned lane) { return condition[isUniform ? 0 : lane] == 0; });
      staying.setWhere(inside, [&](unsigned lane) { return condition[isUniform ? 0 : lane] != 0; });
      results_.run(machine, leaving);
      onward_.run(machine, staying);
      if (staying.count != 0) {
        machine.run(after_, staying);
        next_.run(machine, staying);
      }
      inside = staying;
    }
    for (int i = 0; i < 3; ++i)
      machine.popMask();
  }

private:
  const Code &before_, &after_;
  ElementId condition_;
  Handover initial_, onward_, results_, next_;
};

/// The elements of values, one after the other, with their lanes in place.
ElementIds allLanes(Decoder &decoder, ValueRange values) {
  ElementIds all;
  for (Value value : values)
    llvm::append_range(all, decoder.lanesOf(value));
  return all;
}

llvm::Expected<ElementIds> defineAll(Decoder &decoder, ValueRange values) {
  ElementIds all;
  for (Value value : values) {
    auto elements = decoder.define(value);
    if (!elements)
      return elements.takeError();
    llvm::append_range(all, *elements);
  }
  return all;
}

/// A block, and what its terminator hands on.
llvm::Expected<Handover> decodeBranch(Decoder &decoder, Region &region, Code &code, const ElementIds &results) {
  if (region.empty())
    return Handover();
  if (!region.hasOneBlock())
    return Decoder::refuse(region.getParentOp(), "the emulator takes regions of one block");
  if (llvm::Error error = decoder.decode(region.front(), code))
    return error;
  return Handover(allLanes(decoder, region.front().getTerminator()->getOperands()), results);
}

llvm::Error decodeIf(Decoder &decoder, scf::IfOp op) {
  ElementId condition = decoder.elementOf(op.getCondition());
  auto results = defineAll(decoder, op.getResults());
  if (!results)
    return results.takeError();
  Code &yes = decoder.newCode(), &no = decoder.newCode();
  auto ofYes = decodeBranch(decoder, op.getThenRegion(), yes, *results);
  if (!ofYes)
    return ofYes.takeError();
  auto ofNo = decodeBranch(decoder, op.getElseRegion(), no, *results);
  if (!ofNo)
    return ofNo.takeError();
  decoder.emit<If>(op, condition, yes, no, std::move(*ofYes), std::move(*ofNo));
  return llvm::Error::success();
}

llvm::Error decodeFor(Decoder &decoder, scf::ForOp op) {
  auto form = formOf(op.getInductionVar().getType());
  if (!form || !op.getRegion().hasOneBlock())
    return Decoder::refuse(op);
  ForParts parts{decoder.elementOf(op.getLowerBound()),
                 decoder.elementOf(op.getUpperBound()),
                 decoder.elementOf(op.getStep()),
                 {},
                 form->bits,
                 op.getUnsignedCmp()};
  bool isUniform = parts.lower.isUniform && parts.upper.isUniform && parts.step.isUniform;
  if (!isUniform)
    decoder.needLanes({parts.lower, parts.upper, parts.step});
  Code &body = decoder.newCode();
  ElementIds initial = allLanes(decoder, op.getInitArgs());
  auto carried = defineAll(decoder, op.getRegionIterArgs());
  if (!carried)
    return carried.takeError();
  // The loop itself says what its counter is to all.
  parts.counter = decoder.newElement(true, isUniform);
  auto &loop = decoder.emit<For>(op, parts, body);
  decoder.setDefiner(parts.counter, isUniform ? &loop : nullptr);
  decoder.alias(op.getInductionVar(), {parts.counter});
  auto next = decodeBranch(decoder, op.getRegion(), body, *carried);
  if (!next)
    return next.takeError();
  loop.setValues(Handover(std::move(initial), *carried), std::move(*next));
  for (auto [result, argument] : llvm::zip_equal(op.getResults(), op.getRegionIterArgs()))
    decoder.alias(result, ElementIds(decoder.elementsOf(argument)));
  return llvm::Error::success();
}

llvm::Error decodeWhile(Decoder &decoder, scf::WhileOp op) {
  Code &before = decoder.newCode(), &after = decoder.newCode();
  ElementIds initial = allLanes(decoder, op.getInits());
  auto carried = defineAll(decoder, op.getBeforeArguments());
  if (!carried)
    return carried.takeError();
  auto passed = defineAll(decoder, op.getAfterArguments());
  if (!passed)
    return passed.takeError();
  auto results = defineAll(decoder, op.getResults());
  if (!results)
    return results.takeError();
  if (!op.getBefore().hasOneBlock() || !op.getAfter().hasOneBlock())
    return Decoder::refuse(op, "the emulator takes regions of one block");
  if (llvm::Error error = decoder.decode(op.getBefore().front(), before))
    return error;
  ElementIds forwarded = allLanes(decoder, op.getConditionOp().getArgs());
  ElementId condition = decoder.elementOf(op.getConditionOp().getCondition());
  auto next = decodeBranch(decoder, op.getAfter(), after, *carried);
  if (!next)
    return next.takeError();
  decoder.emit<While>(op, before, after, condition)
      .setValues(Handover(std::move(initial), *carried), Handover(forwarded, *passed), Handover(forwarded, *results),
                 std::move(*next));
  return llvm::Error::success();
}

/// Its block, in place.
llvm::Error decodeRegion(Decoder &decoder, scf::ExecuteRegionOp op) {
  if (!op.getRegion().hasOneBlock())
    return Decoder::refuse(op, "the emulator takes regions of one block");
  auto results = defineAll(decoder, op.getResults());
  if (!results)
    return results.takeError();
  Code &body = decoder.newCode(), &nothing = decoder.newCode();
  auto handover = decodeBranch(decoder, op.getRegion(), body, *results);
  if (!handover)
    return handover.takeError();
  decoder.emit<If>(op, decoder.constant(1), body, nothing, std::move(*handover), Handover());
  return llvm::Error::success();
}

} // namespace

llvm::Expected<bool> decodeControl(Decoder &decoder, Operation *op) {
  auto done = [](llvm::Error error) -> llvm::Expected<bool> {
    if (error)
      return error;
    return true;
  };
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return done(decodeIf(decoder, branch));
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return done(decodeFor(decoder, loop));
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return done(decodeWhile(decoder, loop));
  if (auto region = dyn_cast<scf::ExecuteRegionOp>(op))
    return done(decodeRegion(decoder, region));
  return false;
}

} // namespace fuselage::emulator
