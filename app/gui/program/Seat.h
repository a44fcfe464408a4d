// Which of the user's windows a program is: two of them must not write the same state.
#pragma once
#include <QString>

namespace fuselage {

/// A number that no other program of the user has, from 1. A lock of the system's holds it, which ends with the
/// process, whatever ends it.
class Seat {
public:
  Seat() = default;
  Seat(Seat &&other) noexcept;
  Seat &operator=(Seat &&other) noexcept;
  ~Seat();

  /// The user's folder for sockets and locks of running programs.
  static QString runtimeFolder();
  /// The first free one. Where locks cannot be had, 1, as if nobody else were there.
  static Seat takeFirstFree();
  /// Not isTaken(): another program has it.
  static Seat take(int number);
  /// The smallest number that a running program has; 0: there is none.
  static int firstTaken();
  static constexpr int most = 32;

  bool isTaken() const { return lock_ >= 0; }
  int number() const { return number_; }
  /// Where the program with a number listens.
  static QString socketOf(int number);

private:
  int lock_ = -1; ///< a file descriptor
  int number_ = 1;
};

} // namespace fuselage
