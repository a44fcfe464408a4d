// Light, dark, or as the desktop is.
#pragma once
#include "app/gui/shell/Controller.h"

namespace fuselage {

class ThemeController : public Controller {
  Q_OBJECT
public:
  explicit ThemeController(Shell &shell);
  void restoreState(const Settings &settings) override;

private:
  void apply(const QString &theme);
  QAction *system_, *light_, *dark_;
};

} // namespace fuselage
