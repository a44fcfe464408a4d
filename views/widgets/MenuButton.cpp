#include "views/widgets/MenuButton.h"
#include <QMenu>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace fuselage {

QString withMenuSign(const QString &text) { return text + u" \u25be"_s; }

QMenu *addMenu(QToolButton *button) {
  auto *menu = new QMenu(button);
  QObject::connect(button, &QToolButton::clicked, menu,
                   [button, menu] { menu->popup(button->mapToGlobal(button->rect().bottomLeft())); });
  return menu;
}

} // namespace fuselage
