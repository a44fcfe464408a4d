// Vectors made of other vectors' elements: mostly, nothing has to be done for them.
#include "core/emulator/AddressPlan.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace fuselage::emulator {
namespace {

ArrayRef<int64_t> shapeOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getShape() : ArrayRef<int64_t>();
}

int64_t countOf(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

/// Calls `each` with every position of a shape, in rows, and its number.
void forPositions(ArrayRef<int64_t> shape, llvm::function_ref<void(ArrayRef<int64_t>, int64_t)> each) {
  SmallVector<int64_t> strides = computeStrides(shape);
  for (int64_t i = 0, count = countOf(shape); i < count; ++i)
    each(delinearize(i, strides), i);
}

/// One of several elements, by an index of each thread.
class Pick : public Instruction {
public:
  Pick(ElementIds from, ElementIds result, ElementId index, bool isInsertion, ElementIds inserted)
      : from_(std::move(from)), result_(std::move(result)), inserted_(std::move(inserted)), index_(index),
        isInsertion_(isInsertion) {
    weight = 4 * unsigned(result_.size());
  }
  void run(Machine &machine) const override {
    const Mask &mask = machine.mask();
    size_t part = isInsertion_ ? inserted_.size() : result_.size(), parts = part ? from_.size() / part : 0;
    if (isInsertion_)
      machine.copy(from_, result_, mask);
    for (unsigned lane = mask.begin; lane < mask.end; ++lane) {
      uint64_t index = machine.word(index_)[lane];
      if (!mask.active[lane] || index >= parts)
        continue;
      for (size_t i = 0; i < part; ++i) {
        ElementId from = isInsertion_ ? inserted_[i] : from_[index * part + i],
                  to = isInsertion_ ? result_[index * part + i] : result_[i];
        if (from.isWide)
          machine.word(to)[lane] = machine.word(from)[lane];
        else
          machine.single(to)[lane] = machine.single(from)[lane];
      }
    }
  }

private:
  ElementIds from_, result_, inserted_;
  ElementId index_;
  bool isInsertion_;
};

/// The bits of elements as elements of another size.
class Recut : public Instruction {
public:
  Recut(const ElementForm &from, const ElementForm &to, ElementIds source, ElementIds result)
      : from_(from), to_(to), source_(std::move(source)), result_(std::move(result)) {
    weight = 8 * unsigned(std::max(source_.size(), result_.size()));
  }
  void run(Machine &machine) const override {
    const Mask &mask = machine.mask();
    unsigned small = std::min(from_.bits, to_.bits), ratio = std::max(from_.bits, to_.bits) / small;
    uint64_t smallMask = from_.bits < to_.bits ? from_.mask() : to_.mask();
    for (unsigned lane = mask.begin; lane < mask.end; ++lane)
      for (size_t i = 0; i < std::min(source_.size(), result_.size()); ++i)
        if (from_.bits <= to_.bits) {
          uint64_t bits = 0;
          for (unsigned j = 0; j < ratio; ++j)
            bits |= laneBits(machine, from_, source_[i * ratio + j], lane) << (j * small);
          setLaneBits(machine, to_, result_[i], lane, bits);
        } else {
          uint64_t bits = laneBits(machine, from_, source_[i], lane);
          for (unsigned j = 0; j < ratio; ++j)
            setLaneBits(machine, to_, result_[i * ratio + j], lane, bits >> (j * small) & smallMask);
        }
  }

private:
  ElementForm from_, to_;
  ElementIds source_, result_;
};

ElementIds broadcast(ArrayRef<ElementId> source, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  ElementIds result;
  SmallVector<int64_t> strides = computeStrides(from);
  forPositions(to, [&](ArrayRef<int64_t> position, int64_t) {
    int64_t at = 0;
    for (size_t i = 0; i < from.size(); ++i)
      at += from[i] == 1 ? 0 : position[to.size() - from.size() + i] * strides[i];
    result.push_back(source[at]);
  });
  return result;
}

ElementIds transpose(ArrayRef<ElementId> source, ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                     ArrayRef<int64_t> permutation) {
  ElementIds result;
  SmallVector<int64_t> strides = computeStrides(from);
  forPositions(to, [&](ArrayRef<int64_t> position, int64_t) {
    int64_t at = 0;
    for (size_t i = 0; i < permutation.size(); ++i)
      at += position[i] * strides[permutation[i]];
    result.push_back(source[at]);
  });
  return result;
}

/// The slice at offsets: put there, or taken.
ElementIds slice(ElementIds whole, ArrayRef<int64_t> shape, ArrayRef<int64_t> offsets, ArrayRef<int64_t> part,
                 ArrayRef<ElementId> put) {
  ElementIds taken;
  SmallVector<int64_t> strides = computeStrides(shape);
  forPositions(part, [&](ArrayRef<int64_t> position, int64_t number) {
    int64_t at = 0;
    for (size_t i = 0; i < shape.size(); ++i)
      at += (position[i] + offsets[i]) * strides[i];
    if (put.empty())
      taken.push_back(whole[at]);
    else
      whole[at] = put[number];
  });
  return put.empty() ? taken : whole;
}

SmallVector<int64_t> integers(ArrayAttr attribute) {
  return llvm::map_to_vector(attribute, [](Attribute value) { return cast<IntegerAttr>(value).getInt(); });
}

/// Which part a position takes, in parts of the size that is left; nullopt: threads decide.
std::optional<int64_t> partAt(ArrayRef<OpFoldResult> position, ArrayRef<int64_t> shape) {
  int64_t part = 0;
  for (auto [at, size] : llvm::zip(position, shape)) {
    auto known = getConstantIntValue(at);
    if (!known)
      return std::nullopt;
    if (*known < 0) // poison
      return 0;
    part = part * size + *known;
  }
  return part;
}

/// The same, computed by the threads.
ElementId dynamicPart(Decoder &decoder, ArrayRef<OpFoldResult> position, ArrayRef<int64_t> shape) {
  ElementId part = decoder.constant(0);
  for (auto [at, size] : llvm::zip(position, shape)) {
    auto value = dyn_cast<Value>(at);
    ElementId index = value ? decoder.elementOf(value) : decoder.constant(uint64_t(*getConstantIntValue(at)));
    part = decoder.add(decoder.multiply(part, decoder.constant(uint64_t(size))), index);
  }
  decoder.needLanes(part);
  return part;
}

llvm::Error decodeExtract(Decoder &decoder, vector::ExtractOp op) {
  ElementIds source(decoder.elementsOf(op.getSource()));
  ArrayRef<int64_t> shape = shapeOf(op.getSource().getType());
  SmallVector<OpFoldResult> position = op.getMixedPosition();
  size_t count = countOf(shapeOf(op.getType()));
  if (auto part = partAt(position, shape)) {
    decoder.alias(op.getResult(), ElementIds(ArrayRef(source).slice(*part * count, count)));
    return llvm::Error::success();
  }
  decoder.needLanes(source);
  ElementId part = dynamicPart(decoder, position, shape);
  auto result = decoder.define(op.getResult());
  if (!result)
    return result.takeError();
  decoder.emit<Pick>(op, std::move(source), *result, part, false, ElementIds());
  return llvm::Error::success();
}

llvm::Error decodeInsert(Decoder &decoder, vector::InsertOp op) {
  ElementIds into(decoder.elementsOf(op.getDest())), put(decoder.elementsOf(op.getValueToStore()));
  ArrayRef<int64_t> shape = shapeOf(op.getDest().getType());
  SmallVector<OpFoldResult> position = op.getMixedPosition();
  if (auto part = partAt(position, shape)) {
    llvm::copy(put, into.begin() + *part * put.size());
    decoder.alias(op.getResult(), std::move(into));
    return llvm::Error::success();
  }
  decoder.needLanes(into);
  decoder.needLanes(put);
  ElementId part = dynamicPart(decoder, position, shape);
  auto result = decoder.define(op.getResult());
  if (!result)
    return result.takeError();
  decoder.emit<Pick>(op, std::move(into), *result, part, true, std::move(put));
  return llvm::Error::success();
}

llvm::Error decodeBitcast(Decoder &decoder, vector::BitCastOp op) {
  auto from = formOf(op.getSource().getType()), to = formOf(op.getType());
  if (!from || !to || std::max(from->bits, to->bits) % std::min(from->bits, to->bits) != 0)
    return Decoder::refuse(op);
  ElementIds source = decoder.lanesOf(op.getSource());
  auto result = decoder.define(op.getResult());
  if (!result)
    return result.takeError();
  decoder.emit<Recut>(op, *from, *to, std::move(source), *result);
  return llvm::Error::success();
}

/// True below the bound in every dimension.
llvm::Error decodeMask(Decoder &decoder, vector::CreateMaskOp op) {
  ElementIds result;
  LaneOperation below = comparison(uint64_t(arith::CmpIPredicate::slt), {}),
                both = integerOperation("arith.andi", {.bits = 1, .bytes = 1});
  std::vector<SmallVector<ElementId>> inside;
  for (auto [bound, size] : llvm::zip_equal(op.getOperands(), shapeOf(op.getType()))) {
    ElementId limit = decoder.elementOf(bound);
    auto &ofDimension = inside.emplace_back();
    for (int64_t i = 0; i < size; ++i) {
      ofDimension.push_back(decoder.newElement(true, limit.isUniform));
      decoder.emitLanes(op, below, {ofDimension.back()}, {{decoder.constant(uint64_t(i))}, {limit}}, limit.isUniform);
    }
  }
  forPositions(shapeOf(op.getType()), [&](ArrayRef<int64_t> position, int64_t) {
    ElementId all = decoder.constant(1);
    for (auto [dimension, at] : llvm::enumerate(position)) {
      ElementId next = inside[dimension][at];
      if (dimension == 0) {
        all = next;
        continue;
      }
      bool isUniform = all.isUniform && next.isUniform;
      ElementId sum = decoder.newElement(true, isUniform);
      decoder.emitLanes(op, both, {sum}, {{all}, {next}}, isUniform);
      all = sum;
    }
    result.push_back(all);
  });
  decoder.alias(op.getResult(), std::move(result));
  return llvm::Error::success();
}

/// Where the elements come from, for ops that only move them; empty: it is none of these.
ElementIds moved(Decoder &decoder, Operation *op) {
  auto elements = [&](Value value) { return ElementIds(decoder.elementsOf(value)); };
  if (auto cast = dyn_cast<vector::BroadcastOp>(op))
    return broadcast(elements(cast.getSource()), shapeOf(cast.getSource().getType()), shapeOf(cast.getType()));
  if (isa<vector::ShapeCastOp>(op))
    return elements(op->getOperand(0));
  if (auto turn = dyn_cast<vector::TransposeOp>(op))
    return transpose(elements(turn.getVector()), shapeOf(turn.getVector().getType()), shapeOf(turn.getType()),
                     turn.getPermutation());
  if (isa<vector::FromElementsOp>(op)) {
    ElementIds all;
    for (Value operand : op->getOperands())
      all.push_back(decoder.elementOf(operand));
    return all;
  }
  if (auto part = dyn_cast<vector::ExtractStridedSliceOp>(op)) {
    ArrayRef<int64_t> shape = shapeOf(part.getSource().getType());
    SmallVector<int64_t> offsets = integers(part.getOffsets());
    offsets.resize(shape.size(), 0);
    return slice(elements(part.getSource()), shape, offsets, shapeOf(part.getType()), {});
  }
  if (auto part = dyn_cast<vector::InsertStridedSliceOp>(op)) {
    ArrayRef<int64_t> shape = shapeOf(part.getType()), put = shapeOf(part.getValueToStore().getType());
    SmallVector<int64_t> size(shape.size() - put.size(), 1);
    llvm::append_range(size, put);
    return slice(elements(part.getDest()), shape, integers(part.getOffsets()), size, elements(part.getValueToStore()));
  }
  if (auto mix = dyn_cast<vector::ShuffleOp>(op)) {
    ElementIds first = elements(mix.getV1()), result;
    llvm::append_range(first, elements(mix.getV2()));
    int64_t rows = shapeOf(mix.getV1().getType()).empty()
                       ? 1
                       : shapeOf(mix.getV1().getType())[0] + shapeOf(mix.getV2().getType())[0];
    size_t part = first.size() / std::max<int64_t>(rows, 1);
    for (int64_t row : mix.getMask())
      llvm::append_range(result, ArrayRef(first).slice(std::max<int64_t>(row, 0) * part, part));
    return result;
  }
  if (auto mix = dyn_cast<vector::InterleaveOp>(op)) {
    ElementIds result;
    for (auto [first, second] : llvm::zip_equal(elements(mix.getLhs()), elements(mix.getRhs())))
      result.append({first, second});
    return result;
  }
  if (auto steps = dyn_cast<vector::StepOp>(op)) {
    ElementIds result;
    for (int64_t i = 0; i < countOf(shapeOf(steps.getType())); ++i)
      result.push_back(decoder.constant(uint64_t(i)));
    return result;
  }
  if (auto mask = dyn_cast<vector::ConstantMaskOp>(op)) {
    ElementIds result;
    forPositions(shapeOf(mask.getType()), [&](ArrayRef<int64_t> position, int64_t) {
      bool isInside = llvm::all_of(llvm::zip(position, mask.getMaskDimSizes()),
                                   [](auto each) { return std::get<0>(each) < std::get<1>(each); });
      result.push_back(decoder.constant(isInside));
    });
    return result;
  }
  return {};
}

} // namespace

llvm::Expected<bool> decodeVector(Decoder &decoder, Operation *op) {
  if (op->getName().getDialectNamespace() != "vector")
    return false;
  for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
    if (isa<VectorType>(type) && (!elementCount(type) || !formOf(type)))
      return Decoder::refuse(op, "the emulator has no form of values of this type");
  auto done = [](llvm::Error error) -> llvm::Expected<bool> {
    if (error)
      return error;
    return true;
  };
  if (auto extract = dyn_cast<vector::ExtractOp>(op))
    return done(decodeExtract(decoder, extract));
  if (auto insert = dyn_cast<vector::InsertOp>(op))
    return done(decodeInsert(decoder, insert));
  if (auto cast = dyn_cast<vector::BitCastOp>(op))
    return done(decodeBitcast(decoder, cast));
  if (auto mask = dyn_cast<vector::CreateMaskOp>(op))
    return done(decodeMask(decoder, mask));
  if (auto all = dyn_cast<vector::ToElementsOp>(op)) {
    ElementIds elements(decoder.elementsOf(all.getSource()));
    for (auto [result, element] : llvm::zip_equal(all.getResults(), elements))
      decoder.alias(result, {element});
    return true;
  }
  if (auto apart = dyn_cast<vector::DeinterleaveOp>(op)) {
    ElementIds elements(decoder.elementsOf(apart.getSource())), even, odd;
    for (size_t i = 0; i < elements.size(); ++i)
      (i % 2 ? odd : even).push_back(elements[i]);
    decoder.alias(apart.getRes1(), std::move(even));
    decoder.alias(apart.getRes2(), std::move(odd));
    return true;
  }
  ElementIds elements = moved(decoder, op);
  if (elements.empty())
    return false;
  decoder.alias(op->getResult(0), std::move(elements));
  return true;
}

} // namespace fuselage::emulator
