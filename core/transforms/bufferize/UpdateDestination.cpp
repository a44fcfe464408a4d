#include "core/transforms/bufferize/UpdateDestination.h"
#include "core/dialects/decoders/Decoders.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/transforms/bufferize/BufferPlacement.h"
#include "core/transforms/bufferize/TileMemory.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using bufferization::MaterializeInDestinationOp;
using bufferization::ToTensorOp;

namespace fuselage {

Value behindCasts(Value value) {
  while (auto cast = value.getDefiningOp<tensor::CastOp>())
    value = cast.getSource();
  return value;
}

TileSlice wholeSlice(OpBuilder &builder, Location loc, Value tensor) {
  TileSlice slice;
  slice.sizes = tensor::getMixedSizes(builder, loc, tensor);
  slice.offsets.assign(slice.sizes.size(), builder.getIndexAttr(0));
  slice.strides.assign(slice.sizes.size(), builder.getIndexAttr(1));
  return slice;
}

/// Registered ops that touch no memory but new one; those in their regions are looked at one by one.
static bool hasNoOwnEffects(Operation *op) {
  auto materialize = dyn_cast<MaterializeInDestinationOp>(op);
  if (isa<bufferization::AllocTensorOp, ToTensorOp, memref::AllocOp, memref::AllocaOp>(op) ||
      (materialize && materialize->getNumResults() != 0))
    return true;
  return isMemoryEffectFree(op) || op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
         op->hasTrait<OpTrait::IsTerminator>();
}

/// An upstream op of another version that works on values only.
static bool isForeignComputation(Operation *op) {
  std::string name = displayName(op);
  static constexpr llvm::StringLiteral prefixes[] = {"linalg.", "tensor.", "arith.", "math.", "affine.", "subtensor"};
  bool computes = llvm::any_of(prefixes, [&](StringRef prefix) { return StringRef(name).starts_with(prefix); });
  return computes && llvm::none_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>);
}

namespace {

/// A binding of a kernel.
class BindingDestination : public UpdateDestination {
public:
  BindingDestination(Value stored, TileMemory memory, TileSlice place)
      : UpdateDestination(stored), memory_(std::move(memory)), place_(std::move(place)) {}

  SmallVector<Value> values() const override {
    SmallVector<Value> values(memory_.dimensions);
    for (Value value : {memory_.binding, memory_.baseOffset})
      if (value)
        values.push_back(value);
    for (auto *list : {&place_.offsets, &place_.sizes, &place_.strides})
      for (OpFoldResult element : *list)
        if (auto value = dyn_cast<Value>(element))
          values.push_back(value);
    return values;
  }

  bool isReadable() const override { return memory_.isReadable; }

  bool holds(Value init) const override {
    Operation *load = behindCasts(init).getDefiningOp();
    std::optional<TileMemory> source = load ? tileMemoryOf(load) : std::nullopt;
    std::optional<TileSlice> slice = source ? tileSliceOf(load) : std::nullopt;
    return slice && source->name == memory_.name && source->binding == memory_.binding &&
           source->baseOffset == memory_.baseOffset && *slice == place_;
  }

  bool mayBeTouchedBy(Operation *op) const override {
    if (op->isRegistered())
      return !hasNoOwnEffects(op);
    switch (decode(op).role) {
    case OpRole::WorkgroupInfo:
    case OpRole::Binding:
    case OpRole::Declaration:
      return false;
    case OpRole::TileLoad:
    case OpRole::TileStore: {
      std::optional<TileMemory> other = tileMemoryOf(op);
      return !other || mayAlias(memory_, *other);
    }
    default:
      return !isForeignComputation(op);
    }
  }

  Value load(OpBuilder &builder, Location loc, RankedTensorType type, const TileSlice &slice) const override {
    return createTileLoad(builder, loc, memory_, type, *composeSlices(builder, loc, place_, slice));
  }
  void store(OpBuilder &builder, Location loc, Value tile, const TileSlice &slice) const override {
    createTileStore(builder, loc, memory_, tile, *composeSlices(builder, loc, place_, slice));
  }

private:
  TileMemory memory_;
  TileSlice place_;
};

/// A buffer.
class BufferDestination : public UpdateDestination {
public:
  explicit BufferDestination(MaterializeInDestinationOp sink)
      : UpdateDestination(sink.getSource()), buffer_(sink.getDest()), restrict_(sink.getRestrict()) {}

  SmallVector<Value> values() const override { return {buffer_}; }
  bool isReadable() const override { return true; }

  bool holds(Value init) const override {
    auto source = behindCasts(init).getDefiningOp<ToTensorOp>();
    return source && source.getBuffer() == buffer_;
  }

  bool mayBeTouchedBy(Operation *op) const override {
    if (auto view = dyn_cast<ToTensorOp>(op))
      return rootBuffer(view.getBuffer()) == rootBuffer(buffer_) || !view.getRestrict();
    if (auto other = dyn_cast<MaterializeInDestinationOp>(op))
      return isa<BaseMemRefType>(other.getDest().getType()) &&
             (rootBuffer(other.getDest()) == rootBuffer(buffer_) || !(restrict_ && other.getRestrict()));
    return op->isRegistered() ? !hasNoOwnEffects(op) : !isForeignComputation(op);
  }

  Value load(OpBuilder &builder, Location loc, RankedTensorType type, const TileSlice &slice) const override {
    return ToTensorOp::create(builder, loc, type, view(builder, loc, type, slice), /*restrict=*/true,
                              /*writable=*/false);
  }
  void store(OpBuilder &builder, Location loc, Value tile, const TileSlice &slice) const override {
    Value place = view(builder, loc, cast<RankedTensorType>(tile.getType()), slice);
    MaterializeInDestinationOp::create(builder, loc, /*result=*/Type(), tile, place, restrict_, /*writable=*/true);
  }

private:
  Value view(OpBuilder &builder, Location loc, RankedTensorType tile, const TileSlice &slice) const {
    MemRefType type = memref::SubViewOp::inferRankReducedResultType(
        tile.getShape(), cast<MemRefType>(buffer_.getType()), slice.offsets, slice.sizes, slice.strides);
    return memref::SubViewOp::create(builder, loc, type, buffer_, slice.offsets, slice.sizes, slice.strides);
  }

  Value buffer_;
  bool restrict_;
};

} // namespace

std::unique_ptr<UpdateDestination> UpdateDestination::of(Operation *sink, std::optional<UpdateReason> &reason) {
  reason.reset();
  if (auto materialize = dyn_cast<MaterializeInDestinationOp>(sink)) {
    bool isBuffer =
        isa<MemRefType>(materialize.getDest().getType()) && isa<RankedTensorType>(materialize.getSource().getType());
    return isBuffer ? std::make_unique<BufferDestination>(materialize) : nullptr;
  }
  if (sink->isRegistered())
    return nullptr;
  DecodedOp decoded = decode(sink);
  if (decoded.role != OpRole::TileStore || !decoded.tile.stored)
    return nullptr;
  std::optional<TileMemory> memory = tileMemoryOf(sink);
  std::optional<TileSlice> place = memory ? tileSliceOf(sink) : std::nullopt;
  auto type = dyn_cast<RankedTensorType>(decoded.tile.stored.getType());
  if (!place || !type || static_cast<size_t>(type.getRank()) != place->sizes.size()) {
    reason = UpdateReason::UnknownSpelling;
    return nullptr;
  }
  return std::make_unique<BindingDestination>(decoded.tile.stored, std::move(*memory), std::move(*place));
}

} // namespace fuselage
