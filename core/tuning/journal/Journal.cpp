#include "core/tuning/journal/Journal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <set>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fuselage::tune {
namespace {

/// Holds a lock on the file while it lives.
class Lock {
public:
  explicit Lock(int file) : file_(file) {
    do
      error_ = flock(file, LOCK_EX) == 0 ? 0 : errno;
    while (error_ == EINTR);
  }
  ~Lock() {
    if (error_ == 0)
      flock(file_, LOCK_UN);
  }
  int error() const { return error_; }

private:
  int file_, error_ = 0;
};

/// The bytes of the file from `from` to `to`; nullopt: errno says why.
std::optional<std::string> bytesOf(int file, uint64_t from, uint64_t to) {
  std::string bytes(to - from, 0);
  for (size_t done = 0; done < bytes.size();) {
    ssize_t got = pread(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(from + done));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return std::nullopt;
    if (got == 0) {
      bytes.resize(done);
      break;
    }
    done += static_cast<size_t>(got);
  }
  return bytes;
}

} // namespace

Journal::Journal(Journal &&other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)), read_(other.read_), trials_(std::move(other.trials_)),
      unreadable_(other.unreadable_), cut_(other.cut_) {}

Journal::~Journal() {
  if (file_ >= 0)
    close(file_);
}

llvm::Error Journal::failure(llvm::StringRef what, int error) const {
  return fail("cannot " + what.str() + " the journal '" + path_ + "': " + std::strerror(error));
}

llvm::Expected<Journal> Journal::open(llvm::StringRef path) {
  int file = ::open(path.str().c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  Journal journal(path.str(), file);
  if (file < 0)
    return journal.failure("open", errno);
  struct stat status {};
  if (fstat(file, &status) != 0)
    return journal.failure("open", errno);
  if (!S_ISREG(status.st_mode))
    return fail("cannot open the journal '" + path.str() + "': it is no regular file");
  if (Lock lock(file); lock.error())
    return journal.failure("lock", lock.error());
  else if (llvm::Error error = journal.cutTornLine())
    return error;
  if (llvm::Error error = journal.refresh())
    return error;
  return journal;
}

/// Under the lock nobody is writing, so that a last line without an end is one of a process that died.
llvm::Error Journal::cutTornLine() {
  struct stat status {};
  if (fstat(file_, &status) != 0)
    return failure("read", errno);
  auto size = static_cast<uint64_t>(status.st_size), end = size;
  constexpr uint64_t piece = 1 << 16;
  while (end > 0) {
    uint64_t from = end > piece ? end - piece : 0;
    auto bytes = bytesOf(file_, from, end);
    if (!bytes)
      return failure("read", errno);
    size_t newline = bytes->rfind('\n');
    if (newline != std::string::npos) {
      end = from + newline + 1;
      break;
    }
    end = from;
  }
  if (end == size)
    return llvm::Error::success();
  if (ftruncate(file_, static_cast<off_t>(end)) != 0)
    return failure("cut the torn last line of", errno);
  cut_ += size - end;
  return llvm::Error::success();
}

llvm::Error Journal::refresh() {
  struct stat status {};
  if (fstat(file_, &status) != 0)
    return failure("read", errno);
  auto bytes = bytesOf(file_, read_, std::max(read_, static_cast<uint64_t>(status.st_size)));
  if (!bytes)
    return failure("read", errno);
  // What another process is just writing has no end yet, and waits.
  llvm::StringRef text = llvm::StringRef(*bytes).take_front(bytes->rfind('\n') + 1);
  read_ += text.size();
  while (!text.empty()) {
    llvm::StringRef line;
    std::tie(line, text) = text.split('\n');
    if (line.trim().empty())
      continue;
    auto value = llvm::json::parse(line);
    std::optional<Trial> trial = value ? trialFrom(*value) : std::nullopt;
    if (!value)
      llvm::consumeError(value.takeError());
    if (trial)
      trials_.push_back(std::move(*trial));
    else
      ++unreadable_;
  }
  return llvm::Error::success();
}

llvm::Error Journal::writeLine(llvm::StringRef line) {
  struct stat status {};
  if (fstat(file_, &status) != 0)
    return failure("write", errno);
  ssize_t written = write(file_, line.data(), line.size());
  int error = written < 0 ? errno : 0;
  if (error == 0 && static_cast<size_t>(written) == line.size())
    return fsync(file_) == 0 ? llvm::Error::success() : failure("write", errno);
  // A disk that is nearly full takes a part; that goes again, so that the journal ends with a whole line.
  if (ftruncate(file_, status.st_size) != 0)
    return failure("cut what did not fit off", errno);
  return failure("write", error ? error : ENOSPC);
}

llvm::Error Journal::append(const Trial &trial) {
  std::string line = llvm::formatv("{0}", toJson(trial)).str() + "\n";
  {
    Lock lock(file_);
    if (lock.error())
      return failure("lock", lock.error());
    if (llvm::Error error = cutTornLine())
      return error;
    if (llvm::Error error = writeLine(line))
      return error;
  }
  return refresh();
}

std::vector<const Trial *> Journal::trialsOf(const TrialKey &key) const {
  std::vector<const Trial *> found;
  for (const Trial &trial : trials_)
    if (trial.key == key)
      found.push_back(&trial);
  return found;
}

std::vector<const Trial *> Journal::trialsElsewhere(const TrialKey &key) const {
  std::vector<const Trial *> found;
  for (const Trial &trial : trials_)
    if (trial.key.isElsewhere(key))
      found.push_back(&trial);
  return found;
}

/// As RFC 4180 has it.
static std::string csvField(llvm::StringRef text) {
  if (text.find_first_of(",\"\r\n") == llvm::StringRef::npos)
    return text.str();
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string toCsv(llvm::ArrayRef<const Trial *> trials) {
  std::set<std::string> knobs;
  for (const Trial *trial : trials)
    for (const auto &[name, value] : trial->parameters)
      knobs.insert(name);
  std::string text;
  for (const std::string &knob : knobs)
    text += csvField(knob) + ",";
  text += "status,min_us,median_us,baseline_median_us,repeats,kernel,strategy,device,driver,why\n";
  auto number = [](std::optional<double> value) { return value ? llvm::formatv("{0:f3}", *value).str() : std::string(); };
  for (const Trial *trial : trials) {
    for (const std::string &knob : knobs) {
      auto found = trial->parameters.find(knob);
      text += (found == trial->parameters.end() ? "" : csvField(found->second)) + ",";
    }
    Trial baseline;
    baseline.microseconds = trial->baseline;
    text += csvField(nameOf(trial->status)) + "," + number(trial->minUs()) + "," + number(trial->medianUs()) + "," +
            number(baseline.medianUs()) + "," + std::to_string(trial->microseconds.size()) + "," + trial->kernel + "," +
            csvField(trial->strategy) + "," + csvField(trial->key.device) + "," + csvField(trial->key.driver) + "," +
            csvField(trial->why) + "\n";
  }
  return text;
}

} // namespace fuselage::tune
