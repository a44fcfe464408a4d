#include "app/gui/fusion/EdgeDetails.h"
#include "app/gui/graph/GraphController.h"
#include "core/protocol/methods/OpMethods.h"
#include "views/common/Numbers.h"
#include "views/graph/GraphView.h"
#include "views/models/Format.h"
#include "views/panels/FusionEvidence.h"
#include "views/widgets/EdgeCard.h"

using namespace Qt::StringLiterals;

namespace fuselage {

EdgeDetails::EdgeDetails(EngineSession &session, GraphController &graph, EdgeCard &card, QObject *parent)
    : QObject(parent), session_(session), graph_(graph), card_(card) {}

static bool hasMaps(const protocol::FusionEdge &edge) {
  return std::any_of(edge.reasons.begin(), edge.reasons.end(), [](const protocol::FusionReason &reason) {
    return !reason.evidence.producerMap.isEmpty() || !reason.evidence.consumerMap.isEmpty();
  });
}

void EdgeDetails::show(const protocol::FusionEdge *edge, const protocol::FusionReport &report) {
  const GraphView &view = graph_.view();
  const SceneData &scene = view.scene();
  text_.clear();
  if (view.currentEdge() < 0) {
    card_.setText({});
    return;
  }
  const EdgeData &line = scene.edges[view.currentEdge()];
  const int snapshot = scene.snapshot;
  const OpNames names = [this, snapshot](qint64 op) { return graph_.scenes().nameOf(snapshot, op); };
  const auto link = [&](qint64 op) { return u"<a href='op:%1'>%2</a>"_s.arg(op).arg(names(op).toHtmlEscaped()); };
  text_ = edge ? describeEdge(*edge, report, names, card_.palette())
               : u"<p>%1 &rarr; %2<br>%3</p>"_s.arg(link(line.from), link(line.to), line.label.toHtmlEscaped());
  if (line.bytes >= 0)
    text_ += u"<p>%1</p>"_s.arg(tr("The value has %1.").arg(formatBytes(line.bytes)));
  if (line.uses.size() > 1)
    text_ += u"<p>%1</p>"_s.arg(tr("The line stands for %1 uses of values.").arg(groupedNumber(line.uses.size())));
  card_.setText(text_);
  if (edge && hasMaps(*edge))
    return; // with the clash, among the reasons
  const EdgeUse use = edge                  ? EdgeUse{.from = edge->from, .to = edge->to, .operand = edge->operand}
                      : line.uses.isEmpty() ? EdgeUse{.from = line.from, .to = line.to, .operand = -1}
                                            : line.uses.first();
  requestMaps(use.from, use.to, use.operand);
}

/// How the producer writes the value, and how the consumer reads it.
void EdgeDetails::requestMaps(qint64 from, qint64 to, int operand) {
  const int snapshot = graph_.view().scene().snapshot;
  const auto stays = [this, text = text_] { return !text.isEmpty() && text == text_; };
  session_.client().call<method::OpDetails>(
      {.snapshot = snapshot, .id = from}, this,
      [=, this](const protocol::OpDetails &producer) {
        if (!stays())
          return;
        const QString written = producer.maps.isEmpty() ? QString() : producer.maps.last();
        session_.client().call<method::OpDetails>(
            {.snapshot = snapshot, .id = to}, this,
            [=, this](const protocol::OpDetails &consumer) {
              if (stays())
                showMaps(written, consumer.maps.value(operand));
            },
            [](const protocol::Error &) {}, u"edge-to"_s);
      },
      [](const protocol::Error &) {}, u"edge-from"_s);
}

void EdgeDetails::showMaps(const QString &written, const QString &read) {
  QString maps;
  const auto add = [&](const QString &how, const QString &map) {
    if (!map.isEmpty())
      maps +=
          u"<tr><td>%1&nbsp;&nbsp;</td><td><code>%2</code></td></tr>"_s.arg(how, mapToHtml(map, -1, card_.palette()));
  };
  add(tr("written"), written);
  add(tr("read"), read);
  if (maps.isEmpty())
    return;
  // Below what the value is, before the reasons.
  constexpr QLatin1String end("</p>");
  const qsizetype place = text_.indexOf(end) + end.size();
  card_.setText(text_.left(place) + u"<table>%1</table>"_s.arg(maps) + text_.mid(place));
}

} // namespace fuselage
