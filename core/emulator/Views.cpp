// Buffers seen in other ways, and memory that a kernel declares.
#include "core/emulator/Decoder.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace fuselage::emulator {
namespace {

ElementId elementOf(Decoder &decoder, OpFoldResult part) {
  if (auto value = dyn_cast<Value>(part))
    return decoder.elementOf(value);
  return decoder.constant(uint64_t(cast<IntegerAttr>(cast<Attribute>(part)).getInt()));
}

/// A buffer's parts in the order of its elements.
class ViewBuilder {
public:
  ViewBuilder(Decoder &decoder, Value source) : decoder_(decoder) {
    BufferParts parts = decoder.partsOf(source);
    number = parts.number;
    shift = parts.shift;
    offset = parts.offset;
    sourceSizes = ElementIds(parts.sizes);
    sourceStrides = ElementIds(parts.strides);
  }
  void finish(Value result) {
    ElementIds elements{number, shift, offset};
    llvm::append_range(elements, sizes);
    llvm::append_range(elements, strides);
    decoder_.alias(result, std::move(elements));
  }

  ElementId number, shift, offset;
  ElementIds sizes, strides, sourceSizes, sourceStrides;

private:
  Decoder &decoder_;
};

void decodeSubview(Decoder &decoder, memref::SubViewOp op) {
  ViewBuilder view(decoder, op.getSource());
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (auto [i, offset, size, stride] :
       llvm::enumerate(op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
    view.offset = decoder.add(view.offset, decoder.multiply(elementOf(decoder, offset), view.sourceStrides[i]));
    if (dropped.test(i))
      continue;
    view.sizes.push_back(elementOf(decoder, size));
    view.strides.push_back(decoder.multiply(view.sourceStrides[i], elementOf(decoder, stride)));
  }
  view.finish(op.getResult());
}

void decodeExpand(Decoder &decoder, memref::ExpandShapeOp op) {
  ViewBuilder view(decoder, op.getSrc());
  for (OpFoldResult size : op.getMixedOutputShape())
    view.sizes.push_back(elementOf(decoder, size));
  view.strides = view.sizes;
  for (auto [i, group] : llvm::enumerate(op.getReassociationIndices())) {
    ElementId stride = view.sourceStrides[i];
    for (int64_t dimension : llvm::reverse(group)) {
      view.strides[dimension] = stride;
      stride = decoder.multiply(stride, view.sizes[dimension]);
    }
  }
  if (view.sourceStrides.empty()) // of rank 0: all sizes are 1
    llvm::fill(view.strides, decoder.constant(1));
  view.finish(op.getResult());
}

void decodeCollapse(Decoder &decoder, memref::CollapseShapeOp op) {
  ViewBuilder view(decoder, op.getSrc());
  for (auto group : op.getReassociationIndices()) {
    ElementId size = decoder.constant(1);
    std::optional<ElementId> stride; // of the last dimension that has more than one element
    for (int64_t dimension : llvm::reverse(group)) {
      size = decoder.multiply(size, view.sourceSizes[dimension]);
      if (!stride && decoder.constantOf(view.sourceSizes[dimension]) != uint64_t(1))
        stride = view.sourceStrides[dimension];
    }
    view.sizes.push_back(size);
    view.strides.push_back(stride.value_or(group.empty() ? decoder.constant(1) : view.sourceStrides[group.back()]));
  }
  view.finish(op.getResult());
}

void decodeReinterpret(Decoder &decoder, memref::ReinterpretCastOp op) {
  ViewBuilder view(decoder, op.getSource());
  view.offset = elementOf(decoder, op.getMixedOffsets().front());
  for (OpFoldResult size : op.getMixedSizes())
    view.sizes.push_back(elementOf(decoder, size));
  for (OpFoldResult stride : op.getMixedStrides())
    view.strides.push_back(elementOf(decoder, stride));
  view.finish(op.getResult());
}

/// Bytes as elements of another type, in rows.
llvm::Error decodeBytes(Decoder &decoder, memref::ViewOp op) {
  ViewBuilder view(decoder, op.getSource());
  view.shift = decoder.add(decoder.add(view.shift, view.offset), decoder.elementOf(op.getByteShift()));
  view.offset = decoder.constant(0);
  auto dynamic = op.getSizes().begin();
  for (int64_t size : op.getType().getShape())
    view.sizes.push_back(ShapedType::isDynamic(size) ? decoder.elementOf(*dynamic++)
                                                     : decoder.constant(uint64_t(size)));
  view.strides = view.sizes;
  ElementId stride = decoder.constant(1);
  for (size_t i = view.sizes.size(); i-- > 0;) {
    view.strides[i] = stride;
    stride = decoder.multiply(stride, view.sizes[i]);
  }
  view.finish(op.getResult());
  return llvm::Error::success();
}

/// Scalars as vectors: what is not a dimension any more is in the elements.
llvm::Error decodeTypeCast(Decoder &decoder, vector::TypeCastOp op) {
  auto source = cast<MemRefType>(op.getMemref().getType());
  auto vector = dyn_cast<VectorType>(op.getType().getElementType());
  if (!vector || !source.hasStaticShape() || op.getType().getRank() != 0)
    return Decoder::refuse(op);
  ViewBuilder view(decoder, op.getMemref());
  auto form = formOf(source.getElementType());
  if (!form)
    return Decoder::refuse(op);
  view.shift = decoder.add(view.shift, decoder.multiply(view.offset, decoder.constant(form->bytes)));
  view.offset = decoder.constant(0);
  view.finish(op.getResult());
  return llvm::Error::success();
}

void decodeMetadata(Decoder &decoder, memref::ExtractStridedMetadataOp op) {
  ViewBuilder view(decoder, op.getSource());
  decoder.alias(op.getBaseBuffer(), {view.number, view.shift, decoder.constant(0)});
  decoder.alias(op.getOffset(), {view.offset});
  for (auto [result, size] : llvm::zip_equal(op.getSizes(), view.sourceSizes))
    decoder.alias(result, {size});
  for (auto [result, stride] : llvm::zip_equal(op.getStrides(), view.sourceStrides))
    decoder.alias(result, {stride});
}

llvm::Error decodeTranspose(Decoder &decoder, memref::TransposeOp op) {
  ViewBuilder view(decoder, op.getIn());
  for (AffineExpr expression : op.getPermutation().getResults()) {
    unsigned dimension = cast<AffineDimExpr>(expression).getPosition();
    view.sizes.push_back(view.sourceSizes[dimension]);
    view.strides.push_back(view.sourceStrides[dimension]);
  }
  view.finish(op.getResult());
  return llvm::Error::success();
}

llvm::Error decodeDim(Decoder &decoder, memref::DimOp op) {
  IntegerAttr dimension;
  BufferParts parts = decoder.partsOf(op.getSource());
  if (!matchPattern(op.getIndex(), m_Constant(&dimension)) ||
      dimension.getValue().getLimitedValue() >= parts.sizes.size())
    return Decoder::refuse(op, "the emulator wants to know which dimension this is when it reads the kernel");
  decoder.alias(op.getResult(), {parts.sizes[dimension.getInt()]});
  return llvm::Error::success();
}

llvm::Error decodeAllocation(Decoder &decoder, Operation *op) {
  auto type = cast<MemRefType>(op->getResult(0).getType());
  bool isWorkgroup = gpu::GPUDialect::isWorkgroupMemoryAddressSpace(type.getMemorySpace()) ||
                     type.getMemorySpaceAsInt() == 3; // NVIDIA's number of it
  if (isa<memref::AllocOp>(op) && !isWorkgroup)
    return Decoder::refuse(
        op, "it would call the device's allocator in a kernel; use workgroup memory, or allocate before the launch");
  return decoder.allocate(op->getResult(0), type, isWorkgroup ? Buffer::Kind::Workgroup : Buffer::Kind::Private,
                          isWorkgroup ? "workgroup memory" : "private memory");
}

} // namespace

llvm::Expected<bool> decodeView(Decoder &decoder, Operation *op) {
  auto isStatic = [](Value value) { return isa<MemRefType>(value.getType()); };
  if (!llvm::all_of(op->getOperands(),
                    [&](Value value) { return !isa<BaseMemRefType>(value.getType()) || isStatic(value); }))
    return Decoder::refuse(op, "the emulator takes buffers whose rank is known");
  if (isa<memref::CastOp, memref::MemorySpaceCastOp, memref::AssumeAlignmentOp>(op)) {
    if (!isStatic(op->getResult(0)))
      return Decoder::refuse(op, "the emulator takes buffers whose rank is known");
    decoder.alias(op->getResult(0), ElementIds(decoder.elementsOf(op->getOperand(0))));
    return true;
  }
  auto done = [](llvm::Error error) -> llvm::Expected<bool> {
    if (error)
      return error;
    return true;
  };
  if (auto view = dyn_cast<memref::SubViewOp>(op))
    return decodeSubview(decoder, view), true;
  if (auto view = dyn_cast<memref::ExpandShapeOp>(op))
    return decodeExpand(decoder, view), true;
  if (auto view = dyn_cast<memref::CollapseShapeOp>(op))
    return decodeCollapse(decoder, view), true;
  if (auto view = dyn_cast<memref::ReinterpretCastOp>(op))
    return decodeReinterpret(decoder, view), true;
  if (auto view = dyn_cast<memref::ExtractStridedMetadataOp>(op))
    return decodeMetadata(decoder, view), true;
  if (auto view = dyn_cast<memref::ViewOp>(op))
    return done(decodeBytes(decoder, view));
  if (auto view = dyn_cast<vector::TypeCastOp>(op))
    return done(decodeTypeCast(decoder, view));
  if (auto view = dyn_cast<memref::TransposeOp>(op))
    return done(decodeTranspose(decoder, view));
  if (auto dim = dyn_cast<memref::DimOp>(op))
    return done(decodeDim(decoder, dim));
  if (auto rank = dyn_cast<memref::RankOp>(op))
    return decoder.alias(rank.getResult(), {decoder.constant(decoder.partsOf(rank.getMemref()).sizes.size())}), true;
  if (isa<memref::AllocaOp>(op) || (isa<memref::AllocOp>(op) && !decoder.isHost()))
    return done(decodeAllocation(decoder, op));
  if (isa<memref::DeallocOp>(op) && !decoder.isHost())
    return true;
  return false;
}

} // namespace fuselage::emulator
