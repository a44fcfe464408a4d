#include "core/run/peaks/ConvolutionShape.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace fuselage {

std::string ConvolutionShape::text() const {
  std::string image = channelsLast ? llvm::formatv("{0}x{1}x{2}x{3}", images, height, width, channels).str()
                                   : llvm::formatv("{0}x{1}x{2}x{3}", images, channels, height, width).str();
  std::string text = llvm::formatv("{0} by {1} filters of {2}x{3}, strides {4}x{5}, ", image, filters, filterHeight,
                                   filterWidth, strideHeight, strideWidth);
  if (dilationHeight != 1 || dilationWidth != 1)
    text += llvm::formatv("dilations {0}x{1}, ", dilationHeight, dilationWidth);
  return text + type;
}

static std::string elementName(Value value) {
  std::string text;
  llvm::raw_string_ostream(text) << getElementTypeOrSelf(value.getType());
  return text;
}

/// Positions of what counts in the shapes of image and filter.
template <class Op>
static ConvolutionShape shapeOf(Op op, bool channelsLast, std::array<unsigned, 3> filterCountHeightWidth) {
  ConvolutionShape shape{.channelsLast = channelsLast};
  ArrayRef<int64_t> image = cast<ShapedType>(op->getOperand(0).getType()).getShape();
  ArrayRef<int64_t> filter = cast<ShapedType>(op->getOperand(1).getType()).getShape();
  auto strides = llvm::to_vector(op.getStrides().template getValues<int64_t>());
  auto dilations = llvm::to_vector(op.getDilations().template getValues<int64_t>());
  shape.images = image[0];
  shape.channels = image[channelsLast ? 3 : 1];
  shape.height = image[channelsLast ? 1 : 2];
  shape.width = image[channelsLast ? 2 : 3];
  auto [count, height, width] = filterCountHeightWidth;
  shape.filters = filter[count];
  shape.filterHeight = filter[height];
  shape.filterWidth = filter[width];
  shape.strideHeight = strides[0];
  shape.strideWidth = strides[1];
  shape.dilationHeight = dilations[0];
  shape.dilationWidth = dilations[1];
  shape.type = elementName(op->getOperand(0));
  shape.resultType = elementName(op->getResult(0));
  return shape;
}

std::optional<ConvolutionShape> convolutionOf(Operation *dispatch) {
  SmallVector<linalg::LinalgOp> found;
  dispatch->walk([&](linalg::LinalgOp op) {
    if (linalg::isaConvolutionOpInterface(op))
      found.push_back(op);
  });
  if (found.size() != 1 || found.front().hasDynamicShape() || found.front()->getNumResults() != 1 ||
      getElementTypeOrSelf(found.front()->getOperand(0).getType()) !=
          getElementTypeOrSelf(found.front()->getOperand(1).getType()))
    return std::nullopt;
  Operation *op = found.front();
  if (auto conv = dyn_cast<linalg::Conv2DNhwcHwcfOp>(op))
    return shapeOf(conv, /*channelsLast=*/true, {3, 0, 1});
  if (auto conv = dyn_cast<linalg::Conv2DNhwcFhwcOp>(op))
    return shapeOf(conv, /*channelsLast=*/true, {0, 1, 2});
  if (auto conv = dyn_cast<linalg::Conv2DNchwFchwOp>(op))
    return shapeOf(conv, /*channelsLast=*/false, {0, 2, 3});
  return std::nullopt;
}

} // namespace fuselage
