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
  /// With the page of this title in front.
  void open(const QString &page);

private:
  void make();
  void showShortcuts();

  PreferencesDialog *dialog_ = nullptr;
};

} // namespace fuselage
