#include "core/remote/near/LinkClient.h"
#include "core/remote/far/FarOptions.h"
#include "core/support/Error.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage::remote {

using llvm::StringRef;
using namespace std::chrono_literals;

static constexpr std::chrono::milliseconds pingEvery = 2s, firstWait = 200ms, longestWait = 30s,
                                           longestConnecting = 60s;

void LinkClient::start() {
  become(LinkPhase::Connecting, "connecting to " + options_.host);
  connect();
}

void LinkClient::become(LinkPhase state, std::string text) {
  if (state_ != state)
    since_ = Clock::now();
  state_ = state;
  text_ = std::move(text);
}

void LinkClient::connect() {
  process_.reset();
  output_.clear();
  lines_.clear();
  passedOver_ = 0;
  isReady_ = false;
  lastBytes_ = lastPing_ = Clock::now();
  auto process = LinkProcess::start(options_.command, options_.script(/*isNew=*/!wasUp_));
  if (process)
    process_.emplace(std::move(*process));
  else
    drop(takeFailure(process.takeError()).message);
}

/// The connection is gone. Of the first one, that is an answer; later ones are tried again.
void LinkClient::drop(const std::string &why) {
  channel_.disconnect();
  process_.reset();
  isReady_ = false;
  if (state_ == LinkPhase::Missing || state_ == LinkPhase::Refused || !lost_.empty())
    return;
  if (!channel_.mismatch().empty()) {
    lost_ = channel_.mismatch();
    return;
  }
  if (!wasUp_)
    return become(LinkPhase::Refused, why);
  wait_ = std::clamp<std::chrono::milliseconds>(wait_ * 2, firstWait, longestWait);
  nextTry_ = Clock::now() + wait_;
  become(LinkPhase::Down, llvm::formatv("{0}; trying again in {1:f1} s", why, double(wait_.count()) / 1000).str());
}

void LinkClient::retry() {
  if (state_ == LinkPhase::Down && !process_)
    nextTry_ = Clock::now();
}

void LinkClient::close() {
  channel_.disconnect();
  if (process_)
    process_->finish();
  process_.reset();
}

void LinkClient::fds(std::vector<pollfd> &wanted) const {
  if (!process_)
    return;
  wanted.push_back({.fd = process_->out(), .events = POLLIN, .revents = 0});
  if (process_->log() >= 0)
    wanted.push_back({.fd = process_->log(), .events = POLLIN, .revents = 0});
  if (!output_.empty() || channel_.hasOutput())
    wanted.push_back({.fd = process_->in(), .events = POLLOUT, .revents = 0});
}

LinkClient::Clock::time_point LinkClient::next() const {
  constexpr auto endCheck = 250ms; // a command can end while something still holds its output
  return process_ ? Clock::now() + endCheck : state_ == LinkPhase::Down ? nextTry_ : Clock::now() + 1h;
}

void LinkClient::tick(std::vector<LinkMessage> &messages, std::string &log) {
  if (!process_ && state_ == LinkPhase::Down && lost_.empty() && Clock::now() >= nextTry_)
    connect();
  if (process_)
    readLog(log);
  if (process_)
    read(messages);
  if (process_)
    beat();
  if (process_)
    write();
}

void LinkClient::readLog(std::string &log) {
  std::string bytes;
  if (process_->log() >= 0 && readSome(process_->log(), bytes) == ReadResult::End)
    process_->closeLog();
  process_->noteLog(bytes);
  log += bytes;
}

void LinkClient::read(std::vector<LinkMessage> &messages) {
  std::string bytes;
  const ReadResult result = readSome(process_->out(), bytes);
  if (!bytes.empty())
    lastBytes_ = Clock::now();
  receive(bytes, messages);
  if (!process_ || result != ReadResult::End)
    return;
  // Its last words may come after its end.
  std::string log;
  readLog(log);
  const std::string said = process_->lastWords();
  const auto code = process_->end();
  drop("the command '" + options_.command.front() + "' ended" +
       (code ? " with exit code " + std::to_string(*code) : std::string()) + (said.empty() ? "" : ": " + said));
}

void LinkClient::receive(StringRef bytes, std::vector<LinkMessage> &messages) {
  std::string rest;
  if (!isReady_) {
    constexpr size_t longestLogin = size_t(16) << 20;
    passedOver_ += bytes.size();
    if (passedOver_ > longestLogin)
      return drop("the other side sends something else than an engine");
    lines_ += bytes;
    rest = takeLines(lines_).str();
    lines_ = isReady_ ? "" : std::exchange(rest, {});
    bytes = rest;
  }
  if (!isReady_ || bytes.empty() || !process_)
    return;
  if (!channel_.receive(bytes, messages))
    return drop("bytes were damaged on the way");
  if (channel_.hasHello() && state_ != LinkPhase::Up) {
    wasUp_ = true;
    wait_ = 0ms;
    become(LinkPhase::Up, "connected to " + options_.host);
  }
}

/// Lines that a login prints are passed over; the rest is returned.
StringRef LinkClient::takeLines(StringRef bytes) {
  constexpr size_t longestLine = size_t(1) << 20;
  while (!isReady_ && process_) {
    const size_t end = bytes.find('\n');
    if (end == StringRef::npos)
      break;
    takeLine(bytes.take_front(end).rtrim('\r'));
    bytes = bytes.drop_front(end + 1);
  }
  if (!isReady_ && bytes.size() > longestLine)
    drop("the other side sends something else than an engine");
  return bytes;
}

void LinkClient::takeLine(StringRef line) {
  if (!line.consume_front(farLinePrefix))
    return;
  auto [word, rest] = line.split(' ');
  if (word == "ready") {
    isReady_ = true;
    channel_.connect(/*isNew=*/!wasUp_);
  } else if (word == "missing" && !wasUp_) {
    auto [arch, glibc] = rest.split(' ');
    machine_ = {.arch = arch.take_front(40).str(), .glibc = glibc.trim().take_front(40).str()};
    become(LinkPhase::Missing, options_.host + " has no engine of this version of Fuselage");
    drop("");
  } else if (word == "gone") {
    lost_ = "the engine on " + options_.host + " is gone: the machine was restarted, or there was no link for too long";
    drop("");
  } else {
    drop(word == "failed" ? rest.take_front(1000).str() : "there is no engine any more");
  }
}

void LinkClient::write() {
  constexpr size_t most = size_t(256) << 10;
  do {
    if (output_.empty())
      output_.add(channel_.takeOutput(most));
    if (!output_.writeTo(process_->in()))
      return drop("the command '" + options_.command.front() + "' takes no more input");
  } while (output_.empty() && channel_.hasOutput());
}

void LinkClient::beat() {
  const auto now = Clock::now();
  const auto quiet = now - lastBytes_;
  if (isReady_ && quiet > options_.silence)
    return drop(
        llvm::formatv("no sign of {0} for {1:f0} s", options_.host, std::chrono::duration<double>(quiet).count())
            .str());
  // The first one may wait for somebody to type a password.
  if (!isReady_ && wasUp_ && quiet > longestConnecting)
    return drop(options_.host + " does not answer");
  if (isReady_ && now - lastPing_ > std::min<std::chrono::milliseconds>(pingEvery, options_.silence / 4)) {
    lastPing_ = now;
    channel_.ping();
  }
}

} // namespace fuselage::remote
