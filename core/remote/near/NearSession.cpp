#include "core/remote/near/NearSession.h"
#include "core/remote/near/FarScript.h"
#include "core/support/Error.h"
#include "core/support/JsonText.h"
#include "llvm/ADT/StringExtras.h"
#include <csignal>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace fuselage::remote {

namespace json = llvm::json;
using llvm::StringRef;
using namespace std::chrono_literals;

static constexpr int cancelledRequest = -32800, otherFailure = -32000;

/// Nobody guesses it: the folder and the socket of the session go by it.
static std::string newSessionName() {
  unsigned char bytes[16];
  [[maybe_unused]] ssize_t count = getrandom(bytes, sizeof bytes, 0);
  return llvm::toHex(llvm::ArrayRef(bytes), /*LowerCase=*/true);
}

/// Where hashes of local files are kept; empty: nowhere.
static std::string hashMemory() {
  const std::string cache = cacheFolder();
  auto folder = cache.empty() ? llvm::Expected<SafeFolder>(fail("")) : SafeFolder::make(cache + "/remote");
  if (folder)
    return folder->path() + "/hashes";
  llvm::consumeError(folder.takeError());
  return "";
}

static RemoteOptions withSession(RemoteOptions options) {
  options.far.session = newSessionName();
  return options;
}

static LinkOptions linkOptions(const RemoteOptions &options) {
  auto script = [id = options.engineId, version = options.engineVersion, far = options.far](bool isNew) mutable {
    far.isNew = isNew;
    return farScript(id, version, far);
  };
  return {.command = options.command, .host = options.host, .script = script, .silence = options.silence};
}

/// Endings that are asked for come as bytes.
static OwnedFd takeEndingSignals() {
  sigset_t endings;
  sigemptyset(&endings);
  for (int each : {SIGINT, SIGTERM, SIGHUP})
    sigaddset(&endings, each);
  pthread_sigmask(SIG_BLOCK, &endings, nullptr);
  return OwnedFd(signalfd(-1, &endings, SFD_CLOEXEC | SFD_NONBLOCK));
}

NearSession::NearSession(int in, int out, RemoteOptions options)
    : options_(withSession(std::move(options))), in_(fcntl(in, F_DUPFD_CLOEXEC, 3)),
      out_(fcntl(out, F_DUPFD_CLOEXEC, 3)), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      signals_(takeEndingSignals()), link_(linkOptions(options_)), paths_("fuselage-session-" + options_.far.session),
      mapper_(paths_, hashMemory()), sender_(link_.channel()), receiver_(paths_), worker_(mapper_, [this] {
        const uint64_t one = 1;
        [[maybe_unused]] ssize_t written = write(wake_.get(), &one, sizeof one);
      }) {}

int NearSession::run() {
  if (!in_ || !out_) {
    llvm::errs() << "fuselage remote: stdin and stdout must be open\n";
    return 1;
  }
  setNonBlocking(in_.get());
  setNonBlocking(out_.get());
  link_.start();
  while (!isOver()) {
    wait();
    takeSignals();
    readClient();
    sendPrepared();
    sender_.move();
    std::vector<LinkMessage> messages;
    std::string said;
    link_.tick(messages, said);
    log(said);
    for (const LinkMessage &message : messages)
      handle(message);
    noteLinkEnd();
    tellState();
    if (!clientOutput_.writeTo(out_.get()))
      noteClientEnd();
  }
  return finish();
}

bool NearSession::isOver() {
  const bool isLate = deadline_ && Clock::now() > *deadline_;
  return (exitCode_ && clientOutput_.empty()) || isLate;
}

void NearSession::wait() {
  std::vector<pollfd> wanted{{.fd = wake_.get(), .events = POLLIN, .revents = 0},
                             {.fd = signals_.get(), .events = POLLIN, .revents = 0}};
  if (hasInput_)
    wanted.push_back({.fd = in_.get(), .events = POLLIN, .revents = 0});
  if (!clientOutput_.empty())
    wanted.push_back({.fd = out_.get(), .events = POLLOUT, .revents = 0});
  link_.fds(wanted);
  Clock::time_point until = link_.next();
  if (deadline_)
    until = std::min(until, *deadline_);
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
  poll(wanted.data(), wanted.size(), static_cast<int>(std::clamp<int64_t>(left + 1, 0, 1000)));
  uint64_t woken = 0;
  [[maybe_unused]] ssize_t count = read(wake_.get(), &woken, sizeof woken);
}

void NearSession::takeSignals() {
  signalfd_siginfo info{};
  if (read(signals_.get(), &info, sizeof info) == sizeof info)
    endNow();
  // A client that is gone altogether must not leave the engine behind in a pass that never returns.
  pollfd client{.fd = out_.get(), .events = 0, .revents = 0};
  if (!hasInput_ && poll(&client, 1, 0) > 0 && (client.revents & (POLLERR | POLLNVAL)))
    noteClientEnd();
}

/// Nobody reads what is written.
void NearSession::noteClientEnd() {
  clientOutput_.clear();
  endNow();
}

/// The engine is ended, whatever it is at.
void NearSession::endNow() {
  hasInput_ = false;
  if (std::exchange(isKilled_, true))
    return;
  isEnding_ = true;
  link_.channel().send(toKeeper::kill, "");
  deadline_ = Clock::now() + 2s;
}

void NearSession::readClient() {
  std::string bytes;
  if (!hasInput_)
    return;
  const ReadResult result = readSome(in_.get(), bytes);
  frames_.feed(bytes);
  while (std::optional<std::string> frame = frames_.next())
    receive(*frame);
  if (!frames_.error().empty())
    clientOutput_.add(frameOf(errorReply("", -32700, frames_.error())));
  // The engine answers what it has, and ends.
  hasInput_ = result != ReadResult::End && frames_.error().empty();
}

void NearSession::receive(const std::string &frame) {
  RpcProblem problem;
  std::optional<RpcMessage> message = readRpcMessage(frame, problem);
  if (message && message->method && message->id)
    return request(*message, frame);
  if (message && message->method)
    return notification(*message, frame);
  worker_.add({.id = "", .method = "", .text = frame}); // the engine says what is wrong with it
}

void NearSession::request(const RpcMessage &message, const std::string &frame) {
  NearRequest request{
      .id = compactJson(*message.id), .method = *message.method, .text = frame, .params = message.params};
  if (auto reply = LocalAnswers::answer(request.id, request.method, request.params))
    return clientOutput_.add(frameOf(*reply));
  waiting_.insert(request.id);
  const std::string method = request.method;
  local_.note(request.id, request.method, request.params);
  if (request.method != method)
    request.text = compactJson(json::Object{{"jsonrpc", "2.0"}, {"id", *message.id}, {"method", request.method}});
  worker_.add(std::move(request));
}

void NearSession::notification(const RpcMessage &message, const std::string &frame) {
  if (message.method == "link/retry")
    return link_.retry();
  std::string cancelled;
  const json::Object *params = message.params.getAsObject();
  if (const json::Value *id = params && message.method == "$/cancel" ? params->get("id") : nullptr)
    cancelled = compactJson(*id);
  if (!cancelled.empty() && worker_.cancel(cancelled))
    return;
  link_.channel().send(toKeeper::notify, noteText(llvm::json::Object{{"cancel", cancelled}}, frame));
}

void NearSession::sendPrepared() {
  for (const NearRequest &request : worker_.take()) {
    if (request.isCancelled)
      answer(request.id, errorReply(request.id, cancelledRequest, "superseded or cancelled"));
    else if (!request.problem.empty())
      answer(request.id, errorReply(request.id, otherFailure, request.problem));
    else
      sendRequest(request);
  }
  if (hasInput_ || isEnding_ || !worker_.isIdle())
    return;
  isEnding_ = true;
  link_.channel().send(toKeeper::end, "");
}

void NearSession::sendRequest(const NearRequest &request) {
  sender_.announce(request.files.files);
  json::Array files, outputs;
  for (const WantedFile &file : request.files.files)
    files.push_back(json::Object{{"at", file.at}, {"hash", file.hash}, {"copy", file.isCopy}});
  const std::vector<int64_t> ids = receiver_.expect(request.id, request.files.outputs);
  for (size_t i = 0; i < ids.size(); ++i)
    outputs.push_back(json::Object{
        {"id", ids[i]}, {"at", request.files.outputs[i].at}, {"updated", request.files.outputs[i].isUpdated}});
  link_.channel().send(toKeeper::request, noteText(llvm::json::Object{{"id", request.id},
                                                                      {"files", std::move(files)},
                                                                      {"absent", json::Array(request.files.absent)},
                                                                      {"outputs", std::move(outputs)}},
                                                   request.text));
}

} // namespace fuselage::remote
