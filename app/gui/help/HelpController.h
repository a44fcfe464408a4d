// What there is to read: shortcuts, steps, passes, and what this program is.
#pragma once
#include "app/gui/shell/Controller.h"

namespace fuselage {

class PipelineController;

class HelpController : public Controller {
  Q_OBJECT
public:
  HelpController(Shell &shell, PipelineController &pipeline);

  /// Opens the page on a pass, or on a normal form.
  void showPass(const QString &argument);
  void showForm(const QString &name);
  /// Or on a term of the glossary.
  void showTerm(const QString &word);

private:
  void show(HelpDialog::Page page);
  void requestForms();
  void showPanel();
  void showAbout();

  PipelineController &pipeline_;
  HelpDialog *dialog_ = nullptr;
  QList<protocol::FormHelp> forms_; ///< empty until they were asked for
  QString wantedForm_;
};

} // namespace fuselage
