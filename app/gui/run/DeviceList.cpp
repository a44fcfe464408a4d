#include "app/gui/run/DeviceList.h"
#include "core/protocol/methods/RunMethods.h"

using namespace Qt::StringLiterals;

namespace fuselage {

DeviceList::DeviceList(EngineSession &session, QObject *parent) : QObject(parent), session_(session) {}

void DeviceList::request() {
  isAsked_ = true;
  session_.client().call<method::ListDevices>(
      {}, this, [this](const protocol::Devices &devices) { emit listed(devices.devices); },
      [this](const protocol::Error &error) {
        isAsked_ = false;
        if (error.code != protocol::Error::EngineGone)
          emit failed(error);
      });
}

void DeviceList::requestOnce() {
  if (!isAsked_ && session_.state() == EngineSession::State::Ready)
    request();
}

} // namespace fuselage
