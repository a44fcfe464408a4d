// Which of the views is in front.
#pragma once
#include "app/gui/shell/Centre.h"
#include <QTabBar>
#include <optional>

namespace fuselage {

/// None while the window has nothing to show.
inline std::optional<View> frontView(const Centre &centre) {
  const auto *tabs = centre.findChild<QTabBar *>(QStringLiteral("views"));
  return tabs && !tabs->isHidden() ? std::optional(View(tabs->currentIndex())) : std::nullopt;
}

} // namespace fuselage
