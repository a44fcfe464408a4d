// What each interface method made when the op was really tiled: a list to step through.
#pragma once
#include "views/messages/TileTypes.h"
#include <QWidget>

class QListWidget;
class QPlainTextEdit;
class QPushButton;

namespace fuselage {

class TileTraceView : public QWidget {
  Q_OBJECT
public:
  explicit TileTraceView(QWidget *parent = nullptr);
  void setTrace(const protocol::TileTrace &trace);
  void setMessage(const QString &message);
  /// Nothing was tiled yet at these sizes.
  void clear();
  bool isEmpty() const { return trace_.events.isEmpty(); }
  int currentEvent() const;
  void setCurrentEvent(int event);
  QString shownText() const;
  void setCanTrace(bool can);

signals:
  void traceRequested();
  /// The value whose slice the event computes; empty: of the op itself.
  void eventSelected(const QString &value);

private:
  void describeEvent(int event);
  protocol::TileTrace trace_;
  QPushButton *button_;
  QListWidget *list_;
  QPlainTextEdit *text_;
};

} // namespace fuselage
