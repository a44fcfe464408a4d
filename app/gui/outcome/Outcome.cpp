#include "app/gui/outcome/Outcome.h"
#include "views/common/Numbers.h"
#include "views/models/Format.h"
#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace fuselage {

using Tone = OutcomeRow::Tone;

static QString tr(const char *text) { return QCoreApplication::translate("fuselage::Outcome", text); }

static QString unknown() { return u"\u2014"_s; }

/// "−45.2 %"; an em dash where it is unknown.
static QString percent(double before, double after) {
  if (!(before > 0) || !(after >= 0))
    return unknown();
  const double change = 100 * (after / before - 1);
  return (change < 0 ? u"\u2212"_s : u"+"_s) + QString::number(std::abs(change), 'f', 1) + u" %"_s;
}

static Tone toneOf(double before, double after) {
  return before < 0 || after < 0 || before == after ? Tone::None : after < before ? Tone::Better : Tone::Worse;
}

/// Dispatches of ops that have none any more, such as those of a device's language, are not there to be counted.
static bool isCounted(const OutcomeSide &side) { return side.cost && side.cost->dispatches > 0; }

static QString countOf(const OutcomeSide &side) {
  return isCounted(side) ? groupedNumber(side.cost->dispatches) : unknown();
}

static OutcomeRow dispatchRow(const Outcome &outcome) {
  OutcomeRow row{.what = tr("Dispatches"),
                 .before = countOf(outcome.before),
                 .after = countOf(outcome.after),
                 .change = unknown(),
                 .how = {}};
  if (!isCounted(outcome.before) || !isCounted(outcome.after)) {
    if (outcome.before.cost && outcome.after.cost)
      row.how = tr("a step without ops on tensors has none to count");
    return row;
  }
  const qint64 before = outcome.before.cost->dispatches, after = outcome.after.cost->dispatches;
  row.change = before == after ? tr("same") : formatSigned(after - before);
  row.tone = toneOf(double(before), double(after));
  return row;
}

static OutcomeRow byteRow(const Outcome &outcome) {
  // No dispatch moves nothing: such ones are lowered to ops whose operands have no shapes.
  const auto bytesOf = [](const OutcomeSide &side) {
    return isCounted(side) && side.cost->bytes > 0 ? side.cost->bytes : -1;
  };
  const auto isAtMost = [](const OutcomeSide &side) { return isCounted(side) && side.cost->bytesAtMost; };
  const auto text = [&](const OutcomeSide &side) {
    return bytesOf(side) < 0 ? unknown() : (isAtMost(side) ? u"\u2264 "_s : QString()) + formatBytes(bytesOf(side));
  };
  OutcomeRow row{.what = tr("Bytes moved"),
                 .before = text(outcome.before),
                 .after = text(outcome.after),
                 .change = unknown(),
                 .how = tr("both counted by the types of all dispatches, as in graph and outline")};
  if (isAtMost(outcome.before) || isAtMost(outcome.after)) {
    row.how = tr("at most: data decides how much is read");
    return row;
  }
  const qint64 before = bytesOf(outcome.before), after = bytesOf(outcome.after);
  if (before < 0 || after < 0) {
    if (isCounted(outcome.before) && isCounted(outcome.after))
      row.how = tr("not known: some sizes are dynamic, or the ops are lowered");
    return row;
  }
  row.change = before == after ? tr("same") : percent(double(before), double(after));
  row.tone = toneOf(double(before), double(after));
  return row;
}

static OutcomeRow launchRow(const Outcome &outcome) {
  const auto text = [](const OutcomeSide &side) {
    return side.run                                      ? groupedNumber(side.run->run.launches)
           : isCounted(side) && side.cost->launches >= 0 ? u"\u2265 "_s + groupedNumber(side.cost->launches)
                                                         : unknown();
  };
  OutcomeRow row{.what = tr("Launches"),
                 .before = text(outcome.before),
                 .after = text(outcome.after),
                 .change = unknown(),
                 .how = tr("at least one for each call of a dispatch in one pass; a run counts them")};
  if (outcome.hasBothRuns()) {
    const qint64 before = outcome.before.run->run.launches, after = outcome.after.run->run.launches;
    row.change = before == after ? tr("same") : formatSigned(after - before);
    row.tone = toneOf(double(before), double(after));
    row.how = tr("kernels of one pass, counted in the runs");
  }
  return row;
}

static OutcomeRow predictedRow(const Outcome &outcome) {
  const auto us = [](const OutcomeSide &side) { return isCounted(side) ? side.cost->predictedUs : -1; };
  OutcomeRow row{.what = tr("Predicted time"),
                 .before = formatMicroseconds(us(outcome.before)),
                 .after = formatMicroseconds(us(outcome.after)),
                 .change = percent(us(outcome.before), us(outcome.after)),
                 .how = {},
                 .tone = toneOf(us(outcome.before), us(outcome.after))};
  const protocol::StepCost *cost = outcome.after.cost    ? &*outcome.after.cost
                                   : outcome.before.cost ? &*outcome.before.cost
                                                         : nullptr;
  if (us(outcome.before) < 0 && us(outcome.after) < 0)
    row.how = tr("not known where bytes are not");
  else if (cost)
    row.how = tr("launches and memory alone, each dispatch once; %1")
                  .arg(cost->prediction == "assumed"_L1 ? tr("rates are assumed") : cost->prediction);
  return row;
}

static OutcomeRow measuredRow(const Outcome &outcome) {
  OutcomeRow row{.what = tr("Measured time"), .before = unknown(), .after = unknown(), .change = unknown()};
  if (!outcome.hasBothRuns() && outcome.times) {
    const protocol::FuseTimes &times = *outcome.times;
    row.before = formatMicroseconds(times.before);
    row.after = formatMicroseconds(times.after);
    const bool isNoise = std::abs(times.before - times.after) <= times.noise;
    row.change = isNoise ? tr("within noise") : percent(times.before, times.after);
    row.tone = isNoise ? Tone::None : toneOf(times.before, times.after);
    row.how = tr("least readings of each dispatch, by turns on %1; noise %2")
                  .arg(times.device, formatMicroseconds(times.noise));
    return row;
  }
  for (const auto &[side, cell] : {std::pair(&outcome.before, &row.before), std::pair(&outcome.after, &row.after)})
    if (side->run)
      *cell = formatMicroseconds(side->run->run.total().median);
  if (!outcome.hasBothRuns()) {
    row.how = tr("not measured yet: Measure Both runs both steps on %1").arg(outcome.device);
    return row;
  }
  const TimeRange before = outcome.before.run->run.total(), after = outcome.after.run->run.total();
  const bool isKnown = before.isKnown() && after.isKnown();
  const bool isNoise = isKnown && before.overlaps(after);
  row.change = isNoise ? tr("within noise") : percent(before.median, after.median);
  row.tone = isNoise ? Tone::None : toneOf(before.median, after.median);
  const auto range = [](const TimeRange &us) {
    return tr("%1 to %2").arg(formatMicroseconds(us.low), formatMicroseconds(us.high));
  };
  row.how = tr("medians of one pass on %1; minimum to 95th percentile %2 before, %3 after")
                .arg(QString::fromStdString(outcome.after.run->run.device), range(before), range(after));
  return row;
}

/// What runs say: their kernels compute what the step does. That says nothing of the step itself.
static QString kernelsText(const Outcome &outcome) {
  QStringList wrong;
  for (const OutcomeSide *side : {&outcome.before, &outcome.after})
    if (side->run && !side->run->run.isOk)
      wrong.append(side->name);
  if (!wrong.isEmpty())
    return tr("the kernels of %1 do not agree with the host").arg(wrong.join(u", "_s));
  return outcome.hasBothRuns() ? tr("on %1 the kernels of both agree with the host")
                                     .arg(QString::fromStdString(outcome.after.run->run.device))
                               : QString();
}

static OutcomeRow verifiedRow(const Outcome &outcome) {
  OutcomeRow row{.what = tr("Verified"), .before = {}, .after = tr("not yet"), .change = {}};
  if (outcome.check && outcome.check->checked) {
    row.before = tr("reference");
    row.after = outcome.check->ok ? tr("yes") : tr("WRONG");
    row.tone = outcome.check->ok ? Tone::Better : Tone::Worse;
    row.how = tr("the host ran both steps: max abs error %1, max rel error %2")
                  .arg(formatError(outcome.check->maxAbsError), formatError(outcome.check->maxRelError));
  } else {
    row.how = outcome.check ? tr("not compared with the step before: %1").arg(outcome.check->note)
                            : tr("recorded passes are not compared with the step before");
  }
  if (const QString kernels = kernelsText(outcome); !kernels.isEmpty()) {
    row.how += tr("; %1").arg(kernels);
    const bool isOk =
        (!outcome.before.run || outcome.before.run->run.isOk) && (!outcome.after.run || outcome.after.run->run.isOk);
    if (!isOk) {
      row.after = tr("WRONG");
      row.tone = Tone::Worse;
    } else if (!outcome.check || !outcome.check->checked) {
      row.after = tr("kernels only");
    }
  }
  return row;
}

QList<OutcomeRow> rowsOf(const Outcome &outcome) {
  return {dispatchRow(outcome),  byteRow(outcome),     launchRow(outcome),
          predictedRow(outcome), measuredRow(outcome), verifiedRow(outcome)};
}

} // namespace fuselage
