#include "core/remote/near/OutputReceiver.h"
#include "core/support/Error.h"
#include "core/support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace fuselage::remote {

using llvm::StringRef;

std::vector<int64_t> OutputReceiver::expect(const std::string &request, const std::vector<OutputPlace> &outputs) {
  std::vector<int64_t> ids;
  for (const OutputPlace &output : outputs) {
    ids.push_back(++lastId_);
    // A file that grows is sent under its last number.
    std::erase_if(expected_,
                  [&](const auto &each) { return each.second.isUpdated && each.second.path == output.path; });
    AwaitedFile &expected = expected_[lastId_];
    expected.request = request;
    expected.path = output.path;
    expected.isUpdated = output.isUpdated;
  }
  return ids;
}

/// A file without a name, which goes when it is closed.
static OwnedFd unnamedFile() {
  const char *chosen = std::getenv("TMPDIR");
  std::string name = std::string(chosen && *chosen ? chosen : "/tmp") + "/fuselage-output-XXXXXX";
  OwnedFd file(mkostemp(name.data(), O_CLOEXEC));
  if (file)
    unlink(name.c_str());
  return file;
}

llvm::Error OutputReceiver::take(const llvm::json::Object &header, StringRef bytes) {
  auto found = expected_.find(header.getInteger("id").value_or(0));
  if (found == expected_.end())
    return fail("the other side sends a file that nobody wants");
  AwaitedFile &expected = found->second;
  if (header.getInteger("offset") == 0) {
    expected.file = unnamedFile();
    expected.size = 0;
  }
  if (!expected.file || header.getInteger("offset") != int64_t(expected.size))
    return fail("a piece of '" + expected.path + "' is missing");
  while (!bytes.empty()) {
    ssize_t count = write(expected.file.get(), bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR)
      return fail("cannot take '" + expected.path + "' from the other machine: " + std::strerror(errno));
    bytes = bytes.drop_front(static_cast<size_t>(std::max<ssize_t>(count, 0)));
    expected.size += static_cast<uint64_t>(std::max<ssize_t>(count, 0));
  }
  if (!header.getBoolean("isLast").value_or(false))
    return llvm::Error::success();
  llvm::Error error = store(expected);
  expected.file.reset();
  if (!error)
    return error;
  problems_[expected.request] = takeFailure(std::move(error)).message;
  return fail(problems_[expected.request]);
}

static StringRef readPiece(int fd, std::string &buffer, uint64_t offset) {
  ssize_t count = pread(fd, buffer.data(), buffer.size(), static_cast<off_t>(offset));
  return StringRef(buffer).take_front(static_cast<size_t>(std::max<ssize_t>(count, 0)));
}

/// Writes it, piece by piece. Paths are mapped in texts alone: other files have lengths in them.
llvm::Error OutputReceiver::store(AwaitedFile &expected) {
  std::string buffer(size_t(1) << 20, '\0');
  constexpr size_t probeBytes = size_t(64) << 10;
  const bool isText = !readPiece(expected.file.get(), buffer, 0).take_front(probeBytes).contains('\0');
  return writeOutputFile(expected.path, [&](llvm::raw_ostream &os) {
    std::string rest;
    StringRef piece;
    for (uint64_t offset = 0; !(piece = readPiece(expected.file.get(), buffer, offset)).empty();
         offset += piece.size()) {
      if (!isText) {
        os << piece;
        continue;
      }
      // What may be the beginning of a path waits for the next piece.
      rest += piece;
      const size_t held = std::min(rest.size(), paths_.longestMatch());
      const size_t end = rest.size() - held;
      const size_t path = StringRef(rest).find(paths_.farFolder(), end > held ? end - held : 0);
      const size_t cut = std::min(end, path);
      os << paths_.toLocal(StringRef(rest).take_front(cut), /*isJson=*/false);
      rest.erase(0, cut);
    }
    os << paths_.toLocal(rest, /*isJson=*/false);
  });
}

std::string OutputReceiver::finish(const std::string &request) {
  for (auto each = expected_.begin(); each != expected_.end();)
    each = each->second.request == request && !each->second.isUpdated ? expected_.erase(each) : std::next(each);
  auto problem = problems_.find(request);
  if (problem == problems_.end())
    return "";
  std::string text = std::move(problem->second);
  problems_.erase(problem);
  return text;
}

} // namespace fuselage::remote
