#include "tests/fuzz/CliCase.h"
#include "app/cli/CommandLine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/xxhash.h"
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using llvm::StringRef;

namespace fuselage::fuzz {

static constexpr llvm::StringLiteral commands[] = {
    "graph", "step",    "explain", "explain-conservative", "fuse", "fuse-conservative", "fuse-clean-up", "run",
    "tiles", "buffers", "kernel",  "kernel-host",          "tune", "compare",           "schedule"};
static constexpr unsigned maxSeconds = 40;

llvm::ArrayRef<llvm::StringLiteral> cliCommands() { return commands; }

StringRef cliCommandOf(StringRef text) {
  llvm::SmallVector<StringRef> wanted;
  if (const char *given = std::getenv("FUSELAGE_FUZZ_COMMANDS"))
    StringRef(given).split(wanted, ',');
  else
    wanted.assign(std::begin(commands), std::end(commands));
  StringRef first = text.split('\n').first.trim();
  if (first.consume_front("// fuselage ") && llvm::is_contained(wanted, first))
    return first;
  return wanted[llvm::xxh3_64bits(text) % wanted.size()];
}

/// The options of a command, in one of the forms that its name may end with.
static std::vector<StringRef> optionsOf(StringRef command, StringRef form) {
  if (form == "conservative")
    return command == "fuse" ? std::vector<StringRef>{"--all", "--policy", form}
                             : std::vector<StringRef>{"--policy", form};
  if (form == "clean-up")
    return {"--clean-up"};
  if (form == "host")
    return {"--dispatch", "0", "--target", "host"};
  return llvm::StringSwitch<std::vector<StringRef>>(command)
      .Case("graph", {"--format", "json"})
      .Case("fuse", {"--all"})
      .Case("run", {"--repeat", "1", "--warmup", "0"})
      .Case("kernel", {"--dispatch", "0", "--stage", "all"})
      .Case("tune", {"--budget", "2", "--rounds", "1", "--time-limit", "10", "--tuned", "none"})
      .Case("schedule", {"--check-forms"})
      .Default({});
}

/// The arguments of a command on a file; what it is compared with is the file itself.
static std::vector<std::string> argumentsOf(StringRef name) {
  auto [command, form] = name.split('-');
  std::vector<std::string> arguments{command.str(), "{file}"};
  if (command == "compare")
    arguments.push_back("{file}");
  llvm::append_range(arguments, optionsOf(command, form));
  return arguments;
}

/// A file in memory that has a name while the process lives.
static int makeFile(const char *name, StringRef content) {
  int file = memfd_create(name, /*flags=*/0);
  for (StringRef rest = content; !rest.empty();) {
    ssize_t count = write(file, rest.data(), rest.size());
    if (count <= 0)
      break;
    rest = rest.drop_front(count);
  }
  return file;
}

static std::string contentOf(int file) {
  std::string text(1 << 20, '\0');
  ssize_t count = pread(file, text.data(), text.size(), 0);
  text.resize(std::max<ssize_t>(count, 0));
  return text;
}

/// The life of the process that calls the command.
[[noreturn]] static void call(llvm::ArrayRef<StringRef> arguments, int output, int errors) {
  setsid();
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGXCPU, SIGTERM, SIGINT, SIGALRM})
    std::signal(signal, SIG_DFL); // libFuzzer has handlers
  rlimit processor{.rlim_cur = maxSeconds, .rlim_max = maxSeconds + 5};
  setrlimit(RLIMIT_CPU, &processor);
  setenv("FUSELAGE_MEMORY", "4096", /*overwrite=*/1);
  int nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  _exit(cli::runCommandLine(arguments));
}

/// Waits for a process; nullopt: it took too long, and is killed with all that it started.
static std::optional<int> waitFor(pid_t process) {
  using Clock = std::chrono::steady_clock;
  // Of the wall clock: what waits for ever, on a busy machine.
  const Clock::time_point deadline = Clock::now() + std::chrono::seconds(5 * maxSeconds);
  int status = 0;
  while (waitpid(process, &status, WNOHANG) == 0) {
    if (Clock::now() > deadline) {
      kill(-process, SIGKILL);
      waitpid(process, &status, 0);
      return std::nullopt;
    }
    usleep(2000);
  }
  kill(-process, SIGKILL); // what it left behind
  return status;
}

CallOutcome callCommandLine(llvm::ArrayRef<std::string> arguments, StringRef text) {
  int input = makeFile("fuzz.mlir", text), output = makeFile("stdout", ""), errors = makeFile("stderr", "");
  std::string path = "/proc/self/fd/" + std::to_string(input);
  std::vector<StringRef> withPath;
  for (const std::string &argument : arguments)
    withPath.push_back(argument == "{file}" ? StringRef(path) : StringRef(argument));
  pid_t process = fork();
  if (process == 0)
    call(withPath, output, errors);
  CallOutcome outcome{.status = waitFor(process), .output = contentOf(output), .errors = contentOf(errors)};
  for (int file : {input, output, errors})
    close(file);
  return outcome;
}

std::optional<std::string> findInCommand(StringRef command, StringRef text) {
  auto [status, output, said] = callCommandLine(argumentsOf(command), text);
  auto finding = [&, &said = said](const std::string &what) {
    return "fuselage " + command.str() + " " + what + "\n" + said;
  };
  if (!status)
    return finding("does not end");
  if (WIFSIGNALED(*status))
    return finding("dies of signal " + std::to_string(WTERMSIG(*status)));
  int code = WEXITSTATUS(*status);
  if (code > 2)
    return finding("ends with " + std::to_string(code));
  if (code == 1 && said.empty())
    return finding("ends with 1 and says nothing");
  // A worker that dies is a sentence, and a finding all the same.
  for (StringRef mark :
       {"Sanitizer", "runtime error:", "crashed with signal ", "error: normalizing ", "took more than 4096 MiB"})
    if (StringRef(said).contains(mark))
      return finding("says '" + mark.str() + "'");
  return std::nullopt;
}

} // namespace fuselage::fuzz
