// The keys of all commands: search, change, give back.
#pragma once
#include <QHash>
#include <QKeySequence>
#include <QLineEdit>
#include <QWidget>

class QLabel;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace fuselage {

/// One command; without an id, a key that cannot be given to another.
struct ShortcutRow {
  QString id;
  QString group;
  QString text;
  QList<QKeySequence> keys, defaults;
};

/// A field that takes the next key that is pressed; Backspace takes the key away, Escape leaves it as it was.
class KeyField : public QLineEdit {
  Q_OBJECT
public:
  explicit KeyField(QWidget *parent = nullptr);

signals:
  /// Empty: the command is to have none.
  void keyPressed(const QKeySequence &key);

protected:
  bool event(QEvent *event) override;
  void keyPressEvent(QKeyEvent *event) override;
};

class ShortcutTable : public QWidget {
  Q_OBJECT
public:
  explicit ShortcutTable(QWidget *parent = nullptr);

  /// The selected command stays selected.
  void setRows(const QList<ShortcutRow> &rows);
  /// Shows commands that have all words in name or keys; returns how many there are.
  int setFilter(const QStringList &words);
  void select(const QString &id);
  QTreeWidget *tree() const { return tree_; }
  KeyField *field() const { return field_; }
  QPushButton *reassignButton() const { return reassign_; }
  QPushButton *resetButton() const { return reset_; }
  QPushButton *resetAllButton() const { return resetAll_; }
  QString message() const;

signals:
  /// Conflicts are resolved by then: a key of another command is taken from that first.
  void keysChosen(const QString &id, const QList<QKeySequence> &keys);
  void resetRequested(const QString &id);
  void resetAllRequested();

private:
  const ShortcutRow *current() const;
  const ShortcutRow *ownerOf(const QKeySequence &key, const ShortcutRow &except) const;
  void showCurrent();
  void choose(const QKeySequence &key);
  void reassign();
  void resetOne();
  void say(const QString &text, bool isConflict);

  QTreeWidget *tree_;
  KeyField *field_;
  QLabel *message_;
  QPushButton *reassign_, *reset_, *resetAll_;
  QList<ShortcutRow> rows_;
  QHash<QString, QTreeWidgetItem *> items_; ///< by id
  QStringList words_;
  QKeySequence wanted_; ///< that another command has
};

} // namespace fuselage
