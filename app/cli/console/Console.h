// What a command says while its worker runs: messages on their way to the standard error, and how far it is.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <string>

namespace fuselage::cli {

/// Stands between a worker and the standard error. What anybody writes there, libraries included, comes out printable
/// (PrintableText.h), and before the results that are written later. To be made before the worker is forked.
class Console {
public:
  Console();
  ~Console();
  Console(const Console &) = delete;
  Console &operator=(const Console &) = delete;

  /// In the worker: from here on the standard error leads here.
  void lead();
  /// Passes on what was said since. Either process may.
  void passOn();
  /// Passes on, and shows a line that the next one, or whatever is said, takes the place of; empty: none.
  void showStatus(const std::string &line);
  /// Passes on, and says a line.
  void say(const std::string &line);
  /// In the supervisor, when no worker is left.
  void finish();

private:
  struct Shared;
  /// Under the lock.
  void drain();
  void wipe();
  void write(llvm::StringRef text);

  std::string status_;         ///< that was shown last
  int error_ = -1;             ///< the standard error
  int read_ = -1, write_ = -1; ///< the pipe from the worker; -1: there is none, and nothing stands in between
  Shared *shared_ = nullptr;
};

/// Whether the standard error is a terminal, through a Console or not.
bool isErrorTerminal();

} // namespace fuselage::cli
