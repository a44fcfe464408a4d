#include "views/panels/RunSentences.h"
#include "views/common/Numbers.h"
#include "views/models/Format.h"
#include <QCoreApplication>
#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace fuselage {

static QString tr(const char *text) { return QCoreApplication::translate("fuselage::RunPanel", text); }

/// "agrees with the unfused program (max rel error 2.1e-07)"
static QString verdictOf(const protocol::RunReport &report) {
  double worst = report.outputs.isEmpty() ? protocol::unknownNumber : 0;
  for (const protocol::Output &output : report.outputs)
    if (!(output.maxRelError <= worst))
      worst = output.maxRelError;
  const qsizetype wrong =
      std::count_if(report.kernels.begin(), report.kernels.end(), [](const protocol::Kernel &kernel) {
        return !kernel.onHost && kernel.verdict == protocol::RunVerdict::Wrong;
      });
  switch (report.verdict) {
  case protocol::RunVerdict::Ok:
    return tr("agrees with the unfused program (max rel error %1)").arg(formatError(worst));
  case protocol::RunVerdict::Unchecked:
  case protocol::RunVerdict::Wrong:
    if (!report.why.isEmpty())
      return tr("WRONG: %1").arg(report.why);
    return wrong > 0 ? tr("WRONG: %1 differ from the host").arg(counted(wrong, tr("kernel"), tr("kernels")))
                     : tr("WRONG: results differ from the unfused program (max rel error %1)").arg(formatError(worst));
  case protocol::RunVerdict::NotComparable:
    return report.why.isEmpty() ? tr("not comparable: nothing was shown") : tr("not comparable: %1").arg(report.why);
  case protocol::RunVerdict::NothingToRun:
    return report.why.isEmpty() ? tr("nothing to run: no op here makes a kernel")
                                : tr("nothing to run: %1").arg(report.why);
  }
  return {};
}

/// "2 kernels and 1 row on the host, 3.10 ms in total, 4.00 ms from arguments to results"
static QString timesOf(const protocol::RunReport &report) {
  double sum = report.sumUs;
  qsizetype onHost = 0;
  if (sum < 0) { // an engine that does not tell
    sum = 0;
    for (const protocol::Kernel &kernel : report.kernels)
      sum += std::max(0.0, kernel.medianUs) * kernel.calls;
  }
  for (const protocol::Kernel &kernel : report.kernels)
    onHost += kernel.onHost;
  QString text = counted(report.kernels.size() - onHost, tr("kernel"), tr("kernels"));
  if (onHost > 0)
    text += tr(" and %1 on the host").arg(counted(onHost, tr("piece"), tr("pieces")));
  text += tr(", %1 in total").arg(formatMicroseconds(sum));
  if (report.onceUs > 0)
    text += tr(" and %1 once for weights").arg(formatMicroseconds(report.onceUs));
  if (report.wallUs >= 0)
    text += tr(", %1 end to end").arg(formatMicroseconds(report.wallUs));
  return text;
}

/// Of how many times as long the same multiply-adds took after the run as before it.
static QString steadinessOf(double ratio) {
  constexpr double steady = 1.1; // less is what timings scatter by
  if (ratio > steady)
    return tr("the machine slowed down %1\u00d7 during the run: timings are unreliable").arg(ratio, 0, 'f', 2);
  if (ratio < 1 / steady)
    return tr("the machine sped up %1\u00d7 during the run: timings are unreliable").arg(1 / ratio, 0, 'f', 2);
  return tr("the machine kept its speed during the run");
}

/// "a launch alone takes 2.10 us; clocks +0.3 %"; empty where it was not measured.
static QString clocksOf(const protocol::ClockCheck &clocks) {
  QStringList parts;
  if (clocks.launchUs >= 0)
    parts.append(clocks.submitUs >= 0
                     ? tr("a launch that does nothing takes %1, and %2 more on the host")
                           .arg(formatMicroseconds(clocks.launchUs), formatMicroseconds(clocks.submitUs))
                     : tr("a launch that does nothing takes %1").arg(formatMicroseconds(clocks.launchUs)));
  if (clocks.isKnown())
    parts.append(steadinessOf(clocks.lastUs / clocks.firstUs));
  return parts.join(u"; "_s);
}

/// "12.3 s in all: compiling 4.1 s, running 3.0 s, checking 5.0 s; 40 distinct dispatches compiled for 121 dispatches";
/// empty where it is not told.
static QString sharesOf(const protocol::RunShares &shares) {
  if (shares.totalMs() <= 0)
    return {};
  constexpr double microseconds = 1000;
  QStringList parts;
  const auto add = [&](const QString &what, double ms) {
    if (ms >= shares.totalMs() / 100) // the others are not worth a word
      parts.append(u"%1 %2"_s.arg(what, formatMicroseconds(ms * microseconds)));
  };
  // As the timeline groups them.
  add(tr("reading"), shares.readMs + shares.inputsMs + shares.formMs);
  add(tr("compiling"), shares.compileMs);
  add(tr("running"), shares.uploadMs + shares.runMs);
  add(tr("checking"), shares.checkMs);
  QString text = tr("%1 in all: %2").arg(formatMicroseconds(shares.totalMs() * microseconds), parts.join(u", "_s));
  if (shares.uniqueDispatches < shares.dispatches)
    text += tr("; %1 compiled for %2 dispatches")
                .arg(counted(shares.uniqueDispatches, tr("distinct dispatch"), tr("distinct dispatches")))
                .arg(shares.dispatches);
  return text;
}

/// "host: cancelled after 12 of 86 dispatches; of those: 12 kernels, 3.10 ms in total", or what ended the engine, and
/// "12 of 86 dispatches had finished: .."
static QString cancelOf(const protocol::RunReport &report) {
  const protocol::RunCancelled &cancelled = *report.cancelled;
  const QString of = counted(cancelled.of, tr("dispatch"), tr("dispatches"));
  const bool isWrong = report.verdict == protocol::RunVerdict::Wrong;
  if (!isWrong && !report.why.isEmpty() && !report.why.startsWith("cancelled"_L1))
    return tr("%1; %2 of %3 had finished: %4").arg(report.why).arg(cancelled.after).arg(of, timesOf(report));
  const QString text =
      tr("%1: cancelled after %2 of %3; of those: %4").arg(report.device).arg(cancelled.after).arg(of, timesOf(report));
  return isWrong ? tr("%1; WRONG: %2").arg(text, report.why) : text;
}

QString outcomeOf(const protocol::RunReport &report) {
  if (report.cancelled)
    return cancelOf(report);
  QString text = report.kernels.isEmpty() ? tr("%1: %2").arg(report.device, verdictOf(report))
                                          : tr("%1: %2; %3").arg(report.device, timesOf(report), verdictOf(report));
  if (!report.timingNote.isEmpty())
    text += tr("; %1").arg(report.timingNote);
  if (const QString clocks = clocksOf(report.clocks); !clocks.isEmpty())
    text += tr("; %1").arg(clocks);
  if (const QString shares = sharesOf(report.shares); !shares.isEmpty())
    text += tr("; %1").arg(shares);
  return text;
}

namespace {
/// All rows of a run together.
struct Sum {
  double median = 0, min = 0, p95 = 0;
  QString clock; ///< "device", "host", or "mixed"

  explicit Sum(const QList<protocol::Kernel> &kernels) {
    for (const protocol::Kernel &kernel : kernels) {
      if (kernel.once) // computed once for all passes
        continue;
      median += std::max(0.0, kernel.medianUs) * kernel.calls;
      min += std::max(0.0, kernel.minUs) * kernel.calls;
      p95 += std::max(0.0, kernel.p95Us) * kernel.calls;
      clock = clock.isEmpty() || clock == kernel.clock ? kernel.clock : u"mixed"_s;
    }
  }
  /// How far the launches lie apart, in percent of the median.
  int spread() const { return median > 0 ? int(std::lround(100 * (p95 - min) / median)) : 0; }
};
} // namespace

QString comparisonOf(const protocol::RunReport &before, const QString &beforeName, const protocol::RunReport &now,
                     int gone) {
  if (before.kernels.isEmpty() || now.kernels.isEmpty() || now.cancelled)
    return {};
  const Sum then(before.kernels), sum(now.kernels);
  QString text =
      tr("Before (%1): %2 in %3; now: %4 in %5, \u00d7 %6")
          .arg(beforeName, formatMicroseconds(then.median), counted(before.kernels.size(), tr("row"), tr("rows")),
               formatMicroseconds(sum.median), counted(now.kernels.size(), tr("row"), tr("rows")),
               then.median > 0 ? QString::number(sum.median / then.median, 'f', 2) : u"\u2014"_s);
  text += sum.min > then.p95 || sum.p95 < then.min ? tr("; the times lie apart") : tr("; that is within the noise");
  text += tr(" (minimum to 95th percentile: %1 % before, %2 % now)").arg(then.spread()).arg(sum.spread());
  if (then.clock != sum.clock)
    text += tr("; timed by different clocks, %1 and %2").arg(then.clock, sum.clock);
  if (gone > 0)
    text += tr("; merged or removed since: %1").arg(counted(gone, tr("dispatch"), tr("dispatches")));
  return text;
}

} // namespace fuselage
