#include "views/common/Drawing.h"
#include "views/common/Theme.h"
#include <algorithm>

namespace fuselage {

QImage drawingInTheme(const QImage &picture, const Theme &theme) {
  constexpr int lightGround = 225, darkGround = 70;
  const int ground = picture.isNull() ? 128 : qGray(picture.pixel(0, 0));
  if (theme.dark ? ground < lightGround : ground > darkGround)
    return picture;
  QImage turned = picture.convertToFormat(QImage::Format_RGB32);
  const int least = theme.dark ? qGray(theme.canvas.rgb()) : 0;
  for (int y = 0; y < turned.height(); ++y) {
    auto *line = reinterpret_cast<QRgb *>(turned.scanLine(y));
    for (int x = 0; x < turned.width(); ++x) {
      // The negative, with red, green and blue turned so that the hue is the same again.
      const int r = qRed(line[x]), g = qGreen(line[x]), b = qBlue(line[x]);
      const int sum = std::max({r, g, b}) + std::min({r, g, b});
      const auto turn = [&](int channel) { return least + (255 - sum + channel) * (255 - least) / 255; };
      line[x] = qRgb(turn(r), turn(g), turn(b));
    }
  }
  return turned;
}

} // namespace fuselage
