// What may stand at the caret, below it.
#pragma once
#include "views/messages/ScheduleTypes.h"
#include <QFrame>

class QLabel;
class QListWidget;

namespace fuselage {

/// Never has the keyboard: the editor passes the keys on.
class ScriptCompletion : public QFrame {
  Q_OBJECT
public:
  explicit ScriptCompletion(QWidget *editor);

  /// Stands below or above `caret`, which is in the editor's viewport; hides where nothing has `word` in it.
  void offer(const QList<protocol::ScriptCompletionItem> &items, const QString &word, const QRect &caret);
  /// Only those that have `word` in them stay.
  void narrow(const QString &word);
  void move(int rows);
  bool isOffering() const { return isVisible(); }
  /// Nothing is left to complete: the word is what is chosen already.
  bool isComplete() const;
  const protocol::ScriptCompletionItem *current() const;
  QListWidget *list() const { return list_; }

signals:
  void accepted();

protected:
  void changeEvent(QEvent *event) override;

private:
  void place(const QRect &caret);
  void showDetail();

  QWidget *editor_; ///< its viewport
  QListWidget *list_;
  QLabel *detail_;
  QList<protocol::ScriptCompletionItem> items_;
  QString word_;
  bool isChosen_ = false; ///< by hand: it stays when the list becomes another
  QRect caret_;
};

} // namespace fuselage
