#include "core/remote/link/ByteQueue.h"
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace fuselage::remote {

void setNonBlocking(int fd) { fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); }

void ByteQueue::clear() {
  bytes_.clear();
  begin_ = 0;
}

bool ByteQueue::writeTo(int fd) {
  while (!empty()) {
    ssize_t count = ::write(fd, bytes_.data() + begin_, size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return errno == EAGAIN || errno == EWOULDBLOCK;
    begin_ += static_cast<size_t>(count);
  }
  clear();
  return true;
}

ReadResult readSome(int fd, std::string &bytes) {
  constexpr size_t most = size_t(256) << 10;
  const size_t before = bytes.size();
  bytes.resize(before + most);
  ssize_t count;
  do
    count = ::read(fd, bytes.data() + before, most);
  while (count < 0 && errno == EINTR);
  const bool isLater = count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  bytes.resize(before + static_cast<size_t>(std::max<ssize_t>(count, 0)));
  return count > 0 ? ReadResult::Some : isLater ? ReadResult::None : ReadResult::End;
}

} // namespace fuselage::remote
