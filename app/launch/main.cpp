// fuselage-launch DIR: runs a bundle that `fuselage bundle` wrote, and prints what `fuselage run` prints.
#include "app/launch/Launch.h"
#include "app/launch/ResultsJson.h"
#include "core/pictures/RunTable.h"
#include "core/runtime/device/Device.h"
#include <charconv>
#include <cstdio>
#include <cstring>

using namespace fuselage;

namespace {

/// As `fuselage` has them: 1: results are off, or the input is; 2: the command line.
enum ExitCode { ExitOk = 0, ExitInputError = 1, ExitUsage = 2 };

constexpr const char *kHelp =
    "Usage: fuselage-launch [options] DIR\n"
    "\n"
    "Runs the kernels of the bundle in folder DIR, which `fuselage bundle` wrote, on a device of this machine, times\n"
    "them, and compares their results with those that the bundle holds. Prints the table of `fuselage run`.\n"
    "\n"
    "A bundle is checked before anything of it runs: its manifest, and the checksums of its files. Kernels of the "
    "host\n"
    "run in a copy of this process that can do nothing but compute. Kernels of a GPU are given to its driver, which\n"
    "keeps them from other processes: run those of people whom you trust.\n"
    "\n"
    "  --device ID      \"host\", \"vulkan:N\" or \"cuda:N\"; default: the first one of the bundle's kind\n"
    "  --dispatch NAME  run only the dispatches of this name\n"
    "  --repeat N       timed launches of each kernel (default 20)\n"
    "  --warmup N       launches before those (default 3)\n"
    "  --seconds S      do not repeat a dispatch any more after S seconds (default 5)\n"
    "  --timeout S      a launch that takes longer hangs (default 30; 600 on a software device)\n"
    "  --caches KIND    cold (default): timed launches find their data outside of the caches; warm: where they left "
    "it\n"
    "  --format KIND    text (default) or json, which `fuselage run --results` reads\n"
    "  --flat           text: a line for each kernel, also for those that are equal\n"
    "  -o FILE          write the report there instead of to standard output\n"
    "  --check          only check the bundle's manifest and files\n"
    "  --devices        list the devices of this machine\n"
    "  --version        print the version\n"
    "\n"
    "Exit status: 0 if all results agree, 1 if not or if the bundle cannot be run, 2 for a wrong command line.\n";

int wrongUsage(const std::string &what) {
  std::fprintf(stderr, "fuselage-launch: %s; see fuselage-launch --help\n", what.c_str());
  return ExitUsage;
}

int reportFailure(const Status &failure) {
  std::fprintf(stderr, "fuselage-launch: %s\n", failure.message().c_str());
  if (std::string log = failure.log(); !log.empty())
    std::fprintf(stderr, "%s\n", log.c_str());
  return ExitInputError;
}

bool readNumber(const std::string &text, unsigned &number) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

bool readSeconds(const std::string &text, double &seconds) {
  char *end = nullptr;
  seconds = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' && seconds > 0 && seconds < 1e9;
}

struct CommandLine {
  LaunchOptions launch;
  std::string folder, format = "text", output = "-";
  bool checksOnly = false, flat = false;
  std::string wrong; ///< a sentence; empty: it is right
};

CommandLine read(int count, char **arguments) {
  CommandLine line;
  auto set = [&](const std::string &option, const std::string &value) {
    LaunchOptions &launch = line.launch;
    bool isRight = true;
    if (option == "--device")
      launch.device = value;
    else if (option == "--dispatch")
      launch.dispatch = value;
    else if (option == "--repeat")
      isRight = readNumber(value, launch.repeat) && launch.repeat > 0;
    else if (option == "--warmup")
      isRight = readNumber(value, launch.warmup);
    else if (option == "--seconds")
      isRight = readSeconds(value, launch.secondsPerDispatch);
    else if (option == "--timeout")
      isRight = readSeconds(value, launch.timeoutSeconds);
    else if (option == "--caches")
      isRight = value == "cold" || value == "warm", launch.coldCaches = value == "cold";
    else if (option == "--format")
      isRight = value == "text" || value == "json", line.format = value;
    else if (option == "-o")
      line.output = value;
    else
      line.wrong = "there is no option '" + option + "'";
    if (!isRight)
      line.wrong = "'" + value + "' is no value of " + option;
  };
  for (int i = 1; i < count && line.wrong.empty(); ++i) {
    std::string argument = arguments[i];
    if (argument == "--check") {
      line.checksOnly = true;
    } else if (argument == "--flat") {
      line.flat = true;
    } else if (argument.size() > 1 && argument[0] == '-') {
      size_t equals = argument.find('=');
      if (equals != argument.npos)
        set(argument.substr(0, equals), argument.substr(equals + 1));
      else if (i + 1 < count)
        set(argument, arguments[++i]);
      else
        line.wrong = argument + " needs a value, or is no option";
    } else if (line.folder.empty()) {
      line.folder = argument;
    } else {
      line.wrong = "there are two folders, '" + line.folder + "' and '" + argument + "'";
    }
  }
  if (line.wrong.empty() && line.folder.empty())
    line.wrong = "the folder of a bundle is missing";
  return line;
}

int listAll() {
  for (const DeviceInfo &device : listDevices())
    std::printf("%-10s %s, %s\n", device.id.c_str(), device.name.c_str(), device.api.c_str());
  return ExitOk;
}

Status writeReport(const std::string &text, const std::string &path) {
  FILE *file = path == "-" ? stdout : std::fopen(path.c_str(), "we");
  bool isWritten = file && std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
  if (file && file != stdout)
    isWritten &= std::fclose(file) == 0;
  return isWritten ? Status::success() : failWith("cannot write the report to '" + path + "'");
}

int checkOnly(const bundle::Folder &folder) {
  auto manifest = folder.manifest();
  if (!manifest)
    return reportFailure(manifest.error());
  if (Status error = folder.check(*manifest))
    return reportFailure(error);
  std::printf("bundle '%s' is whole: %zu dispatches of @%s, %s for %s, by %s\n", folder.path().c_str(),
              manifest->dispatches.size(), manifest->function.c_str(), manifest->language.c_str(),
              manifest->device.c_str(), manifest->program.c_str());
  return ExitOk;
}

} // namespace

int main(int count, char **arguments) {
  for (int i = 1; i < count; ++i) {
    if (std::strcmp(arguments[i], "--help") == 0 || std::strcmp(arguments[i], "-h") == 0)
      return std::fputs(kHelp, stdout), ExitOk;
    if (std::strcmp(arguments[i], "--version") == 0)
      return std::printf("fuselage-launch %s\n", FUSELAGE_VERSION), ExitOk;
    if (std::strcmp(arguments[i], "--devices") == 0)
      return listAll();
  }
  CommandLine line = read(count, arguments);
  if (!line.wrong.empty())
    return wrongUsage(line.wrong);
  auto folder = bundle::Folder::open(line.folder);
  if (!folder)
    return reportFailure(folder.error());
  if (line.checksOnly)
    return checkOnly(*folder);
  auto report = launchBundle(*folder, line.launch);
  if (!report)
    return reportFailure(report.error());
  for (const message::Diagnostic<> &remark : report->remarks)
    std::fprintf(stderr, "fuselage-launch: %s: %s\n", remark.severity.c_str(), remark.message.c_str());
  if (!report->ok())
    std::fprintf(stderr, "fuselage-launch: %s\n", report->why.c_str());
  std::string text = line.format == "json" ? bundle::resultsJson(*report) : runTable(*report, {{}, line.flat});
  if (Status error = writeReport(text, line.output))
    return reportFailure(error);
  return report->ok() ? ExitOk : ExitInputError;
}
