// SIGINT and SIGTERM as an event of the window's loop.
#pragma once
#include <QObject>

class QSocketNotifier;

namespace fuselage {

/// One per process. The handler only writes to a pipe; `terminated` comes from the event loop.
class SignalWatcher : public QObject {
  Q_OBJECT
public:
  explicit SignalWatcher(QObject *parent = nullptr);
  ~SignalWatcher() override;

signals:
  void terminated();

private:
  int ends_[2] = {-1, -1};
  QSocketNotifier *notifier_ = nullptr;
};

} // namespace fuselage
