// Colours of the elements of a tensor.
#pragma once
#include "views/common/Theme.h"
#include <functional>

namespace fuselage {

/// Finite values between `low` and `high` go through a neutral middle where they change sign; what is not finite has a
/// colour that no finite value has.
QColor valueColor(const Theme &theme, double value, double low, double high);

inline constexpr int scaleHeight = 9; ///< of the bar alone

/// The bar of colours from `low` to `high`, at the top of `place`, with its ends in words below.
void paintScale(QPainter &painter, const QRectF &place, const Theme &theme, double low, double high,
                const std::function<QColor(double)> &colour);

} // namespace fuselage
