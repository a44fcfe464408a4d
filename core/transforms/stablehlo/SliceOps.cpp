// Ops that take a part of a tensor, put one in, or join them.
#include "core/transforms/stablehlo/HloLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace fuselage {
namespace {

SmallVector<OpFoldResult> fold(Builder &builder, ArrayRef<int64_t> numbers) {
  SmallVector<OpFoldResult> folded;
  for (int64_t number : numbers)
    folded.push_back(builder.getIndexAttr(number));
  return folded;
}

SmallVector<OpFoldResult> ones(Builder &builder, int64_t rank) {
  return SmallVector<OpFoldResult>(rank, builder.getIndexAttr(1));
}

//===-- Slices ------------------------------------------------------------===//

struct Bounds {
  SmallVector<int64_t> starts, limits, strides;
};

/// `[0:2, 1:8:2]` of the op's own form.
std::optional<Bounds> boundsInText(StringRef text) {
  StringRef list = text.substr(text.find('[') + 1);
  Bounds bounds;
  SmallVector<StringRef> parts;
  list.take_until([](char c) { return c == ']'; }).split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    int64_t numbers[3] = {0, 0, 1};
    SmallVector<StringRef> ends;
    part.split(ends, ':');
    if (ends.size() != 2 && ends.size() != 3)
      return std::nullopt;
    for (auto [at, end] : llvm::enumerate(ends))
      if (end.trim().getAsInteger(10, numbers[at]))
        return std::nullopt;
    bounds.starts.push_back(numbers[0]);
    bounds.limits.push_back(numbers[1]);
    bounds.strides.push_back(numbers[2]);
  }
  return bounds;
}

std::optional<Bounds> boundsOf(HloOp op) {
  auto starts = op.integers({"start_indices"}), limits = op.integers({"limit_indices"});
  auto strides = op.integers({"strides"});
  if (starts && limits && strides)
    return Bounds{*starts, *limits, *strides};
  return op.text().contains('[') ? boundsInText(op.text()) : std::nullopt;
}

HloResults lowerSlice(HloCall &call) {
  std::optional<Bounds> bounds = boundsOf(call.op);
  if (!call.isOnTensors() || !bounds || int64_t(bounds->starts.size()) != call.operandType(0).getRank() ||
      bounds->limits.size() != bounds->starts.size() || bounds->strides.size() != bounds->starts.size())
    return call.refuse("its bounds are not those of its operand");
  SmallVector<int64_t> sizes;
  for (auto [at, start] : llvm::enumerate(bounds->starts)) {
    int64_t limit = bounds->limits[at], stride = bounds->strides[at], size = call.operandType(0).getDimSize(at);
    if (start < 0 || limit < start || stride < 1 || (!ShapedType::isDynamic(size) && limit > size))
      return call.refuse("its bounds are not within its operand");
    sizes.push_back((limit - start + stride - 1) / stride);
  }
  Value result =
      tensor::ExtractSliceOp::create(call.builder, call.loc, call.operands[0], fold(call.builder, bounds->starts),
                                     fold(call.builder, sizes), fold(call.builder, bounds->strides));
  return SmallVector<Value>{reshaped(call.builder, call.loc, result, call.resultType())};
}

/// A start as an index between 0 and the last one at which `size` elements fit.
OpFoldResult clampedStart(HloCall &call, unsigned operand, Value whole, int64_t dim, OpFoldResult size) {
  OpBuilder &builder = call.builder;
  Value start = scalarOf(builder, call.loc, call.operands[operand]);
  Type index = builder.getIndexType();
  Value at = isUnsignedElement(call.writtenOperand(operand))
                 ? arith::IndexCastUIOp::create(builder, call.loc, index, start).getResult()
                 : arith::IndexCastOp::create(builder, call.loc, index, start).getResult();
  auto wholeSize = tensor::getMixedSize(builder, call.loc, whole, dim);
  std::optional<int64_t> from = getConstantIntValue(wholeSize), taken = getConstantIntValue(size);
  if (from && taken && *from == *taken)
    return builder.getIndexAttr(0);
  APInt known;
  if (from && taken && matchPattern(start, m_ConstantInt(&known)) && known.getSignificantBits() <= 63) {
    int64_t number = isUnsignedElement(call.writtenOperand(operand)) ? known.getZExtValue() : known.getSExtValue();
    return builder.getIndexAttr(std::clamp<int64_t>(number, 0, *from - *taken));
  }
  auto value = [&](OpFoldResult number) { return getValueOrCreateConstantIndexOp(builder, call.loc, number); };
  Value most = from && taken ? value(builder.getIndexAttr(*from - *taken))
                             : arith::SubIOp::create(builder, call.loc, value(wholeSize), value(size)).getResult();
  Value raised = arith::MaxSIOp::create(builder, call.loc, at, value(builder.getIndexAttr(0)));
  return arith::MinSIOp::create(builder, call.loc, raised, most).getResult();
}

HloResults lowerDynamicSlice(HloCall &call) {
  auto sizes = call.op.integers({"slice_sizes", "sizes"});
  if (!call.isOnTensors() || !sizes || int64_t(sizes->size()) != call.operandType(0).getRank() ||
      call.operands.size() != sizes->size() + 1)
    return call.refuse("its sizes are not those of its operand");
  for (auto [dim, size] : llvm::enumerate(*sizes))
    if (size < 0 || (!call.operandType(0).isDynamicDim(dim) && size > call.operandType(0).getDimSize(dim)))
      return call.refuse("its sizes are not within its operand");
  SmallVector<OpFoldResult> extents = fold(call.builder, *sizes), starts;
  for (auto [dim, size] : llvm::enumerate(extents))
    starts.push_back(clampedStart(call, dim + 1, call.operands[0], dim, size));
  Value result = tensor::ExtractSliceOp::create(call.builder, call.loc, call.operands[0], starts, extents,
                                                ones(call.builder, sizes->size()));
  return SmallVector<Value>{reshaped(call.builder, call.loc, result, call.resultType())};
}

HloResults lowerDynamicUpdateSlice(HloCall &call) {
  if (!call.isOnTensors() || call.operands.size() < 2 ||
      int64_t(call.operands.size()) != call.operandType(0).getRank() + 2 ||
      call.operandType(0).getRank() != call.operandType(1).getRank())
    return call.refuse("it does not have a start for each dimension");
  Value whole = call.operands[0], part = call.operands[1];
  if (isWithoutElements(call.operandType(1)))
    return SmallVector<Value>{whole};
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(call.builder, call.loc, part), starts;
  for (auto [dim, size] : llvm::enumerate(sizes))
    starts.push_back(clampedStart(call, dim + 2, whole, dim, size));
  Value result = tensor::InsertSliceOp::create(call.builder, call.loc, part, whole, starts, sizes,
                                               ones(call.builder, sizes.size()));
  return SmallVector<Value>{reshaped(call.builder, call.loc, result, call.resultType())};
}

/// Starts, limits and strides are tensors.
HloResults lowerRealDynamicSlice(HloCall &call) {
  if (!call.isOnTensors() || call.operands.size() != 4)
    return call.refuse("it is not on tensors of known rank");
  OpBuilder &builder = call.builder;
  auto element = [&](unsigned operand, int64_t dim) { return indexAt(builder, call.loc, call.operands[operand], dim); };
  SmallVector<OpFoldResult> starts, sizes, strides;
  for (int64_t dim = 0; dim < call.operandType(0).getRank(); ++dim) {
    Value start = element(1, dim), limit = element(2, dim), stride = element(3, dim);
    Value length = arith::SubIOp::create(builder, call.loc, limit, start);
    starts.push_back(start);
    strides.push_back(stride);
    sizes.push_back(call.resultType().isDynamicDim(dim)
                        ? OpFoldResult(arith::CeilDivSIOp::create(builder, call.loc, length, stride).getResult())
                        : OpFoldResult(builder.getIndexAttr(call.resultType().getDimSize(dim))));
  }
  Value result = tensor::ExtractSliceOp::create(builder, call.loc, call.operands[0], starts, sizes, strides);
  return SmallVector<Value>{reshaped(builder, call.loc, result, call.resultType())};
}

//===-- Padding -----------------------------------------------------------===//

/// The part of a tensor that negative padding leaves, which is not nothing; the edges are 0 there then.
Value cropped(HloCall &call, Value tensor, MutableArrayRef<int64_t> low, MutableArrayRef<int64_t> high) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> starts, sizes;
  bool changes = false;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t before = std::min<int64_t>(low[dim], 0), after = std::min<int64_t>(high[dim], 0);
    changes |= before < 0 || after < 0;
    starts.push_back(-before);
    sizes.push_back(type.getDimSize(dim) + before + after);
    low[dim] -= before;
    high[dim] -= after;
  }
  if (!changes)
    return tensor;
  return tensor::ExtractSliceOp::create(call.builder, call.loc, tensor, fold(call.builder, starts),
                                        fold(call.builder, sizes), ones(call.builder, type.getRank()));
}

int64_t spreadSize(int64_t size, int64_t gap) { return size == 0 ? 0 : size + (size - 1) * gap; }

/// Elements that stand `interior` apart, in a tensor of padding.
Value spread(HloCall &call, Value tensor, Value padding, ArrayRef<int64_t> interior) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (llvm::all_of(interior, [](int64_t gap) { return gap == 0; }))
    return tensor;
  SmallVector<int64_t> shape, strides, zeros(type.getRank(), 0);
  for (auto [dim, gap] : llvm::enumerate(interior)) {
    shape.push_back(spreadSize(type.getDimSize(dim), gap));
    strides.push_back(gap + 1);
  }
  Value filled = filledTensor(call.builder, call.loc, RankedTensorType::get(shape, type.getElementType()), padding);
  return tensor::InsertSliceOp::create(call.builder, call.loc, tensor, filled, fold(call.builder, zeros),
                                       fold(call.builder, type.getShape()), fold(call.builder, strides));
}

} // namespace

Value padded(HloCall &call, Value tensor, Value padding, ArrayRef<int64_t> lows, ArrayRef<int64_t> highs,
             ArrayRef<int64_t> interior) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> low(lows), high(highs), shape;
  bool keepsElements = true;
  for (auto [dim, before, after] : llvm::enumerate(lows, highs)) {
    int64_t size = spreadSize(type.getDimSize(dim), interior[dim]);
    keepsElements &= size + std::min<int64_t>(before, 0) + std::min<int64_t>(after, 0) > 0;
    shape.push_back(std::max<int64_t>(size + before + after, 0));
  }
  if (!keepsElements) // an edge may take away all elements, and of the padding at the other edge
    return filledTensor(call.builder, call.loc, RankedTensorType::get(shape, type.getElementType()), padding);
  // What negative padding takes away may be padding between elements: that comes first.
  Value result = cropped(call, spread(call, tensor, padding, interior), low, high);
  auto isZero = [](int64_t edge) { return edge == 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero))
    return result;
  auto pad = tensor::PadOp::create(call.builder, call.loc, Type(), result, fold(call.builder, low),
                                   fold(call.builder, high), padding);
  return pad;
}

namespace {

HloResults lowerPad(HloCall &call) {
  auto low = call.op.integers({"edge_padding_low", "low"}), high = call.op.integers({"edge_padding_high", "high"});
  auto interior = call.op.integers({"interior_padding", "interior"});
  if (!call.isOnTensors() || !low || !high || !interior || !call.operandType(0).hasStaticShape())
    return call.refuse("its padding is not known");
  size_t rank = call.operandType(0).getRank();
  if (low->size() != rank || high->size() != rank || interior->size() != rank ||
      llvm::any_of(*interior, [](int64_t gap) { return gap < 0; }))
    return call.refuse("its padding is not that of its operand");
  Value padding = scalarOf(call.builder, call.loc, call.operands[1]);
  Value result = padded(call, call.operands[0], padding, *low, *high, *interior);
  if (result.getType() != call.resultType())
    return call.refuse("its padding does not give its result");
  return SmallVector<Value>{result};
}

/// Amounts are tensors; those between elements must be known.
HloResults lowerDynamicPad(HloCall &call) {
  if (!call.isOnTensors() || call.operands.size() != 5)
    return call.refuse("it is not on tensors of known rank");
  auto interior = integersOf(call.op->getOperand(4));
  bool isDense = interior && llvm::all_of(*interior, [](int64_t gap) { return gap == 0; });
  if (!isDense)
    return call.refuse("padding between elements is not known");
  auto amounts = [&](unsigned operand) {
    SmallVector<OpFoldResult> list;
    for (int64_t dim = 0; dim < call.operandType(0).getRank(); ++dim)
      list.push_back(indexAt(call.builder, call.loc, call.operands[operand], dim));
    return list;
  };
  Value padding = scalarOf(call.builder, call.loc, call.operands[1]);
  Value result =
      tensor::PadOp::create(call.builder, call.loc, Type(), call.operands[0], amounts(2), amounts(3), padding);
  return SmallVector<Value>{reshaped(call.builder, call.loc, result, call.resultType())};
}

//===-- Others ------------------------------------------------------------===//

HloResults lowerConcatenate(HloCall &call) {
  auto dim = call.op.integer({"dimension", "dim"});
  if (!call.isOnTensors() || call.operands.empty() || !dim || *dim < 0 || *dim >= call.resultType().getRank())
    return call.refuse("its dimension is not one of its operands");
  if (call.operands.size() == 1)
    return SmallVector<Value>{call.operands[0]};
  Value result = tensor::ConcatOp::create(call.builder, call.loc, *dim, call.operands);
  return SmallVector<Value>{reshaped(call.builder, call.loc, result, call.resultType())};
}

} // namespace

/// An op that reads each element at a place that is computed: no affine map runs backwards in every tiling.
Value reversed(HloCall &call, Value tensor, ArrayRef<int64_t> dims) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<AffineMap> maps{call.builder.getMultiDimIdentityMap(type.getRank())};
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  SmallVector<Value> lasts(type.getRank());
  for (int64_t dim : dims) {
    Value size = getValueOrCreateConstantIndexOp(call.builder, call.loc,
                                                 tensor::getMixedSize(call.builder, call.loc, tensor, dim));
    Value one = arith::ConstantIndexOp::create(call.builder, call.loc, 1);
    lasts[dim] = arith::SubIOp::create(call.builder, call.loc, size, one);
  }
  Value empty = emptyLike(call.builder, call.loc, type, tensor);
  return linalg::GenericOp::create(call.builder, call.loc, type, ValueRange(), empty, maps, loops,
                                   [&](OpBuilder &inner, Location loc, ValueRange) {
                                     SmallVector<Value> at;
                                     for (auto [dim, last] : llvm::enumerate(lasts)) {
                                       Value here = linalg::IndexOp::create(inner, loc, dim);
                                       at.push_back(last ? arith::SubIOp::create(inner, loc, last, here) : here);
                                     }
                                     Value element = tensor::ExtractOp::create(inner, loc, tensor, at);
                                     linalg::YieldOp::create(inner, loc, element);
                                   })
      .getResult(0);
}

static HloResults lowerReverse(HloCall &call) {
  auto dims = call.op.integers({"dimensions", "dims"});
  if (!call.isOnTensors() || !dims ||
      llvm::any_of(*dims, [&](int64_t dim) { return dim < 0 || dim >= call.resultType().getRank(); }))
    return call.refuse("its dimensions are not those of its operand");
  return SmallVector<Value>{dims->empty() ? call.operands[0] : reversed(call, call.operands[0], *dims)};
}

void addSliceLowerings(HloLowerings &lowerings) {
  lowerings["concatenate"] = lowerConcatenate;
  lowerings["dynamic_pad"] = lowerDynamicPad;
  lowerings["dynamic-slice"] = lowerDynamicSlice; // until 2022
  lowerings["dynamic-update-slice"] = lowerDynamicUpdateSlice;
  lowerings["dynamic_slice"] = lowerDynamicSlice;
  lowerings["dynamic_update_slice"] = lowerDynamicUpdateSlice;
  lowerings["pad"] = lowerPad;
  lowerings["real_dynamic_slice"] = lowerRealDynamicSlice;
  lowerings["reverse"] = lowerReverse;
  lowerings["slice"] = lowerSlice;
}

} // namespace fuselage
