// What notes are about, as graph, text and missed fusions show it.
#include "app/gui/fusion/FusionController.h"
#include "app/gui/graph/GraphController.h"
#include "app/gui/notes/NotesController.h"
#include "app/gui/text/TextController.h"
#include "views/common/Numbers.h"
#include "views/graph/GraphView.h"
#include "views/panels/FusionPanel.h"
#include "views/text/TextView.h"

using namespace Qt::StringLiterals;

namespace fuselage {

/// Whether a note on an edge, or on its group, is about the one of a target.
bool NotesController::isAbout(int row, const Target &target) const {
  const protocol::NotePlace &place = model_.place(row);
  if (place.op == target.op && place.producer == target.producer)
    return true;
  const int edge = fusion_.model().rowOf({.from = target.producer, .to = target.op, .operand = target.operand});
  return model_.notes()[row].group && placesOf(row).contains(edge);
}

/// The rows of the missed fusions that a note on an edge is about: one, or all of its group; none where the edge is not
/// judged on the step on screen.
QList<int> NotesController::placesOf(int row) const {
  const protocol::Note &note = model_.notes()[row];
  const protocol::NotePlace &place = model_.place(row);
  const FusionModel &edges = fusion_.model();
  if (note.kind != protocol::NoteKind::Edge || !place.hasOp || place.snapshot != edges.report().snapshot)
    return {};
  const int edge = edges.rowOf({.from = place.producer, .to = place.op, .operand = note.operand});
  return edge < 0 ? QList<int>() : note.group ? edges.placesOf(edge) : QList<int>{edge};
}

/// What notes say about an edge, those on its group among them.
QStringList NotesController::notesOn(int fusionRow) const {
  QStringList lines;
  for (int row = 0; row < model_.rowCount(); ++row) {
    const QList<int> places = placesOf(row);
    if (!places.contains(fusionRow))
      continue;
    const QString &text = model_.notes()[row].text;
    const QString about = model_.notes()[row].group ? tr("Note on all %1 places").arg(groupedNumber(places.size()))
                                                    : tr("Note on this place");
    lines.append(text.isEmpty() ? about : about + u": "_s + text);
  }
  return lines;
}

/// Badges in the graph, bookmarks beside the lines.
void NotesController::paintMarks() {
  QSet<NodeId> nodes;
  QMap<int, QString> lines;
  GraphView &view = graph_.view();
  for (int row = 0; placed_ == snapshot_ && row < model_.rowCount(); ++row) {
    const protocol::NotePlace &place = model_.place(row);
    const protocol::Note &note = model_.notes()[row];
    if (!place.hasOp || place.shownLine < 0)
      continue;
    const auto badge = [&](NodeId op) { nodes.insert(view.scene().hiddenOps.value(op, op)); };
    badge(place.shownOp);
    for (const int edge : placesOf(row))
      badge(fusion_.model().edgeAt(edge)->to);
    QString &text = lines[place.shownLine];
    text +=
        (text.isEmpty() ? QString() : u"\n\n"_s) + note.label + (note.text.isEmpty() ? QString() : u'\n' + note.text);
  }
  view.setNoted(graph_.scenes().shownSnapshot() == snapshot_ ? nodes : QSet<NodeId>());
  text_.view().setNotedLines(lines);
  fusion_.panel().updateNotes();
  emit linesNoted(lines);
}

} // namespace fuselage
