// Buttons that open a menu of their own.
#pragma once
#include <QString>

class QMenu;
class QToolButton;

namespace fuselage {

/// The text of such a button: with a triangle behind it, as styles draw theirs over the text of a button that is as
/// wide as that.
QString withMenuSign(const QString &text);
/// A menu that opens below the button when it is pressed, by mouse or keyboard.
QMenu *addMenu(QToolButton *button);

} // namespace fuselage
