// Why is there a copy here? The operands with their copies, the lifetimes of buffers, peak memory.
#pragma once
#include "views/models/BufferModel.h"
#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTableView;

namespace fuselage {

class BufferTimeline;
class EmptyHint;
class MemoryBars;

class BuffersPanel : public QWidget {
  Q_OBJECT
public:
  explicit BuffersPanel(BufferModel *model, QWidget *parent = nullptr);

  void setReport(const protocol::BuffersReport &report);
  /// The peaks in front of the step that led to the report's snapshot; nothing: no step did.
  void setBefore(const std::optional<protocol::BufferPeaks> &before);
  /// In place of a report: what is going on, or why there is none.
  void setMessage(const QString &title, const QString &hint);
  /// Selects a row of the model, as the user would.
  void selectRow(int row);
  QTableView *table() const { return table_; }
  BufferTimeline *timeline() const { return timeline_; }
  QLineEdit *filter() const { return filter_; }
  QCheckBox *eachBox() const { return each_; }

signals:
  /// A row of the model; -1: none is selected any more.
  void rowSelected(int row);
  void opActivated(qint64 op);
  /// A reason's code.
  void helpRequested(const QString &reason);

private:
  QWidget *buildTable();
  void showRow(int row);
  void applyFilter();
  void showGroups();
  void summarise();

  BufferModel *model_;
  QSortFilterProxyModel *sorted_;
  QLabel *summary_, *explanation_;
  QLineEdit *filter_;
  QCheckBox *costly_, *each_;
  QTableView *table_;
  EmptyHint *hint_;
  MemoryBars *bars_;
  BufferTimeline *timeline_;
};

} // namespace fuselage
