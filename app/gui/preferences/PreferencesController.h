// Preferences, the dialog.
#pragma once
#include "app/gui/shell/Controller.h"

namespace fuselage {

class PreferencesDialog;

class PreferencesController : public Controller {
  Q_OBJECT
public:
  explicit PreferencesController(Shell &shell);

  /// Null until it was opened.
  PreferencesDialog *dialog() const { return dialog_; }
  void open();

private:
  void make();
  void showShortcuts();

  PreferencesDialog *dialog_ = nullptr;
};

} // namespace fuselage
