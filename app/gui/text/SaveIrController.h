// The IR of a step as a file of its own.
#pragma once
#include "app/gui/shell/Controller.h"

namespace fuselage {

class TextController;

class SaveIrController : public Controller {
  Q_OBJECT
public:
  SaveIrController(Shell &shell, TextController &text);
  /// All of the module on screen, data that the view leaves out, too.
  void save(const QString &path, bool hasLocations);
  void sessionChanged() override;
  bool isSettled() const override { return writing_ == 0; }

private:
  void choose();
  TextController &text_;
  QAction *save_;
  int writing_ = 0;
};

} // namespace fuselage
