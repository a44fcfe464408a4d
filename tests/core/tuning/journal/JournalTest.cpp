#include "core/tuning/journal/Journal.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <csignal>
#include <fstream>
#include <set>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace fuselage;
using namespace fuselage::tune;

namespace {

class JournalTest : public testing::Test {
protected:
  JournalTest() {
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("journal", "jsonl", file));
    path = std::string(file);
  }
  ~JournalTest() override { llvm::sys::fs::remove(path); }

  static Trial trial(unsigned number, const char *device = "vulkan:0") {
    return {
        .key =
            {.module = "aa", .dispatch = "0", .schedule = "bb", .device = device, .driver = "Mesa 22", .version = "1"},
        .parameters = {{"rows", std::to_string(number)}, {"order", "first, \"quoted\""}},
        .status = TrialStatus::Ok,
        .microseconds = {3, 1, 2.5},
        .baseline = {4},
        .baselineParameters = {{"rows", "1"}},
        .kernel = "cc",
        .strategy = "random",
        .seconds = 0.5,
        .time = 1700000000};
  }
  Journal open() {
    auto journal = Journal::open(path);
    if (!journal) {
      ADD_FAILURE() << takeFailure(journal.takeError()).message;
      std::abort();
    }
    return std::move(*journal);
  }
  std::string text() { return (*llvm::MemoryBuffer::getFile(path))->getBuffer().str(); }
  /// Runs `work` in a child; its status as of waitpid.
  template <class Work> static int inChild(Work work, int signalAfterMs = 0) {
    pid_t child = fork();
    if (child == 0) {
      work();
      _exit(0);
    }
    if (signalAfterMs) {
      usleep(signalAfterMs * 1000);
      kill(child, SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }

  llvm::SmallString<128> file;
  std::string path;
};

TEST_F(JournalTest, AFileOfAnotherKindIsLeftAlone) {
  const std::string module = "func.func @main() {\n  return\n}\n// no newline after this";
  std::ofstream(path) << module;
  auto journal = Journal::open(path);
  ASSERT_FALSE(journal);
  EXPECT_NE(takeFailure(journal.takeError()).message.find("is no journal"), std::string::npos);
  EXPECT_EQ(text(), module);
}

TEST_F(JournalTest, AFirstLineThatIsTornOrBrokenIsNoReason) {
  for (const char *start : {"", "\n", "{", "{\"for", "nonsense\n{\"format\":7}\n"}) {
    std::ofstream(path, std::ios::trunc) << start;
    auto journal = Journal::open(path);
    if (!journal)
      ADD_FAILURE() << start << ": " << takeFailure(journal.takeError()).message;
  }
}

TEST_F(JournalTest, GivesBackWhatWasWritten) {
  {
    Journal journal = open();
    ASSERT_FALSE(static_cast<bool>(journal.append(trial(1))));
    Trial wrong = trial(2);
    wrong.status = TrialStatus::Wrong;
    wrong.why = "result 0 is off\nby a lot";
    wrong.microseconds.clear();
    ASSERT_FALSE(static_cast<bool>(journal.append(wrong)));
  }
  Journal journal = open();
  ASSERT_EQ(journal.trials().size(), 2u);
  const Trial &first = journal.trials()[0], &second = journal.trials()[1];
  EXPECT_EQ(first.key, trial(1).key);
  EXPECT_EQ(first.parameters, trial(1).parameters);
  EXPECT_EQ(first.microseconds, (std::vector<double>{3, 1, 2.5}));
  EXPECT_EQ(first.baselineParameters.at("rows"), "1");
  EXPECT_EQ(first.medianUs(), 2.5);
  EXPECT_EQ(first.minUs(), 1);
  EXPECT_EQ(first.time, 1700000000u);
  EXPECT_EQ(second.status, TrialStatus::Wrong);
  EXPECT_EQ(second.why, "result 0 is off\nby a lot");
  EXPECT_EQ(second.medianUs(), std::nullopt);
  EXPECT_EQ(llvm::StringRef(text()).count('\n'), 2u);
}

TEST_F(JournalTest, KeepsDevicesApart) {
  Journal journal = open();
  for (const char *device : {"vulkan:0", "cuda:0", "vulkan:0"})
    ASSERT_FALSE(static_cast<bool>(journal.append(trial(1, device))));
  Trial newer = trial(1);
  newer.key.driver = "Mesa 23";
  ASSERT_FALSE(static_cast<bool>(journal.append(newer)));
  Trial unrelated = trial(1);
  unrelated.key.schedule = "dd";
  ASSERT_FALSE(static_cast<bool>(journal.append(unrelated)));
  EXPECT_EQ(journal.trialsOf(trial(1).key).size(), 2u);
  EXPECT_EQ(journal.trialsElsewhere(trial(1).key).size(), 2u);
}

TEST_F(JournalTest, CutsATornLastLineOff) {
  {
    Journal journal = open();
    ASSERT_FALSE(static_cast<bool>(journal.append(trial(1))));
  }
  std::string whole = text();
  std::ofstream(path, std::ios::app) << "{\"format\":1,\"mod";
  Journal journal = open();
  EXPECT_EQ(journal.trials().size(), 1u);
  EXPECT_EQ(journal.cut(), 16u);
  EXPECT_EQ(text(), whole);
  // One that dies while this one is open, too.
  std::ofstream(path, std::ios::app) << std::string(100'000, 'x');
  ASSERT_FALSE(static_cast<bool>(journal.append(trial(2))));
  EXPECT_EQ(journal.trials().size(), 2u);
  EXPECT_EQ(llvm::StringRef(text()).count('x'), llvm::StringRef(whole).count('x') * 2);
}

TEST_F(JournalTest, LeavesLinesOfOthersAlone) {
  std::ofstream(path) << "{\"format\":2,\"new\":true}\nno json\n\n[1]\n";
  Journal journal = open();
  EXPECT_EQ(journal.unreadable(), 3u);
  ASSERT_FALSE(static_cast<bool>(journal.append(trial(1))));
  EXPECT_EQ(journal.trials().size(), 1u);
  EXPECT_TRUE(llvm::StringRef(text()).starts_with("{\"format\":2,\"new\":true}\nno json\n"));
}

TEST_F(JournalTest, LosesNothingToAKill) {
  for (int after : {5, 17, 40}) {
    std::string report = path + ".done";
    int status = inChild(
        [&] {
          Journal journal = open();
          for (unsigned i = 0;; ++i) {
            if (llvm::Error error = journal.append(trial(i)))
              _exit(1);
            std::ofstream(report, std::ios::app) << "x" << std::flush; // what it was told is recorded
          }
        },
        after);
    EXPECT_TRUE(WIFSIGNALED(status));
    size_t told = 0;
    if (auto done = llvm::MemoryBuffer::getFile(report))
      told = (*done)->getBufferSize();
    Journal journal = open();
    EXPECT_GE(journal.trials().size(), told);
    EXPECT_LE(journal.trials().size(), told + 1);
    EXPECT_EQ(journal.unreadable(), 0u);
    llvm::sys::fs::remove(report);
    llvm::sys::fs::remove(path);
  }
}

TEST_F(JournalTest, TakesSeveralWriters) {
  constexpr unsigned writers = 4, each = 50;
  std::vector<pid_t> children;
  for (unsigned writer = 0; writer < writers; ++writer) {
    pid_t child = fork();
    if (child == 0) {
      Journal journal = open();
      for (unsigned i = 0; i < each; ++i)
        if (llvm::Error error = journal.append(trial(writer * each + i)))
          _exit(1);
      _exit(0);
    }
    children.push_back(child);
  }
  Journal journal = open();
  for (pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_FALSE(static_cast<bool>(journal.refresh()));
  }
  ASSERT_EQ(journal.trials().size(), writers * each);
  EXPECT_EQ(journal.unreadable(), 0u);
  std::set<std::string> seen;
  for (const Trial &trial : journal.trials())
    seen.insert(trial.parameters.at("rows"));
  EXPECT_EQ(seen.size(), writers * each);
}

TEST_F(JournalTest, SaysThatTheDiskIsFull) {
  {
    Journal journal = open();
    ASSERT_FALSE(static_cast<bool>(journal.append(trial(0))));
  }
  std::string first = text();
  int status = inChild([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{.rlim_cur = first.size() * 3 + 20, .rlim_max = first.size() * 3 + 20}; // two more, and a piece
    setrlimit(RLIMIT_FSIZE, &limit);
    Journal journal = open();
    for (unsigned i = 1; i < 10; ++i)
      if (llvm::Error error = journal.append(trial(i)))
        _exit(takeFailure(std::move(error)).message.find("cannot write the journal") == std::string::npos
                  ? 99
                  : static_cast<int>(i));
    _exit(98);
  });
  EXPECT_EQ(WEXITSTATUS(status), 3); // the third one did not fit
  EXPECT_EQ(text().size(), first.size() * 3);
  Journal journal = open();
  EXPECT_EQ(journal.trials().size(), 3u);
  EXPECT_EQ(journal.cut(), 0u); // it was cut by who could not write it
}

class JournalFolderTest : public JournalTest {
protected:
  JournalFolderTest() {
    llvm::sys::fs::remove(path);
    path += "/";
  }
  ~JournalFolderTest() override { llvm::sys::fs::remove_directories(path); }
};

TEST_F(JournalFolderTest, HasAFileForEachProcess) {
  Journal journal = open();
  ASSERT_FALSE(static_cast<bool>(journal.append(trial(1))));
  for (unsigned i = 2; i < 4; ++i)
    EXPECT_EQ(inChild([&] {
                Journal other = open();
                if (other.append(trial(i)))
                  _exit(1);
              }),
              0);
  ASSERT_FALSE(static_cast<bool>(journal.refresh()));
  EXPECT_EQ(journal.trials().size(), 3u);
  // What is torn belongs to a process that died; its file stays as it is.
  std::ofstream(path + "other-1.jsonl") << "{\"format\":1,\"mod";
  ASSERT_FALSE(static_cast<bool>(journal.append(trial(4))));
  Journal again = open();
  EXPECT_EQ(again.trials().size(), 4u);
  EXPECT_EQ(again.unreadable(), 0u);
}

TEST_F(JournalFolderTest, LosesNothingToSeveralWhoClaim) {
  constexpr unsigned writers = 4, points = 60;
  std::vector<pid_t> children;
  for (unsigned writer = 0; writer < writers; ++writer) {
    pid_t child = fork();
    if (child == 0) {
      Journal journal = open();
      for (unsigned i = 0; i < points; ++i) {
        auto isOurs = journal.claim(trial(i).key, trial(i).parameters, {.seconds = 100});
        if (!isOurs || (*isOurs == Journal::Claimed::Ours && journal.append(trial(i))))
          _exit(1);
      }
      _exit(0);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(open().trials().size(), points); // each once
}

/// Another process, which makes claims and lives until it is told otherwise.
class OtherProcess {
public:
  explicit OtherProcess(const std::string &path) {
    EXPECT_EQ(pipe(requests_), 0);
    EXPECT_EQ(pipe(answers_), 0);
    process_ = fork();
    if (process_ != 0)
      return;
    auto journal = llvm::cantFail(Journal::open(path));
    for (Request request; read(requests_[0], &request, sizeof(request)) == sizeof(request);) {
      TrialKey key;
      key.module = request.key == 0 ? "aa" : "other";
      Journal::Claimed claimed =
          llvm::cantFail(journal.claim(key, {{"rows", std::to_string(request.number)}}, request.rules));
      if (write(answers_[1], &claimed, sizeof(claimed)) != sizeof(claimed))
        break;
    }
    _exit(0);
  }
  ~OtherProcess() {
    end();
    for (int file : {requests_[0], requests_[1], answers_[0], answers_[1]})
      close(file);
  }
  Journal::Claimed claim(unsigned number, const Journal::ClaimRules &rules, int key = 0) {
    Request request{.number = number, .key = key, .rules = rules};
    Journal::Claimed claimed = Journal::Claimed::Made;
    EXPECT_EQ(write(requests_[1], &request, sizeof(request)), ssize_t(sizeof(request)));
    EXPECT_EQ(read(answers_[0], &claimed, sizeof(claimed)), ssize_t(sizeof(claimed)));
    return claimed;
  }
  void end() {
    if (process_ > 0) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
    process_ = -1;
  }

private:
  struct Request {
    unsigned number = 0;
    int key = 0;
    Journal::ClaimRules rules{};
  };
  pid_t process_ = -1;
  int requests_[2]{}, answers_[2]{};
};

class ClaimTest : public JournalTest {
protected:
  using Claimed = Journal::Claimed;
  static Trial plain(unsigned number) {
    Trial trial;
    trial.key.module = "aa";
    trial.parameters = {{"rows", std::to_string(number)}};
    trial.status = TrialStatus::Ok;
    return trial;
  }
  static Claimed claim(Journal &journal, unsigned number, const Journal::ClaimRules &rules = {.seconds = 100}) {
    return llvm::cantFail(journal.claim(plain(number).key, plain(number).parameters, rules));
  }
  static void make(Journal &journal, unsigned number) {
    ASSERT_FALSE(static_cast<bool>(journal.append(plain(number))));
  }
};

TEST_F(ClaimTest, IsLeftToWhoMadeIt) {
  Journal journal = open();
  OtherProcess other(path);
  EXPECT_EQ(claim(journal, 1), Claimed::Ours);
  EXPECT_EQ(claim(journal, 1), Claimed::Ours) << "it is";
  EXPECT_EQ(other.claim(1, {.seconds = 100}), Claimed::Theirs);
  EXPECT_EQ(other.claim(2, {.seconds = 100}), Claimed::Ours);
  EXPECT_EQ(claim(journal, 2), Claimed::Theirs);
  EXPECT_EQ(other.claim(3, {.seconds = -1}), Claimed::Ours); // its time is over
  EXPECT_EQ(claim(journal, 3), Claimed::Ours);
  make(journal, 1);
  EXPECT_EQ(claim(journal, 1), Claimed::Made);
  EXPECT_EQ(claim(journal, 2), Claimed::Theirs);
  EXPECT_EQ(journal.trials().size(), 1u);
  EXPECT_EQ(journal.unreadable(), 0u);
}

TEST_F(ClaimTest, OfAProcessThatHasEndedCountsForNothing) {
  Journal journal = open();
  OtherProcess other(path);
  EXPECT_EQ(other.claim(1, {.seconds = 100}), Claimed::Ours);
  EXPECT_EQ(other.claim(2, {.seconds = 100}), Claimed::Ours);
  EXPECT_EQ(claim(journal, 3, {.seconds = 100, .most = 2}), Claimed::Full);
  other.end();
  EXPECT_EQ(claim(journal, 3, {.seconds = 100, .most = 2}), Claimed::Ours);
  EXPECT_EQ(claim(journal, 1), Claimed::Ours);
}

TEST_F(ClaimTest, IsPartOfTheBudget) {
  Journal journal = open();
  OtherProcess other(path);
  const Journal::ClaimRules three{.seconds = 100, .most = 3};
  EXPECT_EQ(other.claim(9, three, /*key=*/1), Claimed::Ours) << "of other work";
  EXPECT_EQ(claim(journal, 1, three), Claimed::Ours);
  make(journal, 1);
  EXPECT_EQ(claim(journal, 2, three), Claimed::Ours);
  EXPECT_EQ(other.claim(3, three), Claimed::Ours);
  EXPECT_EQ(claim(journal, 4, three), Claimed::Full) << "one made, two under way";
  EXPECT_EQ(claim(journal, 2, three), Claimed::Ours) << "it is one of them";
  make(journal, 2);
  make(journal, 3);
  EXPECT_EQ(claim(journal, 4, three), Claimed::Spent);
}

TEST_F(ClaimTest, WaitsToBeAlone) {
  Journal journal = open();
  OtherProcess other(path);
  const Journal::ClaimRules alone{.seconds = 100, .isAlone = true};
  EXPECT_EQ(other.claim(1, alone), Claimed::Ours);
  EXPECT_EQ(claim(journal, 2, alone), Claimed::Theirs);
  make(journal, 1);
  EXPECT_EQ(claim(journal, 2, alone), Claimed::Ours);
}

TEST_F(JournalTest, KnowsHowTheBaselineDrifted) {
  std::vector<Trial> trials;
  for (double us : {10.0, 11.0, 12.0})
    trials.push_back(trial(1)), trials.back().baseline = {us};
  trials.push_back(trials.back());
  trials.back().baseline = {100};
  trials.back().status = TrialStatus::CutShort;
  for (double us : {50.0, 51.0})
    trials.push_back(trial(2)), trials.back().baseline = {us}, trials.back().worker = "ssh b";
  std::vector<const Trial *> all;
  for (const Trial &each : trials)
    all.push_back(&each);
  auto drift = driftOf(all);
  ASSERT_TRUE(drift);
  EXPECT_EQ(drift->firstUs, 10);
  EXPECT_EQ(drift->lastUs, 12);
  EXPECT_EQ(drift->worker, "");
  EXPECT_FALSE(driftOf(llvm::ArrayRef(all).take_front(1)));
}

TEST_F(JournalTest, LooksWithoutATouch) {
  {
    Journal journal = open();
    ASSERT_FALSE(static_cast<bool>(journal.append(trial(1))));
  }
  std::ofstream(path, std::ios::app) << "{\"format\":1,\"mod";
  std::string before = text();
  Journal journal = llvm::cantFail(Journal::read(path));
  EXPECT_EQ(journal.trials().size(), 1u);
  EXPECT_EQ(text(), before);
  llvm::Error error = journal.append(trial(2));
  EXPECT_TRUE(static_cast<bool>(error));
  llvm::consumeError(std::move(error));
  EXPECT_EQ(text(), before);
  auto none = Journal::read(path + ".none");
  EXPECT_FALSE(static_cast<bool>(none));
  llvm::consumeError(none.takeError());
  EXPECT_FALSE(llvm::sys::fs::exists(path + ".none"));
}

TEST_F(JournalTest, DoesNotFollowWhatIsNestedWithoutEnd) {
  std::ofstream(path) << "{\"format\":1}\n" << std::string(200'000, '[') << "\n";
  EXPECT_EQ(open().unreadable(), 2u);
}

TEST_F(JournalTest, RefusesWhatIsNoFile) {
  auto device = Journal::open("/dev/null");
  ASSERT_FALSE(static_cast<bool>(device));
  EXPECT_NE(takeFailure(device.takeError()).message.find("no regular file"), std::string::npos);
}

TEST_F(JournalTest, WritesCsv) {
  Trial one = trial(8);
  one.kernel = "c,c";
  EXPECT_EQ(
      toCsv({&one}),
      "order,rows,status,min_us,median_us,baseline_median_us,repeats,kernel,strategy,device,driver,why,one_thread\n"
      "\"first, \"\"quoted\"\"\",8,ok,1.000,2.500,4.000,3,\"c,c\",random,vulkan:0,Mesa 22,,\n");
}

} // namespace
