#include "core/remote/far/Keeper.h"
#include "core/support/JsonText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace fuselage::remote {

using llvm::StringRef;
using namespace std::chrono_literals;

/// On the way over the link at most: enough for a fast one with a long way, and little enough that a reply does not
/// wait long for a file.
static constexpr size_t mostOnTheWay = size_t(2) << 20;
/// A link that says nothing for so long is dead: the near side pings every two seconds.
static constexpr auto silence = 30s;

Keeper::Keeper(const FarSession &session, EngineChild engine, OwnedFd listener, const FarOptions &options)
    : session_(session), engine_(std::move(engine)), listener_(std::move(listener)), options_(options) {
  sendNote(fromKeeper::session, noteText(llvm::json::Object{{"folder", session_.filesPath()}}));
}

void Keeper::run() {
  while (!isOver()) {
    wait();
    acceptLink();
    readLink();
    readEngine();
    if (engine_.wantsInput())
      engine_.writeInput();
    advance();
    watchFiles();
    noteEnd();
    moveOutgoing();
    writeLink();
  }
}

bool Keeper::isOver() {
  const auto now = Clock::now();
  if (link_)
    lastLink_ = now;
  if (link_ && now - lastBytes_ > silence)
    dropLink();
  wasLinked_ |= channel_.hasHello();
  const bool isTold = hasEnded_ && outgoing_.empty() && channel_.unconfirmed() == 0;
  // Whoever started it and never said a word does not come back, and an engine that has ended is not waited for long.
  constexpr unsigned littlePatience = 60;
  const bool isWorthWaiting = wasLinked_ && !hasEnded_;
  const unsigned patience = isWorthWaiting ? options_.keepSeconds : std::min(options_.keepSeconds, littlePatience);
  return isTold || now - lastLink_ > std::chrono::seconds(patience);
}

void Keeper::wait() {
  pollfd wanted[6];
  nfds_t count = 0;
  auto add = [&](int fd, short events) {
    if (fd >= 0)
      wanted[count++] = {.fd = fd, .events = events, .revents = 0};
  };
  add(listener_.get(), POLLIN);
  const bool hasLinkOutput = channel_.hasOutput() || !linkOutput_.empty();
  add(link_.get(), static_cast<short>(POLLIN | (hasLinkOutput ? POLLOUT : 0)));
  add(engine_.out(), POLLIN);
  add(engine_.log(), POLLIN);
  if (engine_.wantsInput())
    add(engine_.in(), POLLOUT);
  const bool isCatchingUp = llvm::any_of(isAsked_, [](const auto &each) { return !each.second; });
  constexpr int tickMs = 250; // for the end of the engine, and for files that grow
  poll(wanted, count, isCatchingUp ? 0 : tickMs);
}

void Keeper::acceptLink() {
  OwnedFd accepted(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!accepted)
    return;
  ucred peer{};
  socklen_t size = sizeof peer;
  if (getsockopt(accepted.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != geteuid())
    return;
  dropLink();
  link_ = std::move(accepted);
  lastBytes_ = Clock::now();
  reclaimFiles();
  channel_.connect(std::exchange(isFirstLink_, false));
}

void Keeper::dropLink() {
  channel_.disconnect();
  linkOutput_.clear();
  link_.reset();
  for (auto &[hash, file] : incoming_)
    file->release();
}

/// Files that were on their way when the last link went.
void Keeper::reclaimFiles() {
  for (auto each = incoming_.begin(); each != incoming_.end();) {
    if (each->second->reclaim()) {
      ++each;
      continue;
    }
    refused_[each->first] = "another session has gone on with it; try again";
    isAsked_.erase(each->first);
    each = incoming_.erase(each);
  }
}

void Keeper::readLink() {
  std::string bytes;
  if (!link_)
    return;
  const ReadResult result = readSome(link_.get(), bytes);
  std::vector<LinkMessage> messages;
  const bool isFine = channel_.receive(bytes, messages);
  if (!bytes.empty())
    lastBytes_ = Clock::now();
  if (!isFine || result == ReadResult::End)
    dropLink();
  for (const LinkMessage &message : messages)
    handle(message);
}

void Keeper::writeLink() {
  if (!link_)
    return;
  constexpr size_t most = size_t(256) << 10;
  while (linkOutput_.empty() && channel_.hasOutput()) {
    linkOutput_.add(channel_.takeOutput(most));
    if (!linkOutput_.writeTo(link_.get()))
      return dropLink();
  }
  if (!linkOutput_.writeTo(link_.get()))
    dropLink();
}

void Keeper::handle(const LinkMessage &message) {
  if (message.kind == toKeeper::end)
    isClosing_ = true;
  else if (message.kind == toKeeper::kill)
    engine_.kill();
  auto note = readNote(message.text);
  if (!note)
    return;
  if (message.kind == toKeeper::request)
    hold(std::move(*note));
  else if (message.kind == toKeeper::notify)
    notify(*note);
  else if (message.kind == toKeeper::put)
    put(*note);
  else if (message.kind == toKeeper::unread)
    giveUp(*note);
}

void Keeper::sendNote(MessageKind kind, std::string text) {
  outgoing_.push_back({.kind = kind, .text = std::move(text)});
}

void Keeper::sendFile(const FarOutput &output) {
  if (OwnedFd file = session_.read(output.at))
    outgoing_.push_back({.kind = fromKeeper::output, .file = std::move(file), .id = output.id});
}

void Keeper::moveOutgoing() {
  constexpr size_t pieceBytes = size_t(256) << 10;
  while (!outgoing_.empty() && channel_.unconfirmed() < mostOnTheWay) {
    Outgoing &first = outgoing_.front();
    if (!first.file) {
      channel_.send(first.kind, first.text);
      outgoing_.pop_front();
      continue;
    }
    std::string piece(pieceBytes, '\0');
    ssize_t count = pread(first.file.get(), piece.data(), piece.size(), static_cast<off_t>(first.offset));
    piece.resize(static_cast<size_t>(std::max<ssize_t>(count, 0)));
    channel_.send(
        first.kind,
        noteText(llvm::json::Object{{"id", first.id}, {"offset", first.offset}, {"isLast", piece.empty()}}, piece));
    first.offset += piece.size();
    if (piece.empty())
      outgoing_.pop_front();
  }
}

void Keeper::readEngine() {
  std::string bytes;
  if (engine_.log() >= 0) {
    if (readSome(engine_.log(), bytes) == ReadResult::End)
      engine_.closeLog();
    if (!bytes.empty())
      sendNote(fromKeeper::log, std::move(bytes));
  }
  bytes.clear();
  if (engine_.out() < 0)
    return;
  const ReadResult result = readSome(engine_.out(), bytes);
  frames_.feed(bytes);
  while (std::optional<std::string> message = frames_.next())
    takeReply(std::move(*message));
  if (result == ReadResult::End)
    engine_.closeOut();
}

void Keeper::takeReply(std::string text) {
  auto found = outputs_.empty() ? outputs_.end() : outputs_.find(idOfReply(text));
  if (found != outputs_.end()) {
    for (FarOutput &output : found->second) {
      if (stampText(output.at) != output.before)
        sendFile(output);
      output.before = stampText(output.at);
      llvm::erase_if(watched_, [&](const FarOutput &known) { return known.at == output.at; });
      if (output.isUpdated)
        watched_.push_back(output);
    }
    outputs_.erase(found);
  }
  sendNote(fromKeeper::message, std::move(text));
}

std::string Keeper::stampText(const std::string &at) const {
  OwnedFd file = session_.read(at);
  struct stat status {};
  if (!file || fstat(file.get(), &status) != 0)
    return "";
  return std::to_string(status.st_ino) + " " + std::to_string(status.st_size) + " " +
         std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec);
}

void Keeper::watchFiles() {
  const auto now = Clock::now();
  if (watched_.empty() || (now - lastWatch_ < 1s && !hasEnded_))
    return;
  lastWatch_ = now;
  for (FarOutput &output : watched_)
    if (std::string stamp = stampText(output.at); stamp != output.before) {
      output.before = std::move(stamp);
      sendFile(output);
    }
}

void Keeper::noteEnd() {
  // What it said last is read first.
  std::optional<ChildEnd> end = hasEnded_ ? std::nullopt : engine_.end();
  if (!end)
    return;
  readEngine();
  hasEnded_ = true;
  watchFiles();
  sendNote(fromKeeper::exit, noteText(llvm::json::Object{{"code", end->code}, {"signal", end->signal}}));
}

} // namespace fuselage::remote
