#include "app/gui/shell/Controller.h"
#include "app/gui/shell/Settings.h"
#include "views/widgets/Icons.h"
#include <QActionGroup>

using namespace Qt::StringLiterals;

namespace fuselage {

Controller::Controller(Shell &shell) : QObject(&shell.window()), shell_(shell) {}
Controller::~Controller() = default;

void Controller::opened(const protocol::Document &) {}
void Controller::documentReset() {}
void Controller::stepsReplaced(int) {}
void Controller::stepShown(const ShownStep &) {}
void Controller::graphShown(int) {}
void Controller::sessionChanged() {}
void Controller::engineDied(const CrashReport &) {}
void Controller::engineRecovered(int) {}
void Controller::saveDocument(QJsonObject &) const {}
void Controller::restoreDocument(const QJsonObject &) {}
void Controller::documentLeft() {}
void Controller::restoreDraft(const QString &) {}
bool Controller::takeFile(const QString &) { return false; }

bool Controller::isReady() const { return session().state() == EngineSession::State::Ready && session().hasDocument(); }

QAction *Controller::command(const QString &text, const QString &icon, const QList<QKeySequence> &keys) {
  auto *action = new QAction(text, this);
  if (!icon.isEmpty())
    action->setIcon(lineIcon(icon));
  action->setShortcuts(keys);
  QString tip = text;
  tip.remove(u'&').remove(u'\u2026');
  if (!keys.isEmpty())
    tip += u" (%1)"_s.arg(keys.first().toString(QKeySequence::NativeText));
  action->setToolTip(tip);
  return action;
}

QAction *Controller::toggle(const QString &text, const QString &icon, const QList<QKeySequence> &keys) {
  QAction *action = command(text, icon, keys);
  action->setCheckable(true);
  return action;
}

void Controller::exclude(const QList<QAction *> &toggles) {
  auto *group = new QActionGroup(this);
  for (QAction *action : toggles)
    group->addAction(action);
}

void Controller::remember(QAction *toggle, const QString &flag) {
  remembered_.append({toggle, flag});
  addPreference(toggle);
}

void Controller::addPreference(QAction *toggle) {
  const QString name = toggle->text().remove(u'&');
  const QString tip = toggle->toolTip();
  shell_.addPreference({.section = tr("Views"),
                        .name = name,
                        .hint = tip.startsWith(name) ? QString() : tip,
                        .value = [toggle] { return toggle->isChecked() ? u"on"_s : u"off"_s; },
                        .set = [toggle](const QString &value) { toggle->setChecked(value == "on"_L1); }});
}

void Controller::saveState(Settings &settings) const {
  for (const Remembered &remembered : remembered_)
    settings.setFlag(remembered.flag, remembered.toggle->isChecked());
}

void Controller::restoreState(const Settings &settings) {
  for (const Remembered &remembered : remembered_) {
    const bool isOn = settings.flag(remembered.flag, true);
    // What follows it hears of it, also where it stays as it is.
    if (remembered.toggle->isChecked() == isOn)
      emit remembered.toggle->toggled(isOn);
    else
      remembered.toggle->setChecked(isOn);
  }
}

} // namespace fuselage
