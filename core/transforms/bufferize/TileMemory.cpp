#include "core/transforms/bufferize/TileMemory.h"
#include "core/dialects/decoders/DecoderSupport.h"
#include "core/dialects/decoders/ForeignTypes.h"
#include "core/dialects/tolerant/SyntaxWriter.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "mlir/Dialect/Affine/ViewLikeInterfaceUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace fuselage {

/// Dialects whose loads and stores have a list of offsets, sizes and strides for a value.
static constexpr llvm::StringLiteral valueSpellings[] = {"flow.dispatch.tensor.", "iree_tensor_ext.dispatch.tensor.",
                                                         "flow.dispatch.input.", "flow.dispatch.output."};

/// The binding's dynamic dimensions: in braces after its type, in the generic form a segment.
static SmallVector<Value> dimensionsOf(Operation *access, bool isStore) {
  if (access->hasAttr("operandSegmentSizes"))
    return llvm::to_vector(operandGroup(access, isStore ? 2 : 1));
  SmallVector<Value> dimensions;
  for (const OperandGroup &group : TolerantOp(access).groups())
    if (group.name.empty() && group.first != 0)
      llvm::append_range(dimensions, access->getOperands().slice(group.first, group.count));
  return dimensions;
}

std::optional<TileMemory> tileMemoryOf(Operation *access) {
  if (access->isRegistered())
    return std::nullopt;
  DecodedOp decoded = decode(access);
  bool isStore = decoded.role == OpRole::TileStore;
  if (!isStore && decoded.role != OpRole::TileLoad)
    return std::nullopt;
  std::string name = displayName(access);
  TileMemory memory;
  for (StringRef spelling : valueSpellings)
    if (StringRef(name).starts_with(spelling) && decoded.tile.source) {
      std::optional<DispatchTensor> view = decodeDispatchTensor(decoded.tile.source.getType());
      if (!view)
        return std::nullopt;
      memory.dialect = spelling.str();
      memory.binding = decoded.tile.source;
      memory.dimensions = dimensionsOf(access, isStore);
      memory.isReadable = view->access != TensorAccess::WriteOnly;
      return memory;
    }
  memory.name = firstSymbolRef(access);
  OperandRange offset = TolerantOp(access).group(StringRef(name).ends_with(".tile") ? "base_offset" : "offset");
  if (!StringRef(name).starts_with("hal.interface.") || !memory.name || offset.size() != 1)
    return std::nullopt;
  memory.dialect = "hal.interface.";
  memory.baseOffset = offset.front();
  return memory;
}

std::optional<TileSlice> tileSliceOf(Operation *access) {
  DecodedOp decoded = decode(access);
  TileSlice slice{decoded.tile.offsets, decoded.tile.sizes, decoded.tile.strides};
  if (!slice.sizes.empty()) {
    bool isComplete = slice.offsets.size() == slice.sizes.size() && slice.strides.size() == slice.sizes.size();
    return isComplete ? std::optional(slice) : std::nullopt;
  }
  // The whole tensor: of the binding, or as the moved value says.
  auto whole = dyn_cast_or_null<RankedTensorType>(decoded.tile.tensorType);
  if (!whole || !whole.hasStaticShape())
    return std::nullopt;
  Builder builder(access->getContext());
  for (int64_t size : whole.getShape()) {
    slice.offsets.push_back(builder.getIndexAttr(0));
    slice.sizes.push_back(builder.getIndexAttr(size));
    slice.strides.push_back(builder.getIndexAttr(1));
  }
  return slice;
}

bool mayAlias(const TileMemory &a, const TileMemory &b) {
  if (a.name || b.name)
    return !a.name || !b.name || a.name == b.name;
  if (a.binding == b.binding)
    return true;
  Operation *first = a.binding.getDefiningOp(), *second = b.binding.getDefiningOp();
  if (!first && !second)
    return false; // two arguments of the kernel
  if (!first || !second || decode(first).role != OpRole::Binding || decode(second).role != OpRole::Binding)
    return true;
  // Bindings of one number are one buffer; those of two are kept apart by whoever launches the kernel.
  if (SymbolRefAttr symbol = firstSymbolRef(first), other = firstSymbolRef(second); symbol && other)
    return symbol == other;
  auto numbers = [](Operation *op) {
    return std::pair(op->getAttrOfType<IntegerAttr>("set"), op->getAttrOfType<IntegerAttr>("binding"));
  };
  return !numbers(first).second || !numbers(second).second || numbers(first) == numbers(second);
}

/// `offsets = [...], sizes = [...], strides = [...]`
static void writeSlice(SyntaxWriter &writer, const TileSlice &slice) {
  writer.list("offsets", slice.offsets).text(", ").list("sizes", slice.sizes).text(", ").list("strides", slice.strides);
}

/// `@interface::@binding, base_offset = %c0, `
static void writeName(SyntaxWriter &writer, const TileMemory &memory) {
  writer.attribute("symbol", memory.name).text(", base_offset = ").operand(memory.baseOffset, "base_offset").text(", ");
}

Value createTileLoad(OpBuilder &builder, Location loc, const TileMemory &memory, RankedTensorType type,
                     const TileSlice &slice) {
  SyntaxWriter writer;
  std::string name = memory.dialect;
  if (memory.binding) {
    writer.operand(memory.binding).text(", ");
    writeSlice(writer, slice);
    writer.text(" : ").type(memory.binding.getType()).dimensions(memory.dimensions).text(" -> ").type(type);
    name += "load";
  } else {
    writeName(writer, memory);
    writeSlice(writer, slice);
    writer.text(" : ").type(type);
    name += "load.tensor.tile";
  }
  return writer.create(builder, loc, name, type)->getResult(0);
}

Operation *createTileStore(OpBuilder &builder, Location loc, const TileMemory &memory, Value tile,
                           const TileSlice &slice) {
  SyntaxWriter writer;
  writer.operand(tile).text(", ");
  if (memory.binding) {
    writer.operand(memory.binding).text(", ");
    writeSlice(writer, slice);
    writer.text(" : ").type(tile.getType()).text(" -> ").type(memory.binding.getType()).dimensions(memory.dimensions);
    return writer.create(builder, loc, memory.dialect + "store");
  }
  writeName(writer, memory);
  writeSlice(writer, slice);
  writer.text(" : ").type(tile.getType());
  return writer.create(builder, loc, memory.dialect + "store.tensor.tile");
}

std::optional<TileSlice> composeSlices(OpBuilder &builder, Location loc, const TileSlice &outer,
                                       const TileSlice &inner) {
  TileSlice composed;
  if (outer.sizes.size() != inner.sizes.size() ||
      failed(affine::mergeOffsetsSizesAndStrides(builder, loc, outer.offsets, outer.sizes, outer.strides,
                                                 llvm::SmallBitVector(outer.sizes.size()), inner.offsets, inner.sizes,
                                                 inner.strides, composed.offsets, composed.sizes, composed.strides)))
    return std::nullopt;
  return composed;
}

} // namespace fuselage
