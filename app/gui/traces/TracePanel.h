// A trace that is open: its events by name, and over time.
#pragma once
#include "app/gui/traces/TraceModel.h"
#include <QSortFilterProxyModel>
#include <QWidget>

class QLabel;
class QLineEdit;
class QTableView;

namespace fuselage {

class TraceTimeline;

class TracePanel : public QWidget {
  Q_OBJECT
public:
  explicit TracePanel(QWidget *parent = nullptr);

  void setTrace(const protocol::TraceSummary &trace);
  /// Instead of a trace: why there is none. What is shown stays.
  void setMessage(const QString &message);
  QString message() const;
  TraceModel &model() { return model_; }
  QTableView *table() const { return table_; }
  TraceTimeline &timeline() { return *timeline_; }
  QLineEdit *filter() const { return filter_; }
  /// The row of the name; false: there is none.
  bool select(const QString &name);

signals:
  void openRequested();
  /// A row or a piece of the timeline belongs to a step of a recording.
  void stepRequested(int step);

private:
  void selectionChanged();

  TraceModel model_;
  QSortFilterProxyModel sorted_;
  QTableView *table_;
  TraceTimeline *timeline_;
  QLineEdit *filter_;
  QLabel *about_;
};

} // namespace fuselage
