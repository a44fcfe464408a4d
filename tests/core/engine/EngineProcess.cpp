#include "tests/core/engine/EngineProcess.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fuselage::test {

// Only a hang makes a test wait this long.
static constexpr int patienceMs = 120'000;

EngineProcess::EngineProcess(bool testPasses) {
  signal(SIGPIPE, SIG_IGN);
  int toEngine[2], fromEngine[2];
  if (pipe2(toEngine, O_CLOEXEC) != 0 || pipe2(fromEngine, O_CLOEXEC) != 0)
    return;
  std::string binary = std::string(FUSELAGE_BIN_DIR) + "/fuselage";
  if (testPasses)
    setenv("FUSELAGE_TEST_PASSES", "1", 1);
  else
    unsetenv("FUSELAGE_TEST_PASSES");
  pid_ = fork();
  if (pid_ == 0) {
    dup2(toEngine[0], STDIN_FILENO);
    dup2(fromEngine[1], STDOUT_FILENO);
    execl(binary.c_str(), "fuselage", "serve", static_cast<char *>(nullptr));
    _exit(127);
  }
  close(toEngine[0]);
  close(fromEngine[1]);
  in_ = toEngine[1];
  out_ = fromEngine[0];
}

EngineProcess::~EngineProcess() {
  closeInput();
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  if (out_ >= 0)
    close(out_);
}

void EngineProcess::sendRaw(llvm::StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t count = write(in_, bytes.data(), bytes.size());
    if (count <= 0)
      return;
    bytes = bytes.drop_front(count);
  }
}

void EngineProcess::send(const llvm::json::Value &message) {
  std::string body;
  llvm::raw_string_ostream(body) << message;
  sendRaw("Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
}

int64_t EngineProcess::request(llvm::StringRef method, llvm::json::Value params) {
  int64_t id = nextId_++;
  send(llvm::json::Object{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
  return id;
}

void EngineProcess::notify(llvm::StringRef method, llvm::json::Value params) {
  send(llvm::json::Object{{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void EngineProcess::closeInput() {
  if (in_ >= 0)
    close(in_);
  in_ = -1;
}

void EngineProcess::abandon() {
  closeInput();
  close(out_);
  out_ = -1;
}

std::optional<llvm::json::Value> EngineProcess::read() {
  while (true) {
    llvm::StringRef text = buffer_;
    size_t headerEnd = text.find("\r\n\r\n");
    size_t length = 0;
    if (headerEnd != llvm::StringRef::npos && text.consume_front("Content-Length: ") &&
        !text.split("\r\n").first.getAsInteger(10, length) && buffer_.size() >= headerEnd + 4 + length) {
      auto message = llvm::json::parse(llvm::StringRef(buffer_).substr(headerEnd + 4, length));
      buffer_.erase(0, headerEnd + 4 + length);
      if (message)
        return std::move(*message);
      ADD_FAILURE() << "the engine wrote no JSON: " << llvm::toString(message.takeError());
      return std::nullopt;
    }
    if (!buffer_.empty() && !llvm::StringRef("Content-Length: ").starts_with(llvm::StringRef(buffer_).take_front(16))) {
      ADD_FAILURE() << "the engine wrote no frame: " << buffer_.substr(0, 200);
      return std::nullopt;
    }
    pollfd wanted{.fd = out_, .events = POLLIN, .revents = 0};
    if (poll(&wanted, 1, patienceMs) <= 0) {
      ADD_FAILURE() << "the engine does not answer";
      return std::nullopt;
    }
    char chunk[1 << 16];
    ssize_t count = ::read(out_, chunk, sizeof chunk);
    if (count <= 0)
      return std::nullopt;
    buffer_.append(chunk, count);
  }
}

llvm::json::Object EngineProcess::replyTo(int64_t id) {
  while (std::optional<llvm::json::Value> message = read()) {
    llvm::json::Object *object = message->getAsObject();
    if (object && object->getInteger("id") == id)
      return std::move(*object);
    if (object && object->getString("method"))
      notifications.push_back(std::move(*object));
  }
  return {};
}

llvm::json::Object EngineProcess::call(llvm::StringRef method, llvm::json::Value params) {
  llvm::json::Object reply = replyTo(request(method, std::move(params)));
  if (llvm::json::Object *result = reply.getObject("result"))
    return std::move(*result);
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(reply));
  ADD_FAILURE() << method.str() << " gave no result: " << text;
  return {};
}

llvm::json::Object EngineProcess::callError(llvm::StringRef method, llvm::json::Value params) {
  llvm::json::Object reply = replyTo(request(method, std::move(params)));
  if (llvm::json::Object *error = reply.getObject("error")) {
    EXPECT_TRUE(error->getString("message").has_value());
    EXPECT_TRUE(error->getObject("data") && error->getObject("data")->getArray("diagnostics"));
    return std::move(*error);
  }
  ADD_FAILURE() << method.str() << " gave no error";
  return {};
}

std::optional<int> EngineProcess::wait() {
  for (int waited = 0; waited < patienceMs; waited += 10) {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = -1;
      return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    }
    usleep(10'000);
  }
  return std::nullopt;
}

void EngineProcess::kill(int signal) { ::kill(pid_, signal); }

} // namespace fuselage::test
