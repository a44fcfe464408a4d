// The list over the window that leads to anything.
#pragma once
#include "views/locator/LocatorModel.h"
#include <QFrame>
#include <QPointer>

class QLabel;
class QLineEdit;
class QListView;

namespace fuselage {

class LocatorDelegate;

/// Stands at the top of its parent and follows its size. Up, Down, Page Up and Page Down move in the list while one
/// types; Return takes a row, Escape none, and so does a click elsewhere.
class LocatorPopup : public QFrame {
  Q_OBJECT
public:
  explicit LocatorPopup(QWidget *parent);

  /// Shows it with this in its line.
  void open(const QString &typed);
  /// Hides it; the keyboard goes back to who had it.
  void close();
  void setEntries(const QList<LocatorEntry> &entries);
  /// A line below the list.
  void setNote(const QString &note);
  LocatorModel &model() { return model_; }
  QLineEdit *edit() const { return edit_; }
  QListView *list() const { return list_; }
  const LocatorEntry *current() const;
  /// While it holds, the keyboard may go elsewhere.
  void setHeld(bool held) { isHeld_ = held; }

signals:
  void typed(const QString &text);
  /// The user moved to a row.
  void moved(const fuselage::LocatorEntry &entry);
  void accepted(const fuselage::LocatorEntry &entry);
  /// By Escape.
  void cancelled();
  /// The user went elsewhere.
  void left();

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  bool handleKey(int key);
  void moveBy(int rows);
  void choose(int row, bool byUser);
  void accept();
  void place();

  LocatorModel model_;
  LocatorDelegate *delegate_;
  QLineEdit *edit_;
  QListView *list_;
  QLabel *note_;
  QPointer<QWidget> focusBefore_;
  bool hasMoved_ = false; ///< since the line was changed
  bool isHeld_ = false;
};

} // namespace fuselage
