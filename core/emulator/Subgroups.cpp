// Ids, barriers, and what threads of a subgroup do together.
#include "core/emulator/Decoder.h"
#include "core/emulator/Machine.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include <cstring>

using namespace mlir;

namespace fuselage::emulator {
namespace {

std::string threadName(int64_t lane) { return "thread " + std::to_string(lane); }

/// Reports it where not all threads of the workgroup take part.
void checkConvergence(Machine &machine, Operation *op) {
  const Mask &mask = machine.mask();
  if (mask.isFull())
    return;
  int64_t missing = llvm::find(mask.active, uint8_t(0)) - mask.active.begin();
  machine.races.report(FindingKind::DivergentBarrier, op, mask.begin,
                       threadName(mask.begin) + " reaches it and " + threadName(missing) + " does not: " +
                           std::to_string(mask.count) + " of " + std::to_string(machine.lanes()) + " threads do");
}

class Barrier : public Instruction {
public:
  void run(Machine &machine) const override {
    checkConvergence(machine, op);
    machine.races.barrier();
  }
};

void copyLane(Machine &machine, ElementId from, unsigned source, ElementId to, unsigned target) {
  if (from.isWide)
    machine.word(to)[target] = machine.word(from)[source];
  else
    machine.single(to)[target] = machine.single(from)[source];
}

/// A thread of the same subgroup whose value is taken.
struct Source {
  unsigned lane;
  bool isValid;
};

class Exchange : public Instruction {
public:
  Exchange(ElementIds value, ElementIds result) : value_(std::move(value)), result_(std::move(result)) {
    weight = 4 * unsigned(value_.size());
  }
  void run(Machine &machine) const override {
    const Mask &mask = machine.mask();
    unsigned size = machine.subgroupSize();
    for (unsigned lane = mask.begin; lane < mask.end; ++lane) {
      if (!mask.active[lane])
        continue;
      unsigned first = lane / size * size;
      Source source = sourceOf(machine, lane, lane - first, first);
      unsigned from = source.isValid ? first + source.lane : lane;
      if (from >= machine.lanes() || !mask.active[from]) {
        machine.races.report(
            FindingKind::InactiveLane, op, lane,
            threadName(lane) + " takes the value of " + threadName(from) +
                (from >= machine.lanes() ? ", which the workgroup does not have" : ", which does not take part"));
        from = lane;
      }
      for (size_t i = 0; i < value_.size(); ++i)
        copyLane(machine, value_[i], from, result_[i], lane);
      setValid(machine, lane, source.isValid);
    }
  }

protected:
  /// Lanes are counted within the subgroup, whose first one is `first`.
  virtual Source sourceOf(Machine &machine, unsigned thread, unsigned lane, unsigned first) const = 0;
  virtual void setValid(Machine &, unsigned, bool) const {}

private:
  ElementIds value_, result_;
};

class Shuffle : public Exchange {
public:
  Shuffle(ElementIds value, ElementIds result, gpu::ShuffleMode mode, ElementId offset, ElementId width,
          ElementId valid)
      : Exchange(std::move(value), std::move(result)), mode_(mode), offset_(offset), width_(width), valid_(valid) {}

private:
  Source sourceOf(Machine &machine, unsigned thread, unsigned lane, unsigned) const override {
    auto offset = int64_t(int32_t(machine.word(offset_)[thread])), width = int64_t(machine.word(width_)[thread]);
    int64_t source = 0;
    switch (mode_) {
    case gpu::ShuffleMode::XOR:
      source = int64_t(lane) ^ offset;
      break;
    case gpu::ShuffleMode::DOWN:
      source = lane + offset;
      break;
    case gpu::ShuffleMode::UP:
      source = lane - offset;
      break;
    case gpu::ShuffleMode::IDX:
      source = offset;
      break;
    }
    return {unsigned(source), source >= 0 && source < width && source < machine.subgroupSize()};
  }
  void setValid(Machine &machine, unsigned thread, bool isValid) const override {
    machine.word(valid_)[thread] = isValid;
  }

  gpu::ShuffleMode mode_;
  ElementId offset_, width_, valid_;
};

class SubgroupBroadcast : public Exchange {
public:
  SubgroupBroadcast(ElementIds value, ElementIds result, std::optional<ElementId> lane)
      : Exchange(std::move(value), std::move(result)), lane_(lane) {}

private:
  Source sourceOf(Machine &machine, unsigned thread, unsigned, unsigned first) const override {
    if (lane_)
      return {unsigned(machine.word(*lane_)[thread]), machine.word(*lane_)[thread] < machine.subgroupSize()};
    unsigned active = first;
    while (!machine.mask().active[active])
      ++active;
    return {active - first, true};
  }
  std::optional<ElementId> lane_;
};

/// One result of the values of a group of threads: those of a subgroup that are `stride` apart, or all.
class Reduce : public Instruction {
public:
  Reduce(const LaneOperation &operation, ElementIds value, ElementIds result, unsigned size, unsigned stride)
      : operation_(operation), value_(std::move(value)), result_(std::move(result)), size_(size), stride_(stride) {
    weight = 8 * unsigned(value_.size());
  }
  void run(Machine &machine) const override {
    const Mask &mask = machine.mask();
    bool isAll = size_ == 0;
    unsigned size = isAll ? machine.lanes() : size_, stride = isAll ? 1 : stride_, span = size * stride;
    if (isAll)
      checkConvergence(machine, op);
    for (unsigned first = 0; first < machine.lanes();
         first = first % span == stride - 1 ? first + span - stride + 1 : first + 1)
      reduceGroup(machine, mask, first, size, stride);
  }

private:
  void reduceGroup(Machine &machine, const Mask &mask, unsigned first, unsigned size, unsigned stride) const {
    SmallVector<unsigned> members;
    for (unsigned i = 0; i < size; ++i)
      if (unsigned lane = first + i * stride; lane < machine.lanes() && mask.active[lane])
        members.push_back(lane);
    if (members.empty())
      return;
    if (members.size() != size && size_ != 0)
      machine.races.report(FindingKind::InactiveLane, op, members.front(),
                           std::to_string(members.size()) + " of " + std::to_string(size) +
                               " threads of a group take part");
    for (size_t i = 0; i < value_.size(); ++i) {
      uint64_t sum = 0;
      auto *from = static_cast<const uint8_t *>(machine.lanesOf(value_[i]));
      unsigned bytes = value_[i].isWide ? 8 : 4;
      std::memcpy(&sum, from + members.front() * bytes, bytes);
      for (unsigned lane : ArrayRef(members).drop_front())
        operation_.run({&sum, &sum, from + lane * bytes, &sum, 1, operation_.parameter});
      for (unsigned lane : members)
        std::memcpy(machine.lanesOf(result_[i], lane), &sum, bytes);
    }
  }

  LaneOperation operation_;
  ElementIds value_, result_;
  unsigned size_, stride_;
};

LaneOperation reduction(gpu::AllReduceOperation kind, const ElementForm &form) {
  using Kind = gpu::AllReduceOperation;
  if (kind == Kind::ADD || kind == Kind::MUL) {
    llvm::StringRef name = kind == Kind::ADD ? (form.isFloat() ? "arith.addf" : "arith.addi")
                                             : (form.isFloat() ? "arith.mulf" : "arith.muli");
    return form.isFloat() ? floatOperation(name, form) : integerOperation(name, form);
  }
  constexpr std::pair<Kind, const char *> names[] = {
      {Kind::MINUI, "arith.minui"},       {Kind::MINSI, "arith.minsi"},      {Kind::MINNUMF, "arith.minnumf"},
      {Kind::MAXUI, "arith.maxui"},       {Kind::MAXSI, "arith.maxsi"},      {Kind::MAXNUMF, "arith.maxnumf"},
      {Kind::AND, "arith.andi"},          {Kind::OR, "arith.ori"},           {Kind::XOR, "arith.xori"},
      {Kind::MINIMUMF, "arith.minimumf"}, {Kind::MAXIMUMF, "arith.maximumf"}};
  for (auto [known, name] : names)
    if (known == kind)
      return form.isFloat() ? floatOperation(name, form) : integerOperation(name, form);
  return {};
}

llvm::Error decodeReduction(Decoder &decoder, Operation *op, std::optional<gpu::AllReduceOperation> kind, unsigned size,
                            unsigned stride) {
  auto form = formOf(op->getResult(0).getType());
  LaneOperation operation = form && kind ? reduction(*kind, *form) : LaneOperation{};
  if (!operation || stride == 0)
    return Decoder::refuse(op);
  ElementIds value = decoder.lanesOf(op->getOperand(0));
  auto result = decoder.define(op->getResult(0));
  if (!result)
    return result.takeError();
  decoder.emit<Reduce>(op, operation, std::move(value), *result, size, stride);
  return llvm::Error::success();
}

llvm::Error decodeShuffle(Decoder &decoder, gpu::ShuffleOp op) {
  ElementIds value = decoder.lanesOf(op.getValue());
  ElementId offset = decoder.lanesOf(op.getOffset()).front(), width = decoder.lanesOf(op.getWidth()).front();
  auto result = decoder.define(op.getShuffleResult());
  if (!result)
    return result.takeError();
  auto valid = decoder.define(op.getValid());
  if (!valid)
    return valid.takeError();
  decoder.emit<Shuffle>(op, std::move(value), *result, op.getMode(), offset, width, valid->front());
  return llvm::Error::success();
}

llvm::Error decodeBroadcast(Decoder &decoder, gpu::SubgroupBroadcastOp op) {
  ElementIds value = decoder.lanesOf(op.getSrc());
  std::optional<ElementId> lane;
  if (op.getLane())
    lane = decoder.lanesOf(op.getLane()).front();
  auto result = decoder.define(op.getResult());
  if (!result)
    return result.takeError();
  decoder.emit<SubgroupBroadcast>(op, std::move(value), *result, lane);
  return llvm::Error::success();
}

/// Bytes that the launch gives: seen as elements by views, which say how small the places are that are told apart.
llvm::Error decodeDynamicMemory(Decoder &decoder, gpu::DynamicSharedMemoryOp op) {
  unsigned granule = 8;
  for (Operation *user : op.getResult().getUsers()) {
    auto view = dyn_cast<memref::ViewOp>(user);
    auto form = view ? formOf(view.getType().getElementType()) : std::nullopt;
    granule = std::min(granule, form ? form->bytes : 1);
  }
  ElementId number = decoder.newElement(true, true);
  decoder.program.allocations.push_back({.number = number,
                                         .kind = Buffer::Kind::Workgroup,
                                         .type = {},
                                         .bytes = 0,
                                         .elementBytes = granule,
                                         .granule = granule,
                                         .name = "dynamic workgroup memory",
                                         .isDynamic = true});
  ElementId bytes = decoder.inputOf(LaunchValue::DynamicBytes, 0), zero = decoder.constant(0);
  decoder.alias(op.getResult(), {number, zero, zero, bytes, decoder.constant(1)});
  return llvm::Error::success();
}

std::optional<std::pair<LaunchValue, unsigned>> inputOf(Operation *op) {
  auto of = [](LaunchValue value, gpu::Dimension dimension) { return std::pair(value, unsigned(dimension)); };
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
    return of(LaunchValue::ThreadId, id.getDimension());
  if (auto id = dyn_cast<gpu::BlockIdOp>(op))
    return of(LaunchValue::BlockId, id.getDimension());
  if (auto size = dyn_cast<gpu::BlockDimOp>(op))
    return of(LaunchValue::BlockDim, size.getDimension());
  if (auto size = dyn_cast<gpu::GridDimOp>(op))
    return of(LaunchValue::GridDim, size.getDimension());
  if (auto id = dyn_cast<gpu::GlobalIdOp>(op))
    return of(LaunchValue::GlobalId, id.getDimension());
  if (isa<gpu::LaneIdOp>(op))
    return std::pair(LaunchValue::LaneId, 0u);
  if (isa<gpu::SubgroupIdOp>(op))
    return std::pair(LaunchValue::SubgroupId, 0u);
  if (isa<gpu::NumSubgroupsOp>(op))
    return std::pair(LaunchValue::SubgroupCount, 0u);
  if (isa<gpu::SubgroupSizeOp>(op))
    return std::pair(LaunchValue::SubgroupSize, 0u);
  return std::nullopt;
}

} // namespace

llvm::Expected<bool> decodeSubgroup(Decoder &decoder, Operation *op) {
  if (decoder.isHost())
    return false;
  auto done = [](llvm::Error error) -> llvm::Expected<bool> {
    if (error)
      return error;
    return true;
  };
  if (auto input = inputOf(op))
    return decoder.alias(op->getResult(0), {decoder.inputOf(input->first, input->second)}), true;
  if (isa<gpu::BarrierOp>(op))
    return decoder.emit<Barrier>(op), true;
  if (isa<gpu::PrintfOp>(op))
    return true;
  if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op))
    return done(decodeShuffle(decoder, shuffle));
  if (auto broadcast = dyn_cast<gpu::SubgroupBroadcastOp>(op))
    return done(decodeBroadcast(decoder, broadcast));
  if (auto reduce = dyn_cast<gpu::SubgroupReduceOp>(op))
    return done(decodeReduction(decoder, op, reduce.getOp(), reduce.getClusterSize().value_or(decoder.subgroupSize),
                                reduce.getClusterStride()));
  if (auto reduce = dyn_cast<gpu::AllReduceOp>(op))
    return done(decodeReduction(decoder, op, reduce.getOp(), 0, 1));
  if (auto memory = dyn_cast<gpu::DynamicSharedMemoryOp>(op))
    return done(decodeDynamicMemory(decoder, memory));
  return false;
}

} // namespace fuselage::emulator
