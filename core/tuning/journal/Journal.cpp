#include "core/tuning/journal/Journal.h"
#include "core/support/JsonDepth.h"
#include "core/text/CsvCell.h"
#include "core/tuning/journal/ProcessName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fuselage::tune {
namespace {

/// A trial takes a few KiB.
constexpr uint64_t kMostJournalBytes = uint64_t(1) << 30, kMostLineBytes = uint64_t(16) << 20;

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

/// The trial, whoever makes it; without parameters what those of one key begin with.
std::string idOf(const TrialKey &key, const std::map<std::string, std::string> &parameters = {}) {
  std::string text;
  for (const std::string *part : {&key.module, &key.dispatch, &key.schedule, &key.device, &key.driver, &key.version})
    text += *part + '\0';
  for (const auto &[name, value] : parameters)
    text += name + '\0' + value + '\0';
  return text;
}

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
    : path_(std::move(other.path_)), isFolder_(other.isFolder_), isOnlyRead_(other.isOnlyRead_),
      files_(std::exchange(other.files_, {})), ownPath_(std::move(other.ownPath_)),
      lock_(std::exchange(other.lock_, -1)), trials_(std::move(other.trials_)), made_(std::move(other.made_)),
      claims_(std::move(other.claims_)), unreadable_(other.unreadable_), cut_(other.cut_) {}

Journal::~Journal() {
  for (const File &each : files_)
    close(each.file);
  if (isFolder_ && lock_ >= 0)
    close(lock_);
}

llvm::Error Journal::failure(llvm::StringRef what, int error) const {
  return fail("cannot " + what.str() + " the journal '" + path_ + "': " + std::strerror(error));
}

llvm::Expected<Journal> Journal::open(llvm::StringRef path) {
  Journal journal(path.str());
  journal.isFolder_ = path.ends_with("/") || llvm::sys::fs::is_directory(path);
  if (llvm::Error error = journal.isFolder_ ? journal.openFolder() : journal.openFile())
    return error;
  if (llvm::Error error = journal.refresh())
    return error;
  return journal;
}

llvm::Expected<Journal> Journal::read(llvm::StringRef path) {
  Journal journal(path.str());
  journal.isOnlyRead_ = true;
  journal.isFolder_ = llvm::sys::fs::is_directory(path);
  if (!journal.isFolder_)
    if (llvm::Error error = journal.openFile())
      return error;
  if (llvm::Error error = journal.refresh())
    return error;
  return journal;
}

llvm::Error Journal::openFile() {
  int file =
      ::open(path_.c_str(), (isOnlyRead_ ? O_RDONLY : O_RDWR | O_APPEND | O_CREAT) | O_CLOEXEC | O_NONBLOCK, 0666);
  if (file < 0)
    return failure("open", errno);
  files_.push_back({.path = path_, .file = file});
  ownPath_ = path_;
  lock_ = file;
  struct stat status {};
  if (fstat(file, &status) != 0)
    return failure("open", errno);
  if (!S_ISREG(status.st_mode))
    return fail("cannot open the journal '" + path_ + "': it is no regular file");
  if (isOnlyRead_)
    return llvm::Error::success();
  Lock lock(file);
  if (lock.error())
    return failure("lock", lock.error());
  if (llvm::Error error = refuseOtherText())
    return error;
  return cutTornLine();
}

/// A file of another kind is somebody's, and its last line is not ours to cut.
llvm::Error Journal::refuseOtherText() {
  auto start = bytesOf(own()->file, 0, 4096);
  if (!start)
    return failure("read", errno);
  llvm::StringRef text = llvm::StringRef(*start).trim();
  constexpr llvm::StringLiteral line = "{\"";
  if (text.starts_with(line.take_front(text.size())) || text.contains(("\n" + line).str()))
    return llvm::Error::success();
  return fail("'" + path_ + "' is no journal, and is left as it is: it has no line of JSON");
}

llvm::Error Journal::openFolder() {
  if (std::error_code error = llvm::sys::fs::create_directories(path_))
    return failure("make the folder of", error.value());
  lock_ = ::open((path_ + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  return lock_ < 0 ? failure("open", errno) : llvm::Error::success();
}

/// Files of other processes that are new.
llvm::Error Journal::findFiles() {
  std::error_code error;
  std::vector<std::string> found;
  for (llvm::sys::fs::directory_iterator it(path_, error), end; !error && it != end; it.increment(error))
    if (llvm::StringRef(it->path()).ends_with(".jsonl"))
      found.push_back(it->path());
  if (error)
    return failure("read", error.value());
  llvm::sort(found);
  for (const std::string &path : found) {
    if (llvm::any_of(files_, [&](const File &known) { return known.path == path; }))
      continue;
    int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
      return failure("read '" + path + "' of", errno);
    files_.push_back({.path = path, .file = file});
  }
  return llvm::Error::success();
}

llvm::Error Journal::makeOwnFile() {
  for (unsigned number = 0;; ++number) {
    std::string path = path_ + (llvm::StringRef(path_).ends_with("/") ? "" : "/") + hostName() + "-" +
                       std::to_string(getpid()) + (number ? "-" + std::to_string(number) : "") + ".jsonl";
    int file = ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST) // of a process that had this number before
      continue;
    if (file < 0)
      return failure("make a file in", errno);
    files_.push_back({.path = path, .file = file});
    ownPath_ = std::move(path);
    return llvm::Error::success();
  }
}

Journal::File *Journal::own() {
  auto found = llvm::find_if(files_, [&](const File &each) { return each.path == ownPath_; });
  return found == files_.end() ? nullptr : &*found;
}

/// Under the lock nobody is writing, so that a last line without an end is one of a process that died.
llvm::Error Journal::cutTornLine() {
  int file = own()->file;
  struct stat status {};
  if (fstat(file, &status) != 0)
    return failure("read", errno);
  auto size = static_cast<uint64_t>(status.st_size), end = size;
  constexpr uint64_t piece = 1 << 16;
  while (end > 0) {
    if (size - end > kMostLineBytes)
      return fail("'" + path_ + "' is no journal, and is left as it is: its last line has more than " +
                  std::to_string(kMostLineBytes >> 20) + " MiB");
    uint64_t from = end > piece ? end - piece : 0;
    auto bytes = bytesOf(file, from, end);
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
  if (ftruncate(file, static_cast<off_t>(end)) != 0)
    return failure("cut the torn last line of", errno);
  cut_ += size - end;
  return llvm::Error::success();
}

llvm::Error Journal::refresh() {
  if (isFolder_)
    if (llvm::Error error = findFiles())
      return error;
  for (File &each : files_)
    if (llvm::Error error = refresh(each))
      return error;
  return llvm::Error::success();
}

bool Journal::isSame() const {
  return llvm::all_of(files_, [](const File &each) {
    struct stat opened {
    }, named{};
    return fstat(each.file, &opened) == 0 && stat(each.path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino && static_cast<uint64_t>(opened.st_size) >= each.read;
  });
}

llvm::Error Journal::refresh(File &each) {
  struct stat status {};
  if (fstat(each.file, &status) != 0)
    return failure("read", errno);
  auto size = static_cast<uint64_t>(status.st_size);
  if (size > kMostJournalBytes)
    return fail("cannot read '" + each.path + "': it has " + std::to_string(size >> 20) +
                " MiB, and a journal has at most " + std::to_string(kMostJournalBytes >> 20) +
                "; move its oldest lines to another file");
  while (each.read < size) {
    auto bytes = bytesOf(each.file, each.read, std::min(size, each.read + kMostLineBytes));
    if (!bytes)
      return failure("read", errno);
    // What another process is just writing has no end yet, and waits.
    llvm::StringRef text = llvm::StringRef(*bytes).take_front(bytes->rfind('\n') + 1);
    if (text.empty() && bytes->size() < kMostLineBytes)
      break;
    if (text.empty())
      return fail("cannot read '" + each.path + "': a line of it has more than " +
                  std::to_string(kMostLineBytes >> 20) + " MiB, and so it is no journal");
    each.read += text.size();
    while (!text.empty()) {
      llvm::StringRef line;
      std::tie(line, text) = text.split('\n');
      if (!line.trim().empty())
        readLine(line);
    }
  }
  return llvm::Error::success();
}

void Journal::readLine(llvm::StringRef line) {
  constexpr int mostNested = 100;
  if (jsonDepth(line) > mostNested) {
    ++unreadable_;
    return;
  }
  auto value = llvm::json::parse(line);
  if (!value) {
    llvm::consumeError(value.takeError());
    ++unreadable_;
  } else if (std::optional<Trial> trial = trialFrom(*value)) {
    std::string id = idOf(trial->key, trial->parameters);
    claims_.erase(id);
    made_.insert(std::move(id));
    trials_.push_back(std::move(*trial));
  } else if (std::optional<TrialClaim> claim = claimFrom(*value)) {
    std::string id = idOf(claim->key, claim->parameters);
    if (!made_.count(id))
      claims_[id] = {claim->by, claim->until};
  } else {
    ++unreadable_;
  }
}

/// Under the lock, where there is one.
llvm::Error Journal::writeLine(llvm::StringRef line, bool isTrial) {
  if (!own())
    if (llvm::Error error = makeOwnFile())
      return error;
  int file = own()->file;
  if (llvm::Error error = cutTornLine())
    return error;
  struct stat status {};
  if (fstat(file, &status) != 0)
    return failure("write", errno);
  ssize_t written = write(file, line.data(), line.size());
  int error = written < 0 ? errno : 0;
  if (error == 0 && static_cast<size_t>(written) == line.size())
    return !isTrial || fsync(file) == 0 ? llvm::Error::success() : failure("write", errno);
  // A disk that is nearly full takes a part; that goes again, so that the journal ends with a whole line.
  if (ftruncate(file, status.st_size) != 0)
    return failure("cut what did not fit off", errno);
  return failure("write", error ? error : ENOSPC);
}

llvm::Error Journal::append(const Trial &trial) {
  if (isOnlyRead_)
    return fail("the journal '" + path_ + "' is open to be read only");
  {
    Lock lock(lock_);
    if (lock.error() && !isFolder_)
      return failure("lock", lock.error());
    if (llvm::Error error = writeLine(llvm::formatv("{0}", toJson(trial)).str() + "\n", /*isTrial=*/true))
      return error;
  }
  return refresh();
}

/// Of one that is still at it.
bool Journal::isOfAnother(const Claim &claim) const {
  return claim.by != processName() && claim.until > static_cast<uint64_t>(std::time(nullptr)) && !hasEnded(claim.by);
}

llvm::Expected<Journal::Claimed>
Journal::claim(const TrialKey &key, const std::map<std::string, std::string> &parameters, const ClaimRules &rules) {
  if (isOnlyRead_)
    return fail("the journal '" + path_ + "' is open to be read only");
  Lock lock(lock_);
  if (lock.error() && !isFolder_)
    return failure("lock", lock.error());
  if (llvm::Error error = refresh())
    return error;
  std::string id = idOf(key, parameters), self = processName();
  if (made_.count(id))
    return Claimed::Made;
  if (auto claimed = claims_.find(id); claimed != claims_.end() && isOfAnother(claimed->second))
    return Claimed::Theirs;
  size_t made = 0, ours = 0, theirs = 0;
  const std::string start = idOf(key);
  for (auto each = made_.lower_bound(start); each != made_.end() && llvm::StringRef(*each).starts_with(start); ++each)
    ++made;
  for (auto each = claims_.lower_bound(start); each != claims_.end() && llvm::StringRef(each->first).starts_with(start);
       ++each) {
    ours += each->first != id && each->second.by == self;
    theirs += isOfAnother(each->second);
  }
  if (rules.isAlone && theirs > 0)
    return Claimed::Theirs;
  if (made >= rules.most)
    return Claimed::Spent;
  if (made + ours + theirs >= rules.most)
    return Claimed::Full;
  auto until = std::time(nullptr) + static_cast<std::time_t>(std::ceil(rules.seconds));
  TrialClaim claim{.key = key, .parameters = parameters, .by = self, .until = static_cast<uint64_t>(until)};
  if (llvm::Error error = writeLine(llvm::formatv("{0}", toJson(claim)).str() + "\n", /*isTrial=*/false))
    return error;
  if (llvm::Error error = refresh())
    return error;
  return Claimed::Ours;
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

std::string toCsv(llvm::ArrayRef<const Trial *> trials) {
  std::set<std::string> knobs;
  for (const Trial *trial : trials)
    for (const auto &[name, value] : trial->parameters)
      knobs.insert(name);
  std::string text;
  for (const std::string &knob : knobs)
    text += csvCell(knob) + ",";
  text += "status,min_us,median_us,baseline_median_us,repeats,kernel,strategy,device,driver,why,one_thread\n";
  auto number = [](std::optional<double> value) {
    return value ? llvm::formatv("{0:f3}", *value).str() : std::string();
  };
  for (const Trial *trial : trials) {
    for (const std::string &knob : knobs) {
      auto found = trial->parameters.find(knob);
      text += (found == trial->parameters.end() ? "" : csvCell(found->second)) + ",";
    }
    Trial baseline;
    baseline.microseconds = trial->baseline;
    text += csvCell(nameOf(trial->status).str()) + "," + number(trial->minUs()) + "," + number(trial->medianUs()) +
            "," + number(baseline.medianUs()) + "," + std::to_string(trial->microseconds.size()) + "," +
            csvCell(trial->kernel) + "," + csvCell(trial->strategy) + "," + csvCell(trial->key.device) + "," +
            csvCell(trial->key.driver) + "," + csvCell(trial->why) + "," + csvCell(trial->oneThread) + "\n";
  }
  return text;
}

} // namespace fuselage::tune
