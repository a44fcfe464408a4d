// A dispatch's convolution, as libraries of neural networks call it.
#pragma once
#include "mlir/IR/Operation.h"
#include <optional>
#include <string>

namespace fuselage {

/// A 2-d convolution without padding: what is padded is padded before it.
struct ConvolutionShape {
  bool channelsLast = true;                                ///< images are n x h x w x c, else n x c x h x w
  int64_t images = 0, channels = 0, height = 0, width = 0; ///< of the input
  int64_t filters = 0, filterHeight = 0, filterWidth = 0;
  int64_t strideHeight = 1, strideWidth = 1, dilationHeight = 1, dilationWidth = 1;
  std::string type{}; ///< of the operands: "f32", "f16"
  std::string resultType{};

  int64_t outHeight() const { return (height - dilationHeight * (filterHeight - 1) - 1) / strideHeight + 1; }
  int64_t outWidth() const { return (width - dilationWidth * (filterWidth - 1) - 1) / strideWidth + 1; }
  /// "1x56x56x64 by 64 filters of 3x3, strides 1x1, f32"
  std::string text() const;
  auto operator<=>(const ConvolutionShape &) const = default;
};

/// The shape of the only convolution in a dispatch (conv_2d_nhwc_hwcf, conv_2d_nhwc_fhwc, conv_2d_nchw_fchw); nullopt:
/// there is none or are several, or its sizes are not static.
std::optional<ConvolutionShape> convolutionOf(mlir::Operation *dispatch);

} // namespace fuselage
