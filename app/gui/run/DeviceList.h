// The devices of the engine's machine, asked for when somebody shows them.
#pragma once
#include "app/bridge/EngineSession.h"

namespace fuselage {

class DeviceList : public QObject {
  Q_OBJECT
public:
  DeviceList(EngineSession &session, QObject *parent);
  /// They are known, or on their way.
  bool isAsked() const { return isAsked_; }
  void request();
  /// Unless they are there, and once the engine can tell.
  void requestOnce();

signals:
  void listed(const QList<fuselage::protocol::Device> &devices);
  void failed(const fuselage::protocol::Error &error);

private:
  EngineSession &session_;
  bool isAsked_ = false;
};

} // namespace fuselage
