#include "app/gui/text/SaveIrController.h"
#include "app/gui/document/DocumentName.h"
#include "app/gui/text/TextController.h"
#include "core/protocol/methods/TextMethods.h"
#include <QFileDialog>

using namespace Qt::StringLiterals;

namespace fuselage {

SaveIrController::SaveIrController(Shell &shell, TextController &text)
    : Controller(shell), text_(text),
      save_(command(tr("Save &IR of This Step\u2026"), u"save"_s, {QKeySequence(u"Ctrl+Alt+I"_s)})) {
  save_->setToolTip(tr("Writes the module on screen with all its data, for another tool or to open it again"));
  on(save_, [this] { choose(); });
  shell.menus().add(Place::FileExport, {save_});
}

void SaveIrController::choose() {
  const QString plain = tr("MLIR (*.mlir)"), located = tr("MLIR with locations (*.mlir)");
  QString filter = plain;
  const QString path =
      QFileDialog::getSaveFileName(&shell().window(), tr("Save the IR of this step"),
                                   besideDocument(session().document(), u".step%1.mlir"_s.arg(text_.snapshot())),
                                   plain + u";;"_s + located, &filter);
  if (!path.isEmpty())
    save(path, filter == located);
}

void SaveIrController::save(const QString &path, bool hasLocations) {
  ++writing_;
  session().client().call<method::SaveText>(
      {.snapshot = text_.snapshot(), .path = path, .locations = hasLocations}, this,
      [this](const protocol::WrittenFile &file) {
        --writing_;
        shell().tellExported(file.path);
      },
      [this](const protocol::Error &error) {
        --writing_;
        emit shell().errorReported(u"export"_s, tr("The IR was not saved"), error);
      });
}

void SaveIrController::sessionChanged() { save_->setEnabled(isReady()); }

} // namespace fuselage
