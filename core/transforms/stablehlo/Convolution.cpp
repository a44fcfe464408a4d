// Convolutions: images padded and spread, kernels reversed; then a named op where one fits, linalg.generic elsewhere.
#include "core/transforms/stablehlo/HloLowering.h"
#include "core/transforms/stablehlo/ScalarOps.h"
#include "core/transforms/stablehlo/Windows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;

namespace fuselage {
namespace {

/// Which dimension of image, kernel and result is what.
struct ConvDimensions {
  int64_t batch, feature, kernelInput, kernelOutput, resultBatch, resultFeature;
  SmallVector<int64_t> image, kernel, result; ///< spatial ones
};

/// `[b, 0, 1, f]`: the places of two letters, and of the numbers in order.
bool readLayout(StringRef &text, char first, char second, int64_t &firstAt, int64_t &secondAt,
                SmallVectorImpl<int64_t> &spatial) {
  text = text.ltrim();
  if (!text.consume_front("["))
    return false;
  auto [inner, rest] = text.split(']');
  text = rest;
  SmallVector<StringRef> parts;
  inner.split(parts, ',', -1, /*KeepEmpty=*/false);
  spatial.assign(parts.size() < 2 ? 0 : parts.size() - 2, -1);
  firstAt = secondAt = -1;
  for (auto [at, part] : llvm::enumerate(parts)) {
    part = part.trim();
    size_t number = 0;
    if (part.size() == 1 && part[0] == first)
      firstAt = at;
    else if (part.size() == 1 && part[0] == second)
      secondAt = at;
    else if (!part.getAsInteger(10, number) && number < spatial.size())
      spatial[number] = at;
    else
      return false;
  }
  return firstAt >= 0 && secondAt >= 0 && !llvm::is_contained(spatial, -1);
}

std::optional<ConvDimensions> readDimensions(StringRef text) {
  ConvDimensions dims;
  if (!readLayout(text, 'b', 'f', dims.batch, dims.feature, dims.image) || !(text = text.ltrim()).consume_front("x") ||
      !readLayout(text, 'i', 'o', dims.kernelInput, dims.kernelOutput, dims.kernel) ||
      !(text = text.ltrim()).consume_front("->") ||
      !readLayout(text, 'b', 'f', dims.resultBatch, dims.resultFeature, dims.result))
    return std::nullopt;
  bool agree = dims.image.size() == dims.kernel.size() && dims.image.size() == dims.result.size();
  return agree ? std::optional(dims) : std::nullopt;
}

/// `#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>`, the long form `#stablehlo.conv<raw input_batch_dimension
/// = 0, ...>`, or `dim_numbers = ...`.
std::optional<ConvDimensions> convDimensions(HloOp op) {
  HloText raw = HloText::of(op.attribute({"dimension_numbers"}));
  StringRef text = raw.empty() ? op.text() : raw.str();
  if (raw.has("input_batch_dimension")) {
    auto number = [&](StringRef key) { return raw.integer(key).value_or(-1); };
    ConvDimensions dims{number("input_batch_dimension"), number("input_feature_dimension"),
                        number("kernel_input_feature_dimension"), number("kernel_output_feature_dimension"),
                        number("output_batch_dimension"), number("output_feature_dimension"),
                        raw.integers("input_spatial_dimensions"), raw.integers("kernel_spatial_dimensions"),
                        raw.integers("output_spatial_dimensions")};
    bool agree = dims.image.size() == dims.kernel.size() && dims.image.size() == dims.result.size();
    return agree ? std::optional(dims) : std::nullopt;
  }
  size_t at = raw.empty() ? text.find("dim_numbers") : 0;
  if (at == StringRef::npos)
    return std::nullopt;
  return readDimensions(text.substr(text.find('[', at)));
}

SmallVector<int64_t> orderOf(int64_t first, int64_t second, ArrayRef<int64_t> spatial) {
  SmallVector<int64_t> order{first, second};
  llvm::append_range(order, spatial);
  return order;
}

/// `dim` of a tensor as `groups` times what is left.
Value splitDim(HloCall &call, Value tensor, int64_t dim, int64_t groups) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] /= groups;
  shape.insert(shape.begin() + dim, groups);
  SmallVector<ReassociationIndices> groupsOfDims;
  for (int64_t at = 0, next = 0; at < type.getRank(); ++at) {
    groupsOfDims.push_back({next++});
    if (at == dim)
      groupsOfDims.back().push_back(next++);
  }
  return tensor::ExpandShapeOp::create(call.builder, call.loc, RankedTensorType::get(shape, type.getElementType()),
                                       tensor, groupsOfDims);
}

/// Loops of a convolution: batch, group, output, places..., input, window...; the first ones are the result's.
struct ConvLoops {
  MLIRContext *context;
  size_t spatial;

  AffineExpr batch() const { return getAffineDimExpr(0, context); }
  AffineExpr group() const { return getAffineDimExpr(1, context); }
  AffineExpr output() const { return getAffineDimExpr(2, context); }
  AffineExpr place(size_t at) const { return getAffineDimExpr(3 + at, context); }
  AffineExpr input() const { return getAffineDimExpr(3 + spatial, context); }
  AffineExpr window(size_t at) const { return getAffineDimExpr(4 + spatial + at, context); }

  /// The dimensions of a tensor in its own order; `group` stands before the one that was split.
  AffineMap map(int64_t first, AffineExpr firstExpr, int64_t second, AffineExpr secondExpr, ArrayRef<int64_t> dims,
                ArrayRef<AffineExpr> exprs, std::optional<int64_t> split) const {
    SmallVector<AffineExpr> results;
    for (int64_t dim = 0; dim < int64_t(dims.size()) + 2; ++dim) {
      if (split == dim)
        results.push_back(group());
      results.push_back(dim == first ? firstExpr : dim == second ? secondExpr : exprs[llvm::find(dims, dim) - dims.begin()]);
    }
    return AffineMap::get(4 + 2 * spatial, 0, results, context);
  }
};

/// Strides or dilations as the attribute of a named op.
DenseIntElementsAttr attributeOf(Builder &builder, ArrayRef<int64_t> numbers) {
  return DenseIntElementsAttr::get(RankedTensorType::get({int64_t(numbers.size())}, builder.getI64Type()), numbers);
}

/// The named op of this layout, if upstream has one: images with features last and kernels (spatial, input, output), or
/// images with features first and kernels (output, input, spatial).
Value asNamed(HloCall &call, const ConvDimensions &dims, Value image, Value kernel, const Windows &window) {
  size_t spatial = window.strides.size();
  RankedTensorType type = call.resultType();
  auto isFirst = [&](int64_t a, int64_t b, ArrayRef<int64_t> rest) {
    return llvm::is_sorted(orderOf(a, b, rest));
  };
  auto isLast = [&](int64_t first, ArrayRef<int64_t> middle, int64_t last) {
    SmallVector<int64_t> order{first};
    llvm::append_range(order, middle);
    order.push_back(last);
    return llvm::is_sorted(order);
  };
  SmallVector<int64_t> kernelOrder(dims.kernel);
  kernelOrder.append({dims.kernelInput, dims.kernelOutput});
  bool featuresLast = isLast(dims.batch, dims.image, dims.feature) && llvm::is_sorted(kernelOrder) &&
                      isLast(dims.resultBatch, dims.result, dims.resultFeature);
  bool featuresFirst = isFirst(dims.batch, dims.feature, dims.image) &&
                       isFirst(dims.kernelOutput, dims.kernelInput, dims.kernel) &&
                       isFirst(dims.resultBatch, dims.resultFeature, dims.result);
  if (!featuresLast && !featuresFirst)
    return {};
  Value output = filledTensor(call.builder, call.loc, type, zeroOf(call.builder, call.loc, type.getElementType()));
  Attribute strides = attributeOf(call.builder, window.strides),
            dilations = attributeOf(call.builder, window.dilations);
  auto make = [&](auto tag) -> Value {
    using Op = typename decltype(tag)::type;
    return Op::create(call.builder, call.loc, TypeRange(type), ValueRange{image, kernel}, ValueRange(output), strides,
                      dilations)
        .getResult(0);
  };
  if (featuresLast && spatial == 1)
    return make(std::type_identity<linalg::Conv1DNwcWcfOp>());
  if (featuresLast && spatial == 2)
    return make(std::type_identity<linalg::Conv2DNhwcHwcfOp>());
  if (featuresLast && spatial == 3)
    return make(std::type_identity<linalg::Conv3DNdhwcDhwcfOp>());
  if (featuresFirst && spatial == 1)
    return make(std::type_identity<linalg::Conv1DNcwFcwOp>());
  if (featuresFirst && spatial == 2)
    return make(std::type_identity<linalg::Conv2DNchwFchwOp>());
  return featuresFirst && spatial == 3 ? make(std::type_identity<linalg::Conv3DNcdhwFcdhwOp>()) : Value();
}

/// Whether named ops compute the same: they take floats, or signed integers, and extend them.
bool mayBeNamed(HloCall &call) {
  Type element = call.resultType().getElementType();
  auto agrees = [&](unsigned operand) {
    Type type = call.operandType(operand).getElementType();
    return type.isIntOrFloat() && isa<FloatType>(type) == isa<FloatType>(element) &&
           (isa<FloatType>(type) || !isUnsignedElement(call.writtenOperand(operand)));
  };
  return element.isIntOrFloat() && agrees(0) && agrees(1);
}

/// As linalg.generic in the layouts that the tensors have. A group has its own features, or its own part of the batch.
Value asGeneric(HloCall &call, const ConvDimensions &dims, Value image, Value kernel, const Windows &window,
                int64_t featureGroups, int64_t batchGroups) {
  RankedTensorType type = call.resultType();
  ConvLoops loops{call.builder.getContext(), dims.image.size()};
  int64_t groups = featureGroups * batchGroups;
  std::optional<int64_t> imageSplit, kernelSplit, resultSplit;
  SmallVector<int64_t> shape(type.getShape());
  if (groups > 1) {
    imageSplit = batchGroups > 1 ? dims.batch : dims.feature;
    kernelSplit = dims.kernelOutput;
    resultSplit = dims.resultFeature;
    image = splitDim(call, image, *imageSplit, groups);
    kernel = splitDim(call, kernel, *kernelSplit, groups);
    shape[*resultSplit] /= groups;
    shape.insert(shape.begin() + *resultSplit, groups);
  }
  SmallVector<AffineExpr> elements, offsets, places;
  for (size_t at = 0; at < loops.spatial; ++at) {
    elements.push_back(loops.place(at) * window.strides[at] + loops.window(at) * window.dilations[at]);
    offsets.push_back(loops.window(at));
    places.push_back(loops.place(at));
  }
  SmallVector<AffineMap> maps{
      loops.map(dims.batch, loops.batch(), dims.feature, loops.input(), dims.image, elements, imageSplit),
      loops.map(dims.kernelOutput, loops.output(), dims.kernelInput, loops.input(), dims.kernel, offsets, kernelSplit),
      loops.map(dims.resultBatch, loops.batch(), dims.resultFeature, loops.output(), dims.result, places, resultSplit)};
  SmallVector<utils::IteratorType> iterators(4 + 2 * loops.spatial, utils::IteratorType::reduction);
  std::fill_n(iterators.begin(), 3 + loops.spatial, utils::IteratorType::parallel);
  if (groups == 1) { // nothing counts groups
    maps = compressUnusedDims(maps);
    iterators.erase(iterators.begin() + 1);
  }
  auto resultType = RankedTensorType::get(shape, type.getElementType());
  Value output = filledTensor(call.builder, call.loc, resultType, zeroOf(call.builder, call.loc, type.getElementType()));
  auto widen = [&](OpBuilder &inner, Location loc, Value factor, unsigned operand) {
    return convertScalar(inner, loc, call.op, factor, call.writtenOperand(operand), call.writtenResult());
  };
  auto body = [&](OpBuilder &inner, Location loc, ValueRange args) {
    Value left = widen(inner, loc, args[0], 0), right = widen(inner, loc, args[1], 1);
    linalg::YieldOp::create(inner, loc, multiplyAdd(inner, loc, left, right, args[2]));
  };
  Value result = linalg::GenericOp::create(call.builder, call.loc, resultType, ValueRange{image, kernel}, output, maps,
                                           iterators, body)
                     .getResult(0);
  return reshaped(call.builder, call.loc, result, type);
}

/// Whether sizes, groups and windows say the same.
bool fits(HloCall &call, const ConvDimensions &dims, const Windows &window, int64_t featureGroups,
          int64_t batchGroups) {
  RankedTensorType image = call.operandType(0), kernel = call.operandType(1), type = call.resultType();
  int64_t rank = dims.image.size() + 2;
  if (image.getRank() != rank || kernel.getRank() != rank || type.getRank() != rank || !image.hasStaticShape() ||
      !kernel.hasStaticShape() || !type.hasStaticShape() || featureGroups < 1 || batchGroups < 1 ||
      (featureGroups > 1 && batchGroups > 1))
    return false;
  auto isPermutation = [&](int64_t a, int64_t b, ArrayRef<int64_t> rest) {
    return isPermutationVector(orderOf(a, b, rest));
  };
  if (!isPermutation(dims.batch, dims.feature, dims.image) ||
      !isPermutation(dims.kernelInput, dims.kernelOutput, dims.kernel) ||
      !isPermutation(dims.resultBatch, dims.resultFeature, dims.result))
    return false;
  for (auto [at, dim] : llvm::enumerate(dims.image))
    if (window.sizes[at] != kernel.getDimSize(dims.kernel[at]) ||
        window.placesIn(image.getDimSize(dim), at) != type.getDimSize(dims.result[at]))
      return false;
  int64_t features = image.getDimSize(dims.feature), outputs = kernel.getDimSize(dims.kernelOutput);
  int64_t batch = image.getDimSize(dims.batch);
  return features == kernel.getDimSize(dims.kernelInput) * featureGroups && outputs % featureGroups == 0 &&
         outputs % batchGroups == 0 && batch % batchGroups == 0 && outputs == type.getDimSize(dims.resultFeature) &&
         batch / batchGroups == type.getDimSize(dims.resultBatch);
}

HloResults lowerConvolution(HloCall &call) {
  std::optional<ConvDimensions> dims = convDimensions(call.op);
  if (!call.isOnTensors() || !dims || call.operands.size() != 2)
    return call.refuse("its dimensions are not known");
  SmallVector<int64_t> kernelSizes;
  for (int64_t dim : dims->kernel)
    kernelSizes.push_back(dim >= 0 && dim < call.operandType(1).getRank() ? call.operandType(1).getDimSize(dim) : -1);
  std::optional<Windows> window = Windows::of(call.op, kernelSizes);
  int64_t featureGroups = call.op.integer({"feature_group_count"}).value_or(1);
  int64_t batchGroups = call.op.integer({"batch_group_count"}).value_or(1);
  if (!window || !fits(call, *dims, *window, featureGroups, batchGroups))
    return call.refuse("its window or its groups do not fit its operands");
  int64_t rank = call.operandType(0).getRank();
  SmallVector<int64_t> low(rank, 0), high(rank, 0), interior(rank, 0), backwards;
  for (auto [at, dim] : llvm::enumerate(dims->image)) {
    low[dim] = window->low[at];
    high[dim] = window->high[at];
    interior[dim] = window->baseDilations[at] - 1;
    if (window->isReversed[at])
      backwards.push_back(dims->kernel[at]);
  }
  Value zero = zeroOf(call.builder, call.loc, call.operandType(0).getElementType());
  Value image = padded(call, call.operands[0], zero, low, high, interior);
  Value kernel = backwards.empty() ? call.operands[1] : reversed(call, call.operands[1], backwards);
  if (featureGroups == 1 && batchGroups == 1 && mayBeNamed(call))
    if (Value result = asNamed(call, *dims, image, kernel, *window))
      return SmallVector<Value>{result};
  return SmallVector<Value>{asGeneric(call, *dims, image, kernel, *window, featureGroups, batchGroups)};
}

} // namespace

void addConvolutionLowerings(HloLowerings &lowerings) {
  lowerings["convolution"] = lowerConvolution;
}

} // namespace fuselage
