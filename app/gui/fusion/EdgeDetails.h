// The card in Details of the edge that is selected in the graph.
#pragma once
#include "views/messages/DocumentTypes.h"
#include "views/messages/FusionTypes.h"
#include <QObject>

namespace fuselage {

class EdgeCard;
class EngineSession;
class GraphController;

/// Type and bytes, both indexing maps, the verdict with its reasons, and what unlocks the edge.
class EdgeDetails : public QObject {
  Q_OBJECT
public:
  EdgeDetails(EngineSession &session, GraphController &graph, EdgeCard &card, QObject *parent);

  /// `edge` is the one that is judged of those that the selected line stands for; null: nobody judges them. Hides the
  /// card where no line is selected.
  void show(const protocol::FusionEdge *edge, const protocol::FusionReport &report);

private:
  void requestMaps(qint64 from, qint64 to, int operand);
  void showMaps(const QString &written, const QString &read);

  EngineSession &session_;
  GraphController &graph_;
  EdgeCard &card_;
  QString text_; ///< without maps
};

} // namespace fuselage
