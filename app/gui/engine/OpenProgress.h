// Says on the canvas what a slow opening is at, and lets Esc end it.
#pragma once
#include "app/bridge/EngineSession.h"
#include <QTimer>

class QShortcut;

namespace fuselage {

class GraphScenes;
class GraphView;

/// Watches opening and drawing. Nothing shows until it has taken a moment.
class OpenProgress : public QObject {
  Q_OBJECT
public:
  OpenProgress(EngineSession &session, GraphScenes &graph, GraphView &view);

  /// While there is something that Esc and cancel() end.
  bool isActive() const;
  void cancel();

signals:
  void activeChanged();

private:
  void update();
  QString text() const;

  EngineSession &session_;
  GraphScenes &graph_;
  GraphView &view_;
  QShortcut *escape_;
  QTimer delay_;
  QString phase_;
  bool active_ = false;
};

} // namespace fuselage
