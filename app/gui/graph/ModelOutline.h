// The parts of the model on screen: where an op is, and which part a name means.
#pragma once
#include "app/bridge/EngineSession.h"
#include "views/common/SceneData.h"
#include "views/messages/DocumentTypes.h"
#include <QHash>

namespace fuselage {

class ModelOutline : public QObject {
  Q_OBJECT
public:
  explicit ModelOutline(EngineSession &session, QObject *parent = nullptr);

  /// Asks for the parts of a snapshot, unless they are here.
  void request(int snapshot);
  void clear();
  /// The module, functions, scopes, dispatches and ops; empty until changed().
  const QList<protocol::OutlineRow> &rows() const { return rows_; }
  bool hasScopes() const { return hasScopes_; }
  /// The rows around a node or cluster of the graph, from the module on, the scope that it is included; dispatches and
  /// ops are left out. Empty: it is none of the model.
  QList<int> pathTo(NodeId id) const;
  QList<int> pathOfRow(int row) const;
  /// Scopes whose names end in the words of the pattern, in order, with anything between them but before numbers:
  /// "layer.3.attention", "layer 3 attention", "go to layer 7's attention", "attention of layer 7".
  QList<int> find(const QString &pattern) const;

signals:
  void changed();

private:
  QList<int> rowsCalled(const QStringList &words) const;
  static QStringList wordsOf(const QString &text);
  bool isScope(int row) const;

  EngineSession &session_;
  int snapshot_ = -1;
  bool hasScopes_ = false;
  QList<protocol::OutlineRow> rows_;
  QHash<NodeId, int> rowOf_; ///< by cluster, and by node where that is none
};

} // namespace fuselage
