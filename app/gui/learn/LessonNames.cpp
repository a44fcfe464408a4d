#include "app/gui/learn/LessonNames.h"
#include "app/gui/shell/Shell.h"
#include <QAction>

using namespace Qt::StringLiterals;

namespace fuselage {

QStringList lessonViews() { return {u"graph"_s, u"ir"_s, u"diff"_s, u"schedule"_s}; }

QString lessonNameOf(const QAction &command) { return QString(command.text()).remove(u'&').remove(u'\u2026'); }

QStringList lessonNames(Shell &shell) {
  QStringList names;
  for (const QString &panel : shell.docks().names())
    names.append(u"panel "_s + panel);
  for (const QString &view : lessonViews())
    names.append(u"view "_s + view);
  for (const QAction *action : shell.window().findChildren<QAction *>())
    if (const QString name = lessonNameOf(*action).simplified(); !name.isEmpty())
      names.append(u"command "_s + name);
  names.removeDuplicates();
  names.sort();
  return names;
}

} // namespace fuselage
