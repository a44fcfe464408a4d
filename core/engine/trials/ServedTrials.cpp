#include "core/engine/trials/ServedTrials.h"
#include "core/registration/Registration.h"

namespace fuselage {

ServedTrials::ServedTrials(const std::string &device)
    : session_(allDialects()), subject_{.session = session_, .payload = {}, .schedule = ""} {
  subject_.run.device = device;
}

llvm::Error ServedTrials::read(llvm::StringRef payload) {
  auto opened = session_.readText(payload, "payload.mlir");
  if (!opened)
    return opened.takeError();
  if (opened->gaps > 0)
    return fail("the payload can be read only in part", opened->diagnostics);
  module_ = std::move(opened->module);
  subject_.payload = *module_;
  return llvm::Error::success();
}

llvm::Expected<DeviceInfo> ServedTrials::open(const std::atomic<bool> &cancelled) {
  constexpr double seconds = 60;
  if (llvm::Error error = maker_->open(subject_, seconds))
    return error;
  auto event = maker_->wait(cancelled);
  if (!event)
    return event.takeError();
  if (event->kind != tune::TrialMaker::Event::Kind::Opened)
    return fail(event->why);
  return std::move(event->device);
}

llvm::Expected<tune::Measurement> ServedTrials::measure(const tune::TrialRequest &request,
                                                        const std::atomic<bool> &cancelled) {
  if (llvm::Error error = maker_->begin(request))
    return error;
  auto event = maker_->wait(cancelled);
  if (!event)
    return event.takeError();
  if (event->kind != tune::TrialMaker::Event::Kind::Measured)
    return fail(event->why);
  return std::move(event->measured);
}

} // namespace fuselage
