// The commands of the tabs, in every window of them.
#pragma once
#include "app/gui/shell/Controller.h"

namespace fuselage {

class Workspace;

class TabsController : public Controller {
  Q_OBJECT
public:
  TabsController(Shell &shell, Workspace &workspace);

private:
  void update();

  Workspace &workspace_;
  QAction *close_, *next_, *previous_;
};

} // namespace fuselage
