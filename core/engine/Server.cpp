#include "core/engine/Server.h"
#include "core/engine/Engine.h"
#include "core/engine/RequestQueue.h"
#include "core/engine/TestPasses.h"
#include "core/registration/Registration.h"
#include "core/support/JsonText.h"
#include "core/support/LargeStack.h"
#include "core/support/rpc/Framing.h"
#include "core/support/rpc/JsonRpc.h"
#include "core/text/PrintableText.h"
#include <csignal>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <thread>
#include <unistd.h>

namespace fuselage {
namespace {

/// Gives every large array pages of its own, which go back when it does: by default glibc comes to take arrays of up
/// to 32 MiB from heaps of 64 MiB, whose holes stay.
void returnLargeArrays() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

/// Gives back what lies free between what is in use: milliseconds, and a tenth of the memory after a large graph.
void returnFreedPages() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

class Server {
public:
  Server(int in, int out, int stop)
      : reader_(in, stop), writer_(out), engine_([this](llvm::StringRef method, llvm::json::Value params) {
          writer_.write(llvm::json::Object{{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
        }),
        queue_(engine_.cancelled), methods_(allMethods()) {}

  /// On the reading thread: until the input ends.
  void readAll() {
    while (std::optional<std::string> frame = reader_.read())
      receive(*frame);
    if (!reader_.error().empty()) {
      llvm::errs() << "fuselage serve: " << reader_.error() << '\n';
      replyError(nullptr, rpcError(RpcCode::ParseError, reader_.error()));
    }
    queue_.close();
    waitForWork();
  }

  /// On the thread that owns the MLIR context: until `shutdown`, or the queue is closed and empty.
  void workAll() {
    while (std::optional<Request> request = queue_.pop()) {
      bool last = request->method == "shutdown";
      if (last)
        reply(request->id, "{}");
      else
        answer(*request);
      queue_.done();
      if (last || gone_)
        break;
      returnFreedPages();
    }
    engine_.close();
    finished_ = true;
  }

private:
  static llvm::Error rpcError(RpcCode code, const llvm::Twine &message) {
    return llvm::make_error<RpcError>(code, message.str());
  }
  static llvm::Error supersededError() { return rpcError(RpcCode::Cancelled, "superseded or cancelled"); }

  void reply(const llvm::json::Value &id, llvm::StringRef result) {
    if (!writer_.writeText(("{\"id\":" + compactJson(id) + ",\"jsonrpc\":\"2.0\",\"result\":" + result + "}").str()))
      gone_ = true;
  }
  void replyError(const llvm::json::Value &id, llvm::Error error) {
    if (!writer_.write(llvm::json::Object{{"jsonrpc", "2.0"}, {"id", id}, {"error", errorToJSON(std::move(error))}}))
      gone_ = true;
  }

  void receive(llvm::StringRef frame) {
    RpcProblem problem;
    std::optional<RpcMessage> message = readRpcMessage(frame, problem);
    if (!message)
      return replyError(nullptr, rpcError(static_cast<RpcCode>(problem.code), problem.message));
    if (!message->method) {
      if (message->id)
        replyError(*message->id, rpcError(RpcCode::InvalidRequest, "the request names no method"));
      return;
    }
    if (message->id)
      return enqueue(*message->id, *message->method, &message->params);
    if (*message->method == "$/cancel")
      cancel(&message->params);
    else if (*message->method == "$/hasten")
      hasten(&message->params);
  }

  void enqueue(const llvm::json::Value &id, llvm::StringRef method, const llvm::json::Value *params) {
    Request request{.id = id, .method = method.str(), .params = nullptr, .tag = "", .isAhead = false};
    if (params)
      request.params = *params;
    if (const llvm::json::Object *object = request.params.getAsObject()) {
      request.tag = object->getString("tag").value_or("").str();
      request.isAhead = object->getBoolean("ahead").value_or(false);
    }
    for (const Request &superseded : queue_.push(std::move(request)))
      replyError(superseded.id, supersededError());
  }

  static const llvm::json::Value *idIn(const llvm::json::Value *params) {
    const llvm::json::Object *object = params ? params->getAsObject() : nullptr;
    return object ? object->get("id") : nullptr;
  }

  /// Without an id it would hit whatever runs by the time it arrives.
  void cancel(const llvm::json::Value *params) {
    const llvm::json::Value *id = idIn(params);
    if (!id)
      return;
    if (auto waiting = queue_.cancel(*id))
      replyError(waiting->id, supersededError());
  }

  void hasten(const llvm::json::Value *params) {
    if (const llvm::json::Value *id = idIn(params))
      queue_.hasten(*id);
  }

  void answer(const Request &request) {
    auto method = methods_.find(request.method);
    if (method == methods_.end())
      return replyError(request.id, rpcError(RpcCode::MethodNotFound, "no method is called '" + request.method + "'"));
    Params params(request.params);
    if (llvm::Error error = params.check())
      return replyError(request.id, std::move(error));
    llvm::Expected<std::string> result = method->second(engine_, params);
    if (result)
      return reply(request.id, *result);
    llvm::Error error = result.takeError();
    if (engine_.cancelled) {
      llvm::consumeError(std::move(error));
      error = supersededError();
    }
    replyError(request.id, std::move(error));
  }

  /// After the end of the input: the process stays until all is answered, but a client that is gone
  /// altogether must not leave it behind in a pass that never returns.
  void waitForWork() {
    while (!finished_) {
      pollfd peer{.fd = writer_.fd(), .events = 0, .revents = 0};
      constexpr int intervalMs = 20;
      if (::poll(&peer, 1, 0) > 0 && (peer.revents & (POLLERR | POLLNVAL)) && !queue_.idle())
        _exit(1);
      ::poll(nullptr, 0, intervalMs);
    }
  }

  FrameReader reader_;
  FrameWriter writer_;
  Engine engine_;
  RequestQueue queue_;
  MethodTable methods_;
  std::atomic<bool> gone_ = false, finished_ = false;
};

/// A private copy of a descriptor, which helper processes do not inherit.
int duplicate(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, 3); }

} // namespace

/// Loads them, as far as they can be.
static void loadPlugins(llvm::ArrayRef<PluginRequest> requests) {
  for (const PluginRequest &request : requests)
    if (llvm::Error error = loadPlugin(request, allDialects()))
      llvm::errs() << "fuselage serve: " << printable(takeFailure(std::move(error)).message) << '\n';
}

int serve(int in, int out, llvm::ArrayRef<PluginRequest> plugins) {
  returnLargeArrays();
  signal(SIGPIPE, SIG_IGN);
  int wireIn = duplicate(in), wireOut = duplicate(out);
  int stop[2];
  bool isClosed =
      wireIn < 0 || wireOut < 0 || (fcntl(wireOut, F_GETFL) & O_ACCMODE) == O_RDONLY; // see prepareProcess()
  if (isClosed || pipe2(stop, O_CLOEXEC) != 0) {
    llvm::errs() << "fuselage serve: stdin and stdout must be open\n";
    return 1;
  }
  if (in == STDIN_FILENO)
    if (int empty = open("/dev/null", O_RDONLY | O_CLOEXEC); empty >= 0) {
      dup2(empty, STDIN_FILENO);
      close(empty);
    }
  if (out == STDOUT_FILENO)
    dup2(STDERR_FILENO, STDOUT_FILENO);

  registerAllPasses();
  registerTestPasses();
  loadPlugins(plugins);
  {
    Server server(wireIn, wireOut, stop[0]);
    std::thread reader([&] { server.readAll(); });
    runOnLargeStack([&] { server.workAll(); });
    [[maybe_unused]] ssize_t written = write(stop[1], "", 1);
    reader.join();
  }
  for (int fd : {wireIn, wireOut, stop[0], stop[1]})
    close(fd);
  return 0;
}

} // namespace fuselage
