// Vectors that do not lie in one piece, or whose elements are read and written under a condition.
#include "core/emulator/Accesses.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <cstring>

using namespace mlir;

namespace fuselage::emulator {
namespace {

/// Where an element of the vector is, seen from the indices, in each dimension of the buffer.
struct TransferElement {
  SmallVector<int64_t, 4> at;
  ElementId value;
  ElementId otherwise; ///< what is read where there is nothing; of reads
};

class Transfer : public Instruction {
public:
  Transfer(AddressPlan plan, SmallVector<TransferElement> elements, SmallVector<bool> mayBeOutside,
           ElementIds conditions, bool isRead)
      : plan_(std::move(plan)), elements_(std::move(elements)), mayBeOutside_(std::move(mayBeOutside)),
        conditions_(std::move(conditions)), isRead_(isRead) {
    weight = 10 * unsigned(elements_.size());
  }

  void run(Machine &machine) const override {
    plan_.compute(machine);
    for (size_t i = 0; i < elements_.size(); ++i)
      isRead_ ? read(machine, i) : write(machine, i);
  }

private:
  /// The byte of a lane's element; nullopt: there is none.
  std::optional<uint64_t> byteOf(Machine &machine, size_t number, unsigned lane) const {
    const TransferElement &element = elements_[number];
    if (!conditions_.empty() && machine.word(conditions_[number])[lane] == 0)
      return std::nullopt;
    int64_t address = machine.addresses[lane];
    for (size_t dimension = 0; dimension < element.at.size(); ++dimension) {
      ElementId index = plan_.indices()[dimension], size = plan_.sizes()[dimension];
      int64_t at = int64_t(machine.word(index)[index.isUniform ? 0 : lane]) + element.at[dimension];
      if (mayBeOutside_[dimension] && (at < 0 || at >= int64_t(machine.word(size)[size.isUniform ? 0 : lane])))
        return std::nullopt;
      address += element.at[dimension] * plan_.strideBytes(machine, unsigned(dimension));
    }
    return plan_.resolve(machine, plan_.bufferOf(machine, lane), address, plan_.form().bytes, lane);
  }

  void read(Machine &machine, size_t number) const {
    const Mask &mask = machine.mask();
    const TransferElement &element = elements_[number];
    std::vector<unsigned> without;
    for (unsigned lane = mask.begin; lane < mask.end; ++lane) {
      machine.places[lane] = machine.nowhere.data();
      auto byte = mask.active[lane] ? byteOf(machine, number, lane) : std::nullopt;
      if (!byte) {
        without.push_back(lane);
        continue;
      }
      Buffer &buffer = plan_.bufferOf(machine, lane);
      if (!machine.isHost)
        machine.races.read(buffer, *byte, plan_.form().bytes, lane, plan_.site());
      machine.places[lane] = buffer.data + *byte;
    }
    loadLanes(machine, plan_.form(), element.value, 0);
    for (unsigned lane : without)
      setLaneBits(machine, plan_.form(), element.value, lane, laneBits(machine, plan_.form(), element.otherwise, lane));
  }

  void write(Machine &machine, size_t number) const {
    const Mask &mask = machine.mask();
    for (unsigned lane = mask.begin; lane < mask.end; ++lane) {
      auto byte = mask.active[lane] ? byteOf(machine, number, lane) : std::nullopt;
      if (!byte)
        continue;
      Buffer &buffer = plan_.bufferOf(machine, lane);
      uint8_t value[8];
      storeLane(machine, plan_.form(), elements_[number].value, lane, value);
      if (machine.isHost)
        machine.races.markWritten(buffer, *byte, plan_.form().bytes);
      else
        machine.races.write(buffer, *byte, plan_.form().bytes, lane, plan_.site(), value);
      std::memcpy(buffer.data + *byte, value, plan_.form().bytes);
    }
  }

  AddressPlan plan_;
  SmallVector<TransferElement> elements_;
  SmallVector<bool> mayBeOutside_; ///< by dimension of the buffer
  ElementIds conditions_;          ///< by element; empty: there are none
  bool isRead_;
};

/// What is the same of all such ops.
struct TransferShape {
  Value buffer;
  ValueRange indices;
  VectorType vector;
  AffineMap map;                  ///< from the buffer's dimensions to the vector's
  SmallVector<bool> isInBounds{}; ///< by the vector's dimensions
  Value mask{};
};

llvm::Expected<bool> decodeShape(Decoder &decoder, Operation *op, const TransferShape &shape, Value read,
                                 ElementIds values, ElementIds otherwise) {
  auto buffer = dyn_cast<MemRefType>(shape.buffer.getType());
  auto count = elementCount(shape.vector);
  if (!buffer || !count || isa<VectorType>(buffer.getElementType()) || !canAddress(shape.buffer))
    return Decoder::refuse(op);
  for (ElementId stride : decoder.partsOf(shape.buffer).strides)
    if (!stride.isUniform)
      return Decoder::refuse(op, "the emulator takes vectors from buffers whose strides are the same for all threads");
  if (!read)
    decoder.noteWrite(shape.buffer);
  SmallVector<bool> mayBeOutside(buffer.getRank(), false);
  for (auto [dimension, expression] : llvm::enumerate(shape.map.getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(expression);
        dim && !shape.isInBounds.empty() && !shape.isInBounds[dimension])
      mayBeOutside[dim.getPosition()] = true;
  ElementIds conditions;
  if (shape.mask)
    conditions = decoder.lanesOf(shape.mask);
  AddressPlan plan(decoder, op, shape.buffer, shape.indices, 1);
  if (read) {
    auto defined = decoder.define(read);
    if (!defined)
      return defined.takeError();
    values = *defined;
  }
  SmallVector<TransferElement> elements;
  SmallVector<int64_t> position(shape.vector.getRank(), 0);
  for (unsigned i = 0; i < *count; ++i) {
    TransferElement element{.at = SmallVector<int64_t, 4>(buffer.getRank(), 0), .value = values[i], .otherwise = {}};
    if (read)
      element.otherwise =
          otherwise.empty() ? decoder.constant(0, plan.form().isWide()) : otherwise[otherwise.size() == 1 ? 0 : i];
    for (auto [dimension, expression] : llvm::enumerate(shape.map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expression))
        element.at[dim.getPosition()] = position[dimension];
    elements.push_back(std::move(element));
    for (size_t dimension = position.size(); dimension-- > 0;) {
      if (++position[dimension] < shape.vector.getDimSize(dimension))
        break;
      position[dimension] = 0;
    }
  }
  // The mask has the elements in the order of the vector only where nothing is permuted or repeated.
  if (!conditions.empty() && !shape.map.isMinorIdentity())
    return Decoder::refuse(op, "the emulator takes masks of transfers that do not permute");
  decoder.emit<Transfer>(op, std::move(plan), std::move(elements), std::move(mayBeOutside), std::move(conditions),
                         bool(read));
  return true;
}

AffineMap lastDimensions(Value buffer, VectorType vector) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  int64_t rank = type ? type.getRank() : 0;
  if (vector.getRank() > rank)
    return {};
  return AffineMap::getMinorIdentityMap(rank, vector.getRank(), buffer.getContext());
}

llvm::Expected<bool> decodeMinor(Decoder &decoder, Operation *op, Value buffer, ValueRange indices, VectorType vector,
                                 Value mask, Value read, Value value, Value otherwise) {
  AffineMap map = lastDimensions(buffer, vector);
  if (!map)
    return Decoder::refuse(op);
  return decodeShape(decoder, op, {buffer, indices, vector, map, {}, mask}, read,
                     value ? decoder.lanesOf(value) : ElementIds(),
                     otherwise ? decoder.lanesOf(otherwise) : ElementIds());
}

} // namespace

llvm::Expected<bool> decodeTransfer(Decoder &decoder, Operation *op) {
  if (auto read = dyn_cast<vector::TransferReadOp>(op))
    return decodeShape(decoder, op,
                       {read.getBase(), read.getIndices(), read.getVectorType(), read.getPermutationMap(),
                        read.getInBoundsValues(), read.getMask()},
                       read.getResult(), {}, decoder.lanesOf(read.getPadding()));
  if (auto write = dyn_cast<vector::TransferWriteOp>(op))
    return decodeShape(decoder, op,
                       {write.getBase(), write.getIndices(), write.getVectorType(), write.getPermutationMap(),
                        write.getInBoundsValues(), write.getMask()},
                       nullptr, decoder.lanesOf(write.getValueToStore()), {});
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return decodeMinor(decoder, op, load.getBase(), load.getIndices(), load.getVectorType(), nullptr, load.getResult(),
                       nullptr, nullptr);
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return decodeMinor(decoder, op, store.getBase(), store.getIndices(), store.getVectorType(), nullptr, nullptr,
                       store.getValueToStore(), nullptr);
  if (auto load = dyn_cast<vector::MaskedLoadOp>(op))
    return decodeMinor(decoder, op, load.getBase(), load.getIndices(), load.getVectorType(), load.getMask(),
                       load.getResult(), nullptr, load.getPassThru());
  if (auto store = dyn_cast<vector::MaskedStoreOp>(op))
    return decodeMinor(decoder, op, store.getBase(), store.getIndices(), store.getVectorType(), store.getMask(),
                       nullptr, store.getValueToStore(), nullptr);
  return false;
}

} // namespace fuselage::emulator
