#include "core/support/StandardOutput.h"
#include "core/support/Error.h"
#include "core/text/PrintableText.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace fuselage {
namespace {

/// Text on its way to the descriptor.
class ResultStream : public llvm::raw_ostream {
public:
  ~ResultStream() override { flush(); }

  void writeBytes(llvm::StringRef bytes) {
    flush();
    writeAll(pieces_.last());
    writeAll(bytes);
  }
  int takeError() {
    flush();
    writeAll(pieces_.last());
    return std::exchange(error_, 0);
  }

  int descriptor = STDOUT_FILENO;
  std::function<void()> before;

private:
  void write_impl(const char *text, size_t size) override { writeAll(pieces_.next({text, size})); }
  uint64_t current_pos() const override { return written_; }

  void writeAll(llvm::StringRef rest) {
    if (!rest.empty() && before)
      before();
    while (!rest.empty() && error_ == 0) {
      ssize_t count = ::write(descriptor, rest.data(), rest.size());
      if (count < 0 && errno != EINTR)
        error_ = errno;
      if (count <= 0)
        continue;
      written_ += static_cast<uint64_t>(count);
      rest = rest.drop_front(static_cast<size_t>(count));
    }
  }

  PrintablePieces pieces_;
  uint64_t written_ = 0;
  int error_ = 0;
};

ResultStream &stream() {
  static ResultStream only;
  return only;
}

} // namespace

void reserveStandardOutput() {
  llvm::outs().SetUnbuffered(); // in order with what else is said
  int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (copy < 0)
    return;
  stream().descriptor = copy;
  dup2(STDERR_FILENO, STDOUT_FILENO);
}

int standardOutput() { return stream().descriptor; }
void callBeforeResults(std::function<void()> call) { stream().before = std::move(call); }
llvm::raw_ostream &results() { return stream(); }
void writeResultBytes(llvm::StringRef bytes) { stream().writeBytes(bytes); }

llvm::Error finishResults() {
  int error = stream().takeError();
  if (error == 0)
    return llvm::Error::success();
  // A descriptor that was closed when the program began can only be read from; see prepareProcess().
  return fail(std::string("cannot write to the standard output: ") +
              (error == EBADF ? "it is closed" : std::strerror(error)));
}

} // namespace fuselage
