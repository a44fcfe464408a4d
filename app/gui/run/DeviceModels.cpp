#include "app/gui/run/DeviceModels.h"
#include "core/protocol/methods/RunMethods.h"
#include "views/dialogs/DeviceDialog.h"
#include "views/widgets/TargetBox.h"

using namespace Qt::StringLiterals;

namespace fuselage {

void offerModels(EngineSession &session, TargetBox *box) {
  if (box->hasModels() || session.state() != EngineSession::State::Ready)
    return;
  session.client().call<method::ListModels>(
      {.here = false}, box, [box](const protocol::DeviceModels &models) { box->setModels(models.models); },
      [](const protocol::Error &) {});
}

void showDevices(EngineSession &session, QWidget *parent) {
  auto *dialog = new DeviceDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
  session.client().call<method::ListModels>(
      {}, dialog, [dialog](const protocol::DeviceModels &models) { dialog->setModels(models.models); },
      [dialog](const protocol::Error &error) { dialog->setProblem(error.message); });
}

} // namespace fuselage
