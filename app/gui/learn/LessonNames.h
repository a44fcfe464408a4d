// What lessons call the parts of the window.
#pragma once
#include <QStringList>

class QAction;
class QWidget;

namespace fuselage {

class Shell;

/// The views in the centre, in the order of View.
QStringList lessonViews();
/// A command is called as the window writes it: "Fuse This Edge".
QString lessonNameOf(const QAction &command);
/// "panel fusion", "view ir", "command Fuse All": all that lessons can point at but ops, sorted.
QStringList lessonNames(Shell &shell);

} // namespace fuselage
