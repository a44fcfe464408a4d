// Two texts line by line, for scripts, which the engine does not compare.
#pragma once
#include "views/common/DiffData.h"
#include <QString>

class QWidget;

namespace fuselage {

/// Lines that are in both stay together; where the texts differ in too many, they are replaced as a whole.
DiffData compareTexts(const QString &before, const QString &after);

/// Shows them side by side in a dialog over the window.
void showComparison(QWidget &window, const QString &title, const QString &beforeTitle, const QString &before,
                    const QString &afterTitle, const QString &after);

} // namespace fuselage
