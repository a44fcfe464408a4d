#include "app/gui/program/SignalWatcher.h"
#include <QSocketNotifier>
#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace fuselage {

/// Where the handler writes; a handler has no other way to its watcher.
static std::atomic<int> writeEnd{-1};

static void onSignal(int) {
  const char byte = 1;
  if (write(writeEnd.load(), &byte, 1) < 0)
    _exit(1); // nobody reads any more
}

SignalWatcher::SignalWatcher(QObject *parent) : QObject(parent) {
  if (pipe2(ends_, O_CLOEXEC | O_NONBLOCK) != 0)
    return;
  writeEnd = ends_[1];
  notifier_ = new QSocketNotifier(ends_[0], QSocketNotifier::Read, this);
  connect(notifier_, &QSocketNotifier::activated, this, [this] {
    char byte = 0;
    if (read(ends_[0], &byte, 1) == 1)
      emit terminated();
  });
  struct sigaction action = {};
  action.sa_handler = onSignal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGHUP, &action, nullptr);
}

SignalWatcher::~SignalWatcher() {
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  signal(SIGHUP, SIG_DFL);
  writeEnd = -1;
  for (const int end : ends_)
    if (end >= 0)
      close(end);
}

} // namespace fuselage
