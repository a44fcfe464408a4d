#include "app/gui/shell/Draft.h"
#include "app/gui/shell/Settings.h"
#include "app/gui/shell/Shell.h"

namespace fuselage {

void Draft::keep(const QJsonObject &draft) {
  if (draft == held_)
    return;
  held_ = draft;
  if (tab_.isEmpty())
    tab_ = shell_.draftTab();
  shell_.settings().drafts().keep({editor_, tab_}, draft);
}

QJsonObject Draft::restore(const QString &tab) {
  Drafts &drafts = shell_.settings().drafts();
  const QJsonObject kept = drafts.find({editor_, tab});
  if (held_.isEmpty()) {
    tab_ = tab;
    return held_ = kept;
  }
  if (tab == tab_ || !kept.isEmpty()) // two drafts: each stays in its place
    return {};
  drafts.keep({editor_, tab_}, {});
  tab_ = tab;
  drafts.keep({editor_, tab_}, held_);
  return {};
}

void Draft::leave() {
  held_ = {};
  tab_.clear();
}

} // namespace fuselage
