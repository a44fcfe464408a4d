#include "views/tuning/TuneRoofline.h"

using namespace Qt::StringLiterals;

namespace fuselage {

/// The same work in another time.
static protocol::Kernel kernelOf(const protocol::TuneItem &item, double us) {
  protocol::Kernel kernel;
  kernel.dispatch = item.name.startsWith(u'@') ? item.name.mid(1) : item.name;
  kernel.name = kernel.dispatch;
  kernel.loc = item.name; // what is the same before and now
  kernel.verdict = protocol::RunVerdict::Ok;
  kernel.medianUs = us;
  kernel.flops = item.flops;
  kernel.bytes = item.bytes;
  kernel.gbpsAtMost = item.bytesAtMost;
  kernel.arithmetic = item.arithmetic;
  kernel.limit = item.limit;
  if (kernel.limit.isKnown())
    kernel.limit.share = kernel.limit.us / us;
  return kernel;
}

TuneRoofline rooflineOf(const protocol::TunePlan &plan, const std::optional<protocol::DevicePeaks> &peaks) {
  TuneRoofline chart;
  chart.best.peaks = peaks;
  for (int i = 0; i < plan.items.size(); ++i) {
    const protocol::TuneItem &item = plan.items[i];
    if (item.bestUs <= 0 || item.baselineUs <= 0)
      continue;
    chart.rows.append(i);
    chart.best.kernels.append(kernelOf(item, item.bestUs));
    chart.byDefault.kernels.append(kernelOf(item, item.baselineUs));
  }
  return chart;
}

} // namespace fuselage
