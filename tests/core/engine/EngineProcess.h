// The real engine process, driven over pipes.
#pragma once
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace fuselage::test {

/// `fuselage serve` with its stdin and stdout on pipes; killed when this goes.
class EngineProcess {
public:
  explicit EngineProcess(bool testPasses = false);
  ~EngineProcess();
  EngineProcess(const EngineProcess &) = delete;

  /// Bytes as they are.
  void sendRaw(llvm::StringRef bytes);
  /// A framed message.
  void send(const llvm::json::Value &message);
  /// Sends a request; its id.
  int64_t request(llvm::StringRef method, llvm::json::Value params = llvm::json::Object());
  void notify(llvm::StringRef method, llvm::json::Value params = llvm::json::Object());
  void closeInput();
  /// Closes both pipes, as the end of the client does.
  void abandon();

  /// The next message; nullopt at the end, or after a long time.
  std::optional<llvm::json::Value> read();
  /// The reply to a request, notifications before it collected in `notifications`.
  llvm::json::Object replyTo(int64_t id);
  /// Request and reply in one: the result, which must be there.
  llvm::json::Object call(llvm::StringRef method, llvm::json::Value params = llvm::json::Object());
  /// The error, which must be there.
  llvm::json::Object callError(llvm::StringRef method, llvm::json::Value params = llvm::json::Object());

  /// Waits for the end: the exit status, or minus the signal; nullopt after a long time.
  std::optional<int> wait();
  void kill(int signal);

  std::vector<llvm::json::Object> notifications;

private:
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1;
  int64_t nextId_ = 1;
  std::string buffer_;
};

} // namespace fuselage::test
