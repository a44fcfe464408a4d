// Which steps introduced, changed or removed something, and the way there.
#pragma once
#include <QWidget>

class QLabel;
class QProgressBar;
class QTableView;
class QToolButton;

namespace fuselage {

class EmptyHint;
class HistoryModel;

class HistoryPanel : public QWidget {
  Q_OBJECT
public:
  explicit HistoryPanel(HistoryModel *model, QWidget *parent = nullptr);

  QTableView *table() const { return table_; }
  /// What is followed, and what came of it so far.
  void setHeadline(const QString &subject, const QString &state);
  /// 0 of 0: nobody searches.
  void setProgress(int done, int total);
  /// What the table says while it has no rows.
  void setEmptyText(const QString &title, const QString &hint);

signals:
  /// A row is selected.
  void rowChosen(int row);
  void cancelRequested();

private:
  HistoryModel *model_;
  QLabel *subject_, *state_;
  QProgressBar *progress_;
  QToolButton *cancel_;
  QTableView *table_;
  EmptyHint *hint_;
};

} // namespace fuselage
