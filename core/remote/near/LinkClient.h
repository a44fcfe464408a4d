// The near end of the link: starts the user's command, and starts it again when it has gone.
#pragma once
#include "core/remote/link/LinkMessages.h"
#include "core/remote/near/LinkProcess.h"
#include <chrono>
#include <functional>
#include <poll.h>

namespace fuselage::remote {

struct LinkOptions {
  std::vector<std::string> command; ///< words, without the last argument
  std::string host;                 ///< as people call it
  /// The last argument, of the first connection or of a later one.
  std::function<std::string(bool isNew)> script;
  std::chrono::milliseconds silence = std::chrono::seconds(8); ///< without a byte, before a link counts as dead
};

/// As link/state has it.
enum class LinkPhase { Connecting, Up, Down, Missing, Refused };

/// What the other side is, if it has no engine.
struct FarMachine {
  std::string arch, glibc;
};

/// Owned by one thread, which waits on fds() and calls tick().
class LinkClient {
public:
  using Clock = std::chrono::steady_clock;
  explicit LinkClient(LinkOptions options) : options_(std::move(options)) {}

  void start();
  LinkChannel &channel() { return channel_; }
  /// Adds what to wait for.
  void fds(std::vector<pollfd> &wanted) const;
  /// When tick() has something to do by itself.
  Clock::time_point next() const;
  /// Reads, writes, connects; messages that came are appended. `log` gets what the command says on stderr.
  void tick(std::vector<LinkMessage> &messages, std::string &log);
  /// Tries at once, where the link is down.
  void retry();
  /// Ends the connection; the keeper lives on.
  void close();

  LinkPhase state() const { return state_; }
  /// A sentence about the state.
  const std::string &text() const { return text_; }
  Clock::time_point since() const { return since_; }
  const FarMachine &machine() const { return machine_; }
  /// Why there is no way back to the engine; empty: there is one.
  const std::string &lost() const { return lost_; }

private:
  void connect();
  void read(std::vector<LinkMessage> &messages);
  void readLog(std::string &log);
  llvm::StringRef takeLines(llvm::StringRef bytes);
  void takeLine(llvm::StringRef line);
  void receive(llvm::StringRef bytes, std::vector<LinkMessage> &messages);
  void write();
  void beat();
  void drop(const std::string &why);
  void become(LinkPhase state, std::string text);

  LinkOptions options_;
  LinkChannel channel_;
  std::optional<LinkProcess> process_;
  ByteQueue output_;
  std::string lines_;     ///< before there are frames
  size_t passedOver_ = 0; ///< bytes of them and before
  LinkPhase state_ = LinkPhase::Connecting;
  std::string text_, lost_;
  FarMachine machine_;
  Clock::time_point since_ = Clock::now(), lastBytes_{}, lastPing_{}, nextTry_{};
  std::chrono::milliseconds wait_{};
  bool isReady_ = false, wasUp_ = false;
};

} // namespace fuselage::remote
