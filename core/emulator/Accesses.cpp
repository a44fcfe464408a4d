// Loads and stores of elements, and of vectors that lie in one piece.
#include "core/emulator/Accesses.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <algorithm>
#include <cstring>

using namespace mlir;

namespace fuselage::emulator {

bool canAddress(Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  return type && formOf(type.getElementType()) && elementCount(type.getElementType());
}

void Load::run(Machine &machine) const {
  const Mask &mask = machine.mask();
  std::fill(machine.places.begin() + mask.begin, machine.places.begin() + mask.end, machine.nowhere.data());
  plan_.eachPlace(machine, bytes_, [&](unsigned lane, Buffer &buffer, uint64_t byte) {
    if (!machine.isHost)
      machine.races.read(buffer, byte, bytes_, lane, plan_.site());
    machine.places[lane] = buffer.data + byte;
  });
  for (size_t i = 0; i < result_.size(); ++i)
    loadLanes(machine, plan_.form(), result_[i], unsigned(i) * plan_.form().bytes);
}

void Store::run(Machine &machine) const {
  uint8_t *value = machine.nowhere.data() + machine.nowhere.size() / 2; // the first half stays zeros
  plan_.eachPlace(machine, bytes_, [&](unsigned lane, Buffer &buffer, uint64_t byte) {
    for (size_t i = 0; i < value_.size(); ++i)
      storeLane(machine, plan_.form(), value_[i], lane, value + i * plan_.form().bytes);
    if (machine.isHost)
      machine.races.markWritten(buffer, byte, bytes_);
    else
      machine.races.write(buffer, byte, bytes_, lane, plan_.site(), value);
    std::memcpy(buffer.data + byte, value, bytes_);
  });
}

namespace {

/// Before an access that says how its addresses are aligned.
class AlignmentCheck : public Instruction {
public:
  AlignmentCheck(AddressPlan plan, uint64_t alignment) : plan_(std::move(plan)), alignment_(alignment) {}
  void run(Machine &machine) const override {
    plan_.compute(machine);
    const Mask &mask = machine.mask();
    for (unsigned lane = mask.begin; lane < mask.end; ++lane)
      if (mask.active[lane] && uint64_t(machine.addresses[lane]) % alignment_ != 0) {
        Buffer &buffer = plan_.bufferOf(machine, lane);
        machine.races.report(FindingKind::Misaligned, op, lane,
                             "byte " + std::to_string(machine.addresses[lane]) + " is no multiple of " +
                                 std::to_string(alignment_),
                             &buffer);
        return;
      }
  }

private:
  AddressPlan plan_;
  uint64_t alignment_;
};

/// Of vectors of one dimension, or with one that is not 1, the last.
std::optional<unsigned> piece(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return 1;
  auto count = elementCount(type);
  return count &&
                 llvm::all_of(vector.getShape().drop_back(vector.getRank() > 0), [](int64_t size) { return size == 1; })
             ? count
             : std::nullopt;
}

/// Whether an access moves the buffer's own elements (scalars or vectors), or several of them.
std::optional<unsigned> widthOf(Value buffer, Type moved) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  if (isa<VectorType>(element) || !isa<VectorType>(moved))
    return element == moved ? std::optional(1u) : std::nullopt;
  return piece(moved);
}

void checkAlignment(Decoder &decoder, Operation *op, Value buffer, ValueRange indices) {
  auto alignment = op->getAttrOfType<IntegerAttr>("alignment");
  if (alignment && alignment.getInt() > 1)
    decoder.emit<AlignmentCheck>(op, AddressPlan(decoder, op, buffer, indices, 1), uint64_t(alignment.getInt()));
}

llvm::Expected<bool> decodeLoad(Decoder &decoder, Operation *op, Value buffer, ValueRange indices) {
  if (!canAddress(buffer))
    return Decoder::refuse(op, "the emulator has no form of this memory");
  auto width = widthOf(buffer, op->getResult(0).getType());
  if (!width)
    return false; // decodeTransfer() knows it
  checkAlignment(decoder, op, buffer, indices);
  AddressPlan plan(decoder, op, buffer, indices, *width);
  auto result = decoder.define(op->getResult(0));
  if (!result)
    return result.takeError();
  decoder.emit<Load>(op, std::move(plan), *result);
  return true;
}

llvm::Expected<bool> decodeStore(Decoder &decoder, Operation *op, Value value, Value buffer, ValueRange indices) {
  if (!canAddress(buffer))
    return Decoder::refuse(op, "the emulator has no form of this memory");
  auto width = widthOf(buffer, value.getType());
  if (!width)
    return false;
  decoder.noteWrite(buffer);
  checkAlignment(decoder, op, buffer, indices);
  decoder.emit<Store>(op, AddressPlan(decoder, op, buffer, indices, *width), decoder.lanesOf(value));
  return true;
}

} // namespace

llvm::Expected<bool> decodeAccess(Decoder &decoder, Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return decodeLoad(decoder, op, load.getMemRef(), load.getIndices());
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return decodeLoad(decoder, op, load.getBase(), load.getIndices());
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return decodeStore(decoder, op, store.getValueToStore(), store.getMemRef(), store.getIndices());
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return decodeStore(decoder, op, store.getValueToStore(), store.getBase(), store.getIndices());
  if (isa<memref::PrefetchOp>(op))
    return true;
  return false;
}

} // namespace fuselage::emulator
