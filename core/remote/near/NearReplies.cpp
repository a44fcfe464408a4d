// What comes from the other side, and what the client is told.
#include "core/protocol/Link.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/remote/near/NearSession.h"
#include "core/support/Error.h"
#include "core/support/JsonText.h"
#include "core/text/PrintableText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <sys/resource.h>
#include <unistd.h>

namespace fuselage::remote {

namespace json = llvm::json;
using llvm::StringRef;
using namespace std::chrono_literals;

void NearSession::log(StringRef text) {
  if (!text.empty())
    llvm::errs() << printable(paths_.toLocal(text, /*isJson=*/false));
}

void NearSession::handle(const LinkMessage &message) {
  if (message.kind == fromKeeper::message)
    return reply(message);
  if (message.kind == fromKeeper::log)
    return log(message.text);
  auto note = readNote(message.text);
  if (!note)
    return;
  if (message.kind == fromKeeper::session)
    paths_.setFarFolder(note->header.getString("folder").value_or("").str());
  else if (message.kind == fromKeeper::lacks)
    takeWish(note->header);
  else if (message.kind == fromKeeper::output)
    takeOutput(*note);
  else if (message.kind == fromKeeper::exit)
    noteEngineEnd(*note);
}

void NearSession::takeWish(const json::Object &wish) {
  const std::string hash = wish.getString("hash").value_or("").str();
  if (wish.getBoolean("stop").value_or(false))
    sender_.stop(hash);
  else
    sender_.lacks(hash, static_cast<uint64_t>(wish.getInteger("offset").value_or(0)));
}

void NearSession::takeOutput(const LinkNote &note) {
  if (llvm::Error error = receiver_.take(note.header, note.body))
    log("fuselage remote: " + takeFailure(std::move(error)).message + "\n");
}

void NearSession::reply(const LinkMessage &message) {
  std::string text = paths_.toLocal(message.text, /*isJson=*/true);
  const std::string id = idOfReply(text);
  if (!waiting_.count(id))
    return clientOutput_.add(frameOf(text));
  const std::string problem = receiver_.finish(id);
  if (!problem.empty())
    text = errorReply(id, -32000, problem);
  answer(id, local_.reply(id, std::move(text), !problem.empty() || StringRef(message.text).starts_with("{\"error\"")));
}

void NearSession::answer(const std::string &id, const std::string &text) {
  waiting_.erase(id);
  clientOutput_.add(frameOf(text));
}

void NearSession::noteEngineEnd(const LinkNote &note) {
  const int64_t signal = note.header.getInteger("signal").value_or(0);
  // Of what the other side says, only what ends a process.
  signal_ = llvm::is_contained({SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGKILL, SIGSEGV, SIGTERM, SIGTRAP, SIGXCPU}, signal)
                ? static_cast<int>(signal)
                : 0;
  constexpr int64_t exitCodes = 0xff;
  exitCode_ =
      signal != 0 && signal_ == 0 ? 1 : static_cast<int>(note.header.getInteger("code").value_or(1) & exitCodes);
  deadline_ = Clock::now() + 5s;
}

static const char *stateName(LinkPhase state) {
  constexpr const char *names[] = {"connecting", "up", "down", "missing", "refused"};
  return names[static_cast<size_t>(state)];
}

void NearSession::tellState() {
  // While the link is down, how many requests wait is news, too, but not each of them.
  const auto now = Clock::now();
  const bool isNews = told_ != link_.state() || (toldText_ != link_.text()) ||
                      (link_.state() != LinkPhase::Up && toldWaiting_ != waiting_.size() && now - toldAt_ > 200ms);
  if (!isNews)
    return;
  told_ = link_.state();
  toldText_ = link_.text();
  toldWaiting_ = waiting_.size();
  toldAt_ = now;
  message::LinkState<> state{.host = options_.host,
                             .state = stateName(link_.state()),
                             .text = toldText_,
                             .sinceMs =
                                 std::chrono::duration_cast<std::chrono::milliseconds>(now - link_.since()).count(),
                             .waiting = static_cast<int64_t>(waiting_.size()),
                             .arch = link_.machine().arch,
                             .glibc = link_.machine().glibc};
  clientOutput_.add(frameOf(compactJson(
      json::Object{{"jsonrpc", "2.0"}, {"method", state.messageName}, {"params", message::encode(state)}})));
}

void NearSession::refuseAll(const std::string &why) {
  for (const std::string &id : std::set<std::string>(waiting_))
    answer(id, errorReply(id, -32000, why));
}

/// Sees whether there is a way back to the engine.
void NearSession::noteLinkEnd() {
  constexpr int goneCode = 70, refusedCode = 1, missingCode = 127;
  // Without a link, an end that was asked for does not wait for one.
  if (isEnding_ && link_.state() != LinkPhase::Up && !deadline_)
    deadline_ = Clock::now() + 5s;
  if (exitCode_)
    return;
  if (!link_.lost().empty()) {
    log("fuselage remote: " + link_.lost() + "\n");
    exitCode_ = goneCode;
    deadline_ = Clock::now() + 5s;
    return;
  }
  const bool isMissing = link_.state() == LinkPhase::Missing;
  if (!isMissing && link_.state() != LinkPhase::Refused)
    return;
  tellState();
  // The first request says it: a client that has not sent one yet gets a moment.
  if (waiting_.empty() && hasInput_ && Clock::now() - link_.since() < 5s)
    return;
  refuseAll(isMissing ? link_.text() + "; 'fuselage remote install' with the same --command copies it there"
                      : "cannot reach " + options_.host + ": " + link_.text());
  exitCode_ = isMissing ? missingCode : refusedCode;
  deadline_ = Clock::now() + 5s;
}

/// The exit status; an engine that died of a signal is followed, so that the client sees what it saw of a local one.
int NearSession::finish() {
  link_.close();
  constexpr int signalBase = 128;
  if (signal_ == 0)
    return exitCode_.value_or(isEnding_ ? 0 : 1);
  rlimit noCore{.rlim_cur = 0, .rlim_max = 0};
  setrlimit(RLIMIT_CORE, &noCore);
  signal(signal_, SIG_DFL);
  raise(signal_);
  return signalBase + signal_;
}

} // namespace fuselage::remote
