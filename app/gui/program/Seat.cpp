#include "app/gui/program/Seat.h"
#include <QFile>
#include <QStandardPaths>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

using namespace Qt::StringLiterals;

namespace fuselage {

Seat::Seat(Seat &&other) noexcept : lock_(std::exchange(other.lock_, -1)), number_(other.number_) {}

Seat &Seat::operator=(Seat &&other) noexcept {
  std::swap(lock_, other.lock_);
  std::swap(number_, other.number_);
  return *this;
}

Seat::~Seat() {
  if (lock_ >= 0)
    close(lock_);
}

QString Seat::runtimeFolder() { return QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation); }

QString Seat::socketOf(int number) { return u"%1/fuselage-%2.socket"_s.arg(runtimeFolder()).arg(number); }

/// The file stays: a lock on a file that is removed locks nobody out. Engines do not inherit it.
Seat Seat::take(int number) {
  Seat seat;
  const QByteArray path = QFile::encodeName(u"%1/fuselage-%2.lock"_s.arg(runtimeFolder()).arg(number));
  seat.lock_ = open(path.constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  seat.number_ = number;
  if (seat.lock_ >= 0 && flock(seat.lock_, LOCK_EX | LOCK_NB) != 0)
    close(std::exchange(seat.lock_, -1));
  return seat;
}

Seat Seat::takeFirstFree() {
  for (int number = 1; number <= most; ++number)
    if (Seat seat = take(number); seat.isTaken())
      return seat;
  return {};
}

int Seat::firstTaken() {
  for (int number = 1; number <= most; ++number)
    if (QFile::exists(u"%1/fuselage-%2.lock"_s.arg(runtimeFolder()).arg(number)) && !take(number).isTaken())
      return number;
  return 0;
}

} // namespace fuselage
