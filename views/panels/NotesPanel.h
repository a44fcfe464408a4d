// Bookmarks and notes: a list that leads to them, and the words of the selected one to edit.
#pragma once
#include "views/models/NotesModel.h"
#include <QWidget>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QTableView;

namespace fuselage {

class NotesPanel : public QWidget {
  Q_OBJECT
public:
  explicit NotesPanel(NotesModel *model, QWidget *parent = nullptr);

  /// Of the model; -1: none.
  int currentRow() const;
  /// Selects a note, which a filter does not hide then; `edits`: the keyboard goes to its words.
  void setCurrentRow(int row, bool edits);
  /// Where the notes are kept, when that is not where one looks for them.
  void setPlace(const QString &sentence);
  QTableView *table() const { return table_; }
  QPlainTextEdit *editor() const { return editor_; }
  QLineEdit *filterEdit() const { return filterEdit_; }

signals:
  /// Double click or Return: go there.
  void activated(int row);
  void removeRequested(int row);

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void showCurrent();
  void showMenu(const QPoint &position);
  int sourceRow(const QModelIndex &index) const;

  NotesModel *model_;
  NotesFilter filter_;
  QLineEdit *filterEdit_;
  QTableView *table_;
  QPlainTextEdit *editor_;
  QLabel *place_;
  bool isShowing_ = false; ///< the editor gets words that nobody typed
};

} // namespace fuselage
