#include "views/tuning/OutcomeText.h"
#include "core/pictures/Roofline.h"
#include "views/common/Numbers.h"
#include "views/models/Format.h"
#include "views/models/trials/TrialModel.h"
#include "views/tuning/TuneItemModel.h"
#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace fuselage {

static QString tr(const char *text) { return QCoreApplication::translate("OutcomeText", text); }

/// "5 of 12 dispatches are faster beyond the noise; ..."; empty: nothing was measured.
static QString sumOf(const protocol::TunePlan &plan) {
  int measured = 0, faster = 0;
  double before = 0, after = 0;
  for (const protocol::TuneItem &item : plan.items) {
    if (item.baselineUs <= 0 || item.bestUs <= 0)
      continue;
    const bool isFaster = item.outcome && item.outcome->isFaster;
    ++measured;
    faster += isFaster;
    before += item.calls * item.baselineUs;
    after += item.calls * (isFaster ? item.baselineUs / speedOf(item) : item.baselineUs);
  }
  return measured == 0 ? QString()
                       : tr("%1 of %2 dispatches are faster beyond the noise; all "
                            "calls of the %2 together: %3 by default, %4 tuned")
                             .arg(faster)
                             .arg(measured)
                             .arg(formatMicroseconds(before), formatMicroseconds(after));
}

/// "with the best it reaches 41 % of the memory peak, by default 17 % ..."; empty: it is not known.
static QString peakSentence(const protocol::TuneItem &item) {
  const auto share = [&item](double us) {
    return QString::fromStdString(
        message::shareText(item.limit.kind, item.limit.peak.toStdString(), item.limit.us / us, item.limit.bound));
  };
  if (!item.limit.isKnown() || item.bestUs <= 0 || item.baselineUs <= 0)
    return {};
  if (item.bestUs == item.baselineUs)
    return tr("it reaches %1").arg(share(item.bestUs));
  return tr("with the best it reaches %1, by default %2").arg(share(item.bestUs), share(item.baselineUs));
}

/// Of the only item of the plan.
static QStringList wordsOf(const protocol::TuneOutcome &outcome, const QList<protocol::TuneItem> &items) {
  QStringList words;
  if (!outcome.best.isEmpty())
    words.append(tr("Best: %1").arg(pointText(outcome.best)));
  if (!outcome.sentence.isEmpty())
    words.append(outcome.ratio > 0 ? tr("measured again, %1").arg(outcome.sentence) : QString(outcome.sentence));
  if (const QString peak = items.isEmpty() ? QString() : peakSentence(items.first()); !peak.isEmpty())
    words.append(peak);
  if (!outcome.drift.isEmpty())
    words.append(outcome.drift);
  if (outcome.isExhausted)
    words.append(tr("all points were tried"));
  if (outcome.reused > 0)
    words.append(tr("%1 from the journal").arg(counted(outcome.reused, tr("trial"), tr("trials"))));
  if (!outcome.stopped.isEmpty())
    words.append(outcome.stopped == "cancelled"_L1 ? tr("cancelled") : tr("stopped: %1").arg(outcome.stopped));
  if (!outcome.written.isEmpty())
    words.append(tr("runs use it from now on (%1)").arg(outcome.written));
  return words;
}

QString notesText(const protocol::TuneProgress &progress, const QString &peaks) {
  QStringList lines;
  if (!peaks.isEmpty())
    lines.append(tr("The peaks of the device are unknown: %1").arg(peaks));
  if (progress.plan.items.size() < 2)
    lines.append(progress.notes);
  else if (progress.isRunning && !progress.notes.isEmpty()) // each dispatch has its own
    lines.append(progress.notes.last());
  return lines.join(u'\n');
}

QString outcomeText(const protocol::TuneProgress &progress) {
  const QList<protocol::TuneItem> &items = progress.plan.items;
  if (items.size() < 2)
    return wordsOf(*progress.outcome, items).join(u"; "_s);
  QStringList words{sumOf(progress.plan), progress.problem};
  words.removeAll(QString());
  return words.join(u"; "_s);
}

} // namespace fuselage
