#include "core/remote/near/FileSender.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace fuselage::remote {

/// On the way at most, so that requests do not wait long for a file.
static constexpr size_t mostFileBytesOnTheWay = size_t(2) << 20;

void FileSender::announce(const std::vector<WantedFile> &files) {
  constexpr uint64_t smallFile = 256 << 10, mostAtOnce = 1 << 20;
  uint64_t sent = 0;
  for (const WantedFile &file : files) {
    Known &known = known_[file.hash];
    known.path = file.path;
    known.size = file.size;
    if (known.isSent || file.size > smallFile || sent + file.size > mostAtOnce)
      continue;
    known.isSent = true;
    sent += file.size;
    Sending now{.hash = file.hash};
    while (sendPiece(now))
      ;
  }
}

void FileSender::lacks(const std::string &hash, uint64_t offset) {
  const bool isUnderWay = llvm::any_of(sending_, [&](const Sending &each) { return each.hash == hash; });
  if (known_.count(hash) && !isUnderWay)
    sending_.push_back({.hash = hash, .offset = offset});
}

void FileSender::giveUp(const Sending &sending, const std::string &why) {
  channel_.send(toKeeper::unread, noteText(llvm::json::Object{{"hash", sending.hash}, {"why", why}}));
}

/// True: there is more of it.
bool FileSender::sendPiece(Sending &sending) {
  constexpr size_t pieceBytes = size_t(256) << 10;
  const Known &known = known_[sending.hash];
  if (!sending.file)
    sending.file = OwnedFd(open(known.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::string piece(pieceBytes, '\0');
  ssize_t count = pread(sending.file.get(), piece.data(), piece.size(), static_cast<off_t>(sending.offset));
  if (count < 0) {
    giveUp(sending, "cannot read '" + known.path + "': " + std::strerror(errno));
    return false;
  }
  piece.resize(static_cast<size_t>(count));
  if (piece.empty() && sending.offset < known.size) {
    giveUp(sending, "'" + known.path + "' was changed while it was sent; try again");
    return false;
  }
  channel_.send(
      toKeeper::put,
      noteText(llvm::json::Object{{"hash", sending.hash}, {"offset", sending.offset}, {"size", known.size}}, piece));
  sending.offset += piece.size();
  return sending.offset < known.size;
}

void FileSender::move() {
  while (!sending_.empty() && channel_.unconfirmed() < mostFileBytesOnTheWay)
    if (!sendPiece(sending_.front()))
      sending_.pop_front();
}

void FileSender::stop(const std::string &hash) {
  std::erase_if(sending_, [&](const Sending &each) { return each.hash == hash; });
}

} // namespace fuselage::remote
