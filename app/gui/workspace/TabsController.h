// The commands of the tabs, in every window of them.
#pragma once
#include "app/gui/shell/Controller.h"

namespace fuselage {

class CompareController;
class Workspace;

class TabsController : public Controller {
  Q_OBJECT
public:
  /// Documents of the other tabs are among what can be compared with.
  TabsController(Shell &shell, Workspace &workspace, CompareController &compare);

private:
  void update();

  Workspace &workspace_;
  CompareController &compare_;
  QAction *close_, *next_, *previous_;
};

} // namespace fuselage
