#include "views/panels/FusionEvidence.h"
#include "views/common/Numbers.h"
#include "views/common/Theme.h"
#include "views/models/Format.h"
#include "views/models/FusionModel.h"
#include "views/models/ReasonWords.h"
#include "views/widgets/EmptyHint.h"
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace fuselage {

static QString link(const QString &target, const QString &text) {
  return u"<a href='%1'>%2</a>"_s.arg(target, text.toHtmlEscaped());
}

/// A link to an op by the name that the graph has for it, else by `op`, else by its number.
static QString opLink(qint64 id, const QString &op, const OpNames &names) {
  QString name = names(id);
  if (name.isEmpty())
    name = op.isEmpty() ? FusionModel::tr("op %1").arg(id) : op;
  return link(u"op:%1"_s.arg(id), name);
}

static QString coloured(const QString &text, const QColor &colour) {
  return u"<span style='color:%1'>%2</span>"_s.arg(colour.name(), text.toHtmlEscaped());
}

/// Where the results of "(d0, d1) -> (d1, d0)" are divided: at commas outside of brackets.
static QStringList splitResults(const QString &text) {
  QStringList parts{QString()};
  int depth = 0;
  for (const QChar c : text) {
    depth += c == u'(' ? 1 : c == u')' ? -1 : 0;
    if (c == u',' && depth == 0)
      parts.append(QString());
    else
      parts.last() += c;
  }
  return parts;
}

/// The dimensions of "(d0, d1, d2)" that a text does not name.
static QStringList missingDimensions(const QString &loops, const QString &results) {
  static const QRegularExpression dimension(u"\\bd\\d+\\b"_s);
  QStringList missing;
  for (auto matches = dimension.globalMatch(loops); matches.hasNext();) {
    const QString name = matches.next().captured();
    if (!QRegularExpression(u"\\b%1\\b"_s.arg(name)).match(results).hasMatch())
      missing.append(name);
  }
  return missing;
}

QString mapToHtml(const QString &map, int lit, const QPalette &palette) {
  const qsizetype arrow = map.indexOf(u"-> ("_s);
  if (arrow < 0)
    return map.toHtmlEscaped();
  const Theme &theme = Theme::of(palette);
  const QString style =
      u"background-color:%1;color:%2;font-weight:bold"_s.arg(theme.match.name(), readableOn(theme.match).name());
  const auto light = [&](const QString &text) {
    return u"<span style='%1'>&nbsp;%2&nbsp;</span>"_s.arg(style, text.toHtmlEscaped());
  };
  QStringList results = splitResults(map.mid(arrow + 4).chopped(1));
  QString loops = map.left(arrow).toHtmlEscaped();
  const auto lightLoop = [&](const QString &name) {
    loops.replace(QRegularExpression(u"\\b%1\\b"_s.arg(name)), light(name));
  };
  if (lit == unusedLoops)
    for (const QString &name : missingDimensions(map.left(arrow), map.mid(arrow)))
      lightLoop(name);
  for (int i = 0; i < results.size(); ++i) {
    const QString result = results[i].trimmed();
    results[i] = i == lit ? light(result) : result.toHtmlEscaped();
    if (i != lit)
      continue;
    static const QRegularExpression dimension(u"\\bd\\d+\\b"_s);
    for (auto matches = dimension.globalMatch(result); matches.hasNext();)
      lightLoop(matches.next().captured());
  }
  return loops + u"&rarr; ("_s + results.join(u", "_s) + u')';
}

/// "saves 36.0 MiB in all 8 places; here 4.50 MiB, 9.4 µs at 500 GB/s, 13.6 % of all that is moved"
static QString costText(const protocol::FusionEdge &edge, const protocol::FusionReport &report) {
  if (edge.bytes < 0)
    return FusionModel::tr("cost unknown: a size is dynamic");
  if (edge.bytes == 0)
    return FusionModel::tr(
        "nothing would be saved: the value is stored for other readers anyway, or is only viewed differently");
  const protocol::FusionGroup group = report.groups.value(edge.group);
  QString text = group.edges.size() > 1 && group.bytes >= 0
                     ? FusionModel::tr("saves %1 in all %2 places; here %3")
                           .arg(formatBytes(group.bytes), groupedNumber(group.edges.size()), formatBytes(edge.bytes))
                     : FusionModel::tr("saves %1").arg(formatBytes(edge.bytes));
  if (edge.microseconds >= 0)
    text += FusionModel::tr(", %1 at %2 GB/s").arg(formatMicroseconds(edge.microseconds), formatRate(report.gbps));
  if (edge.share >= 0)
    text += FusionModel::tr(", %1 of all that is moved").arg(shareText(edge.share));
  return text;
}

/// The first dimension of a value that two maps read and write differently; -1: none.
static int clashOf(const QString &producer, const QString &consumer) {
  const auto resultsOf = [](const QString &map) {
    const qsizetype arrow = map.indexOf(u"-> ("_s);
    return arrow < 0 ? QStringList() : splitResults(map.mid(arrow + 4).chopped(1));
  };
  const QStringList written = resultsOf(producer), read = resultsOf(consumer);
  for (qsizetype i = 0; i < std::min(written.size(), read.size()); ++i)
    if (written[i].trimmed() != read[i].trimmed())
      return int(i);
  return -1;
}

/// Both maps under each other, with the dimension of the value lit in which they clash; of a single map without one,
/// the loops that it leaves out.
static QString mapsToHtml(const protocol::FusionEvidence &evidence, const QPalette &palette) {
  if (evidence.producerMap.isEmpty() && evidence.consumerMap.isEmpty())
    return {};
  const bool areTwo = !evidence.producerMap.isEmpty() && !evidence.consumerMap.isEmpty();
  const int clash = evidence.clash >= 0 ? evidence.clash
                    : areTwo            ? clashOf(evidence.producerMap, evidence.consumerMap)
                                        : unusedLoops;
  QString html = u"<table cellspacing='0' cellpadding='2'>"_s;
  const auto row = [&](const QString &what, const QString &map) {
    if (!map.isEmpty())
      html += u"<tr><td style='color:%1'>%2&nbsp;</td><td><code>%3</code></td></tr>"_s.arg(
          mutedText(palette).name(), what.toHtmlEscaped(), mapToHtml(map, clash, palette));
  };
  row(FusionModel::tr("producer writes"), evidence.producerMap);
  row(FusionModel::tr("consumer reads"), evidence.consumerMap);
  return html + u"</table>"_s;
}

static QString evidenceToHtml(const protocol::FusionEvidence &evidence, const OpNames &names, const QPalette &palette) {
  QString html = mapsToHtml(evidence, palette);
  QStringList lines;
  if (evidence.culprit >= 0)
    lines.append(FusionModel::tr("because of %1").arg(opLink(evidence.culprit, evidence.culpritOp, names)));
  if (!evidence.users.isEmpty()) {
    QStringList users;
    for (const qint64 user : evidence.users)
      users.append(opLink(user, {}, names));
    lines.append(FusionModel::tr("also read by %1").arg(users.join(u", "_s)));
  }
  if (evidence.count >= 0 && evidence.limit >= 0)
    lines.append(FusionModel::tr("%1, where at most %2 are allowed").arg(evidence.count).arg(evidence.limit));
  else if (evidence.count >= 0)
    lines.append(FusionModel::tr("%1 of them").arg(evidence.count));
  if (!lines.isEmpty())
    html += u"<div>%1</div>"_s.arg(lines.join(u"<br>"_s));
  return html;
}

static QString reasonToHtml(const protocol::FusionReason &reason, const OpNames &names, const QPalette &palette) {
  const QString page = reason.kind.isEmpty() ? reason.code : reason.kind;
  QString html = u"<p style='margin-bottom:2px'><span title='%1'><b>%2</b></span>&nbsp; %3<br>%4."_s.arg(
      page, reasonWords(page).toHtmlEscaped(), link(u"why:"_s + page, FusionModel::tr("Why?")),
      reason.sentence.toHtmlEscaped());
  // The evidence says the same, only better.
  const QString evidence = evidenceToHtml(reason.evidence, names, palette);
  if (evidence.isEmpty() && !reason.detail.isEmpty())
    html += u"<br>"_s + coloured(reason.detail, mutedText(palette));
  return html + u"</p>"_s + evidence;
}

QString describeEdge(const protocol::FusionEdge &edge, const protocol::FusionReport &report, const OpNames &names,
                     const QPalette &palette) {
  const Theme &theme = Theme::of(palette);
  QString html = u"<p>%1 &rarr; %2<br><b>%3</b>"_s.arg(opLink(edge.from, opText(edge.fromOp, edge.fromLoc), names),
                                                       opLink(edge.to, opText(edge.toOp, edge.toLoc), names),
                                                       coloured(verdictText(edge), theme.fusion(markOf(edge))));
  html += u"<br>"_s + coloured(edge.type, mutedText(palette));
  if (edge.missed)
    html += u"<br>"_s + costText(edge, report).toHtmlEscaped();
  html += u"</p>"_s;
  if (isDecided(edge))
    return html + u"<p>"_s +
           FusionModel::tr(
               "The dispatches are formed here. What is fused was decided in an earlier step: %1 (Ctrl+Shift+G).")
               .arg(link(u"decided:"_s, FusionModel::tr("show the edge there"))) +
           u"</p>"_s;
  for (const protocol::FusionReason &reason : edge.reasons)
    html += reasonToHtml(reason, names, palette);
  if (!edge.tried.isEmpty() && edge.unlocks.isEmpty())
    html += FusionModel::tr("<p><b>Tried without success</b> in each of the equal places: %1</p>")
                .arg(edge.tried.join(u", "_s).toHtmlEscaped());
  if (edge.state == protocol::FusionState::NotTried)
    html += FusionModel::tr("<p>No transform was tried yet. Ctrl+E tries them.</p>");
  if (edge.missed)
    html += u"<p>%1</p>"_s.arg(FusionModel::tr("Patterns of passes on %1: %2, %3")
                                   .arg(opText(edge.toOp, edge.toLoc).toHtmlEscaped(),
                                        link(u"tried:%1"_s.arg(edge.to), FusionModel::tr("what the step tried")),
                                        link(u"patterns:%1"_s.arg(edge.to), FusionModel::tr("what would apply now"))));
  if (edge.unlocks.isEmpty())
    return html;
  QStringList unlocks;
  for (const QString &name : edge.unlocks)
    unlocks.append(link(u"apply:"_s + name, name));
  return html +
         FusionModel::tr(
             "<p><b>Unlocked by</b> (each was tried, and fuses the edge alone; a click runs it as a step)<br>%1</p>")
             .arg(unlocks.join(u", "_s));
}

QString summarizeEdge(const protocol::FusionEdge &edge, const protocol::FusionReport &report, const QPalette &palette) {
  const Theme &theme = Theme::of(palette);
  QString html = u"<b>%1</b>"_s.arg(coloured(verdictText(edge), theme.fusion(markOf(edge))));
  html += u"<br>%1 &rarr; %2<br>%3"_s.arg(opText(edge.fromOp, edge.fromLoc).toHtmlEscaped(),
                                          opText(edge.toOp, edge.toLoc).toHtmlEscaped(), edge.type.toHtmlEscaped());
  if (edge.reasons.isEmpty())
    return html;
  const protocol::FusionReason &reason = edge.reasons.first();
  html += u"<p><b>%1</b> %2<br>%3.</p>"_s.arg(reasonWords(reasonPageOf(edge)).toHtmlEscaped(),
                                              coloured(reasonText(edge), mutedText(palette)),
                                              reason.sentence.toHtmlEscaped());
  if (!reason.detail.isEmpty())
    html += u"<p>%1</p>"_s.arg(reason.detail.toHtmlEscaped());
  html += mapsToHtml(reason.evidence, palette);
  if (!edge.unlocks.isEmpty())
    html += u"<p>%1</p>"_s.arg(FusionModel::tr("unlocked by %1").arg(edge.unlocks.join(u", "_s)).toHtmlEscaped());
  else if (!edge.tried.isEmpty())
    html += u"<p>%1</p>"_s.arg(FusionModel::tr("tried: %1").arg(edge.tried.join(u", "_s)).toHtmlEscaped());
  return html + u"<p>%1</p>"_s.arg(costText(edge, report).toHtmlEscaped());
}

} // namespace fuselage
