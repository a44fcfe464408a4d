#include "app/gui/shell/Shortcuts.h"
#include "app/gui/shell/Menus.h"
#include "app/gui/shell/Settings.h"
#include <QAbstractButton>
#include <QAction>
#include <QJsonArray>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace fuselage {

/// " (Ctrl+K)": the end of a tooltip.
static QString suffixOf(const QList<QKeySequence> &keys) {
  return keys.isEmpty() ? QString() : u" (%1)"_s.arg(keys.first().toString(QKeySequence::NativeText));
}

Shortcuts::Shortcuts(const Menus &menus, const QWidget &window, Settings &settings, QObject *parent)
    : QObject(parent), menus_(menus), settings_(settings) {
  for (const Command &command : menus.commands()) {
    QString tip = command.action->toolTip();
    const QString suffix = suffixOf(command.keys);
    if (!suffix.isEmpty() && tip.endsWith(suffix))
      tips_.insert(command.action, tip.chopped(suffix.size()));
    else if (suffix.isEmpty() && tip == command.action->text().remove(u'&').remove(u'\u2026'))
      tips_.insert(command.action, tip);
  }
  findTips(window);
  apply();
  connect(&settings, &Settings::shortcutsChanged, this, &Shortcuts::apply);
}

/// Of buttons that are no commands themselves, but do what one does: "Save the schedule (Ctrl+S)".
void Shortcuts::findTips(const QWidget &window) {
  QList<QPair<QString, QString>> suffixes; // and the commands that have them
  for (const Command &command : menus_.commands())
    if (const QString suffix = suffixOf(command.keys); !suffix.isEmpty())
      suffixes.append({suffix, command.id});
  for (QAbstractButton *button : window.findChildren<QAbstractButton *>()) {
    const auto *tool = qobject_cast<QToolButton *>(button);
    const QString tip = button->toolTip();
    if (!tip.endsWith(u')') || (tool && tool->defaultAction()))
      continue;
    for (const auto &[suffix, id] : std::as_const(suffixes))
      if (tip.endsWith(suffix))
        buttons_.insert(id, {button, tip.chopped(suffix.size())});
  }
}

void Shortcuts::addTips(const QWidget &panel) {
  findTips(panel);
  for (const Command &command : menus_.commands())
    showTips(command.id, keysOf(command));
}

QList<QKeySequence> Shortcuts::keysOf(const Command &command) const {
  const QJsonValue chosen = settings_.shortcuts()[command.id];
  if (!chosen.isArray())
    return command.keys;
  QList<QKeySequence> keys;
  for (const QJsonValue &key : chosen.toArray())
    if (const QKeySequence sequence(key.toString(), QKeySequence::PortableText); !sequence.isEmpty())
      keys.append(sequence);
  return keys;
}

QList<QKeySequence> Shortcuts::keysOf(const QAction *action) const {
  for (const Command &command : menus_.commands())
    if (command.action == action)
      return keysOf(command);
  return {};
}

void Shortcuts::setKeys(const QString &id, const QList<QKeySequence> &keys) {
  QJsonObject shortcuts = settings_.shortcuts();
  shortcuts[id] = QJsonArray::fromStringList(
      QKeySequence::listToString(keys, QKeySequence::PortableText).split(u"; "_s, Qt::SkipEmptyParts));
  settings_.setShortcuts(shortcuts);
}

void Shortcuts::reset(const QString &id) {
  QJsonObject shortcuts = settings_.shortcuts();
  shortcuts.remove(id);
  settings_.setShortcuts(shortcuts);
}

void Shortcuts::resetAll() { settings_.setShortcuts({}); }

void Shortcuts::apply() {
  for (const Command &command : menus_.commands())
    applyTo(command);
  emit changed();
}

void Shortcuts::applyTo(const Command &command) {
  const QList<QKeySequence> keys = keysOf(command);
  if (command.action->shortcuts() == keys)
    return;
  command.action->setShortcuts(keys);
  if (const auto tip = tips_.constFind(command.action); tip != tips_.constEnd())
    command.action->setToolTip(*tip + suffixOf(keys));
  showTips(command.id, keys);
}

void Shortcuts::showTips(const QString &id, const QList<QKeySequence> &keys) {
  const auto [first, last] = buttons_.equal_range(id);
  for (auto tip = first; tip != last; ++tip)
    if (tip->button)
      tip->button->setToolTip(tip->text + suffixOf(keys));
}

} // namespace fuselage
