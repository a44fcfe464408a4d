// The keys of the commands: those that they were made with, or that the user chose instead.
#pragma once
#include <QHash>
#include <QKeySequence>
#include <QObject>
#include <QPointer>

class QAction;
class QWidget;

namespace fuselage {

class Menus;
class Settings;
struct Command;

/// Keeps every command's keys, and the tooltip that names them, as the settings say.
class Shortcuts : public QObject {
  Q_OBJECT
public:
  /// `menus` are built; `window` has buttons whose tooltips name keys, too.
  Shortcuts(const Menus &menus, const QWidget &window, Settings &settings, QObject *parent);

  /// Of a panel that came later: the tooltips of its buttons, too.
  void addTips(const QWidget &panel);
  QList<QKeySequence> keysOf(const Command &command) const;
  QList<QKeySequence> keysOf(const QAction *action) const;
  /// Instead of those that it has.
  void setKeys(const QString &id, const QList<QKeySequence> &keys);
  /// As it was made.
  void reset(const QString &id);
  void resetAll();

signals:
  void changed();

private:
  struct Tip {
    QPointer<QWidget> button;
    QString text; ///< without the key
  };
  void findTips(const QWidget &window);
  void apply();
  void applyTo(const Command &command);
  void showTips(const QString &id, const QList<QKeySequence> &keys);

  const Menus &menus_;
  Settings &settings_;
  QHash<const QAction *, QString> tips_; ///< without their keys, of those that name them
  QMultiHash<QString, Tip> buttons_;     ///< by the command's id
};

} // namespace fuselage
