#include "views/models/Format.h"
#include <array>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Three significant digits without an exponent.
static QString threeDigits(double value) {
  const double size = std::abs(value);
  const int decimals = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return QString::number(value, 'f', decimals);
}

/// `value` with the largest unit that keeps it at 1 or more.
template <size_t N> static QString scaled(double value, double base, const std::array<QLatin1String, N> &units) {
  size_t unit = 0;
  while (unit + 1 < N && value >= base) {
    value /= base;
    ++unit;
  }
  const bool isWhole = unit == 0 || value == std::floor(value);
  return (isWhole ? QString::number(value, 'f', 0) : threeDigits(value)) + u' ' + units[unit];
}

QString formatBytes(qint64 bytes) {
  static constexpr std::array units{"B"_L1, "KiB"_L1, "MiB"_L1, "GiB"_L1, "TiB"_L1};
  return bytes < 0 ? u"unknown"_s : scaled(double(bytes), 1024, units);
}

QString formatFlops(qint64 flops) {
  static constexpr std::array units{"FLOP"_L1, "kFLOP"_L1, "MFLOP"_L1, "GFLOP"_L1, "TFLOP"_L1};
  return flops < 0 ? u"unknown"_s : scaled(double(flops), 1000, units);
}

QString formatMicroseconds(double us) {
  if (!(us >= 0))
    return u"\u2014"_s;
  if (us < 1000)
    return threeDigits(us) + u" µs"_s;
  return formatMilliseconds(us / 1000);
}

QString formatMilliseconds(double ms) {
  return ms < 1000 ? threeDigits(ms) + u" ms"_s : threeDigits(ms / 1000) + u" s"_s;
}

QString formatSigned(qint64 number) { return number < 0 ? u"\u2212%1"_s.arg(-number) : u"+%1"_s.arg(number); }

QString formatRate(double rate) { return rate < 0 ? u"\u2014"_s : rate == 0 ? u"0"_s : threeDigits(rate); }

QString withoutDirectories(const QString &location) { return location.mid(location.lastIndexOf(u'/') + 1); }

QString formatError(double error) {
  if (std::isnan(error))
    return u"unknown"_s;
  if (std::isinf(error))
    return u"infinite"_s;
  return error == 0 ? u"0"_s : QString::number(error, 'e', 1);
}

} // namespace fuselage
