#include "views/models/RunWords.h"
#include "core/pictures/Roofline.h"
#include "views/models/Format.h"
#include <QCoreApplication>
#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fuselage {

static QString tr(const char *text) { return QCoreApplication::translate("fuselage::RunPanel", text); }

QString deviceText(const protocol::Device &device) {
  return device.name.isEmpty() || device.name == device.id ? device.id : u"%1 \u00b7 %2"_s.arg(device.id, device.name);
}

QList<KernelPart> partsOf(const QList<protocol::Kernel> &kernels) {
  QList<KernelPart> parts(kernels.size());
  for (qsizetype first = 0; first < kernels.size();) {
    qsizetype end = first + 1;
    const protocol::Kernel &kernel = kernels[first];
    while (!kernel.onHost && end < kernels.size() && kernels[end].dispatch == kernel.dispatch &&
           kernels[end].name != kernel.name)
      ++end;
    for (qsizetype row = first; row < end; ++row)
      parts[row] = {.number = int(row - first) + 1, .of = int(end - first)};
    first = end;
  }
  return parts;
}

QString partName(const QString &name, const KernelPart &part) {
  return part.of < 2 ? name : tr("%1 (%2 of %3)").arg(name).arg(part.number).arg(part.of);
}

QString shareCell(const protocol::Limit &limit) {
  if (!limit.isKnown())
    return u"\u2014"_s;
  const QString bound = limit.bound == protocol::ShareBound::AtLeast  ? u"\u2265 "_s
                        : limit.bound == protocol::ShareBound::AtMost ? u"\u2264 "_s
                                                                      : QString();
  const double percent = limit.share * 100;
  return u"%1%2 % %3"_s.arg(bound, QString::number(percent, 'f', percent < 9.95 ? 1 : 0), limit.peak);
}

QString shareSentence(const protocol::Limit &limit) {
  if (!limit.isKnown())
    return {};
  const std::string share = message::shareText(limit.kind, limit.peak.toStdString(), limit.share, limit.bound);
  return tr("%1, which would take %2").arg(QString::fromStdString(share), formatMicroseconds(limit.us));
}

const protocol::Baseline *findBaseline(const protocol::Kernel &kernel, const char *kind) {
  for (const protocol::Baseline &baseline : kernel.baselines)
    if (baseline.kind == QLatin1StringView(kind))
      return &baseline;
  return nullptr;
}

QString histogram(const QList<double> &samples) {
  constexpr int fewest = 5, bins = 16;
  if (samples.size() < fewest)
    return {};
  const auto [least, most] = std::minmax_element(samples.begin(), samples.end());
  const double range = *most - *least;
  int counts[bins] = {};
  for (const double sample : samples)
    ++counts[range > 0 ? std::clamp(int((sample - *least) / range * bins), 0, bins - 1) : 0];
  const int highest = *std::max_element(std::begin(counts), std::end(counts));
  static constexpr char16_t bars[] = u"\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588";
  QString text;
  for (const int count : counts)
    text += count == 0 ? u'\u00b7' : QChar(bars[std::min(7, (count * 8 - 1) / highest)]);
  return text;
}

double slowest(const QList<double> &samples) {
  return samples.isEmpty() ? -1 : *std::max_element(samples.begin(), samples.end());
}

} // namespace fuselage
