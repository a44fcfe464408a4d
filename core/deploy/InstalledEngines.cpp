#include "core/deploy/InstalledEngines.h"
#include "core/deploy/ElfFacts.h"
#include "core/deploy/EngineId.h"
#include "core/deploy/EngineVersion.h"
#include "core/deploy/FarScripts.h"
#include "core/support/Units.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage {

/// Calls `take` with the key and the value of each line that a script said.
static void eachLine(llvm::StringRef output, llvm::function_ref<void(llvm::StringRef, llvm::StringRef)> take) {
  for (llvm::StringRef rest = output; !rest.empty();) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    auto [key, value] = line.split(' ');
    take(key, value.trim());
  }
}

llvm::Error farError(const FarShell &shell, const FarEnd &end) {
  std::string said;
  eachLine(end.output, [&](llvm::StringRef key, llvm::StringRef value) {
    if (key == "error")
      said = value.str();
  });
  const llvm::StringRef messages = llvm::StringRef(end.messages).trim();
  if (!messages.empty())
    said += (said.empty() ? "" : ": ") + messages.rsplit('\n').second.str() +
            (messages.contains('\n') ? "" : messages.str());
  if (said.empty())
    said = "it ended with exit code " + std::to_string(end.exitCode);
  return fail("on the other side of '" + shell.command() + "': " + said);
}

static OtherEngine otherOf(llvm::StringRef value) {
  auto [id, rest] = value.split(' ');
  auto [size, used] = rest.split(' ');
  OtherEngine other{.id = id.str(), .isUsed = used == "used"};
  if (size.getAsInteger(10, other.kibibytes))
    other.kibibytes = 0;
  return other;
}

static std::pair<std::string, std::string> partsOf(llvm::StringRef value) {
  auto [path, version] = value.split(' ');
  return {path.str(), version.str()};
}

bool FarState::hasEngineOnPath() const { return !onPath.empty() && pathVersion == engineVersion(); }

llvm::Expected<FarState> checkFar(const FarShell &shell) {
  auto end = shell.run(checkScript(), {engineId()});
  if (!end)
    return end.takeError();
  FarState state{.id = engineId(), .machine = machineName()};
  eachLine(end->output, [&](llvm::StringRef key, llvm::StringRef value) {
    if (std::string *target = llvm::StringSwitch<std::string *>(key)
                                  .Case("arch", &state.arch)
                                  .Case("libc", &state.libc)
                                  .Case("cache", &state.folder)
                                  .Case("place", &state.place)
                                  .Case("engine", &state.engine)
                                  .Case("version", &state.version)
                                  .Default(nullptr))
      *target = value.str();
    if (key == "path")
      std::tie(state.onPath, state.pathVersion) = partsOf(value);
    uint64_t kibibytes = 0;
    if (key == "free" && !value.getAsInteger(10, kibibytes))
      state.freeKibibytes = kibibytes;
    if (key == "missing")
      state.missingTools.push_back(value.str());
    if (key == "other")
      state.others.push_back(otherOf(value));
  });
  if (end->exitCode != 0 || state.engine.empty())
    return farError(shell, *end);
  return state;
}

std::string whyNotInstallable(const FarState &state, uint64_t neededBytes) {
  if (state.arch != state.machine)
    return llvm::formatv("that machine is {0}, and this engine is for {1}; install Fuselage there from its source",
                         state.arch, state.machine);
  if (state.place == "readonly")
    return "the folder '" + state.folder + "' cannot be written there; set XDG_CACHE_HOME there to one that can";
  if (state.place == "noexec")
    return "no program can be started from '" + state.folder +
           "' (it is mounted noexec); set XDG_CACHE_HOME there to a folder where programs run";
  if (!state.missingTools.empty())
    return "these programs are missing there: " + llvm::join(state.missingTools, ", ") + "; install them";
  if (state.freeKibibytes && *state.freeKibibytes * 1024 < neededBytes)
    return llvm::formatv(
        "the disk of '{0}' has {1} MB left, and the engine needs {2} MB; make room there, for instance "
        "with 'fuselage remote clean'",
        state.folder, *state.freeKibibytes * 1024 / 1000000, neededBytes / 1000000);
  return "";
}

llvm::json::Value FarState::json() const {
  llvm::json::Array engines;
  for (const OtherEngine &other : others)
    engines.push_back(
        llvm::json::Object{{"id", other.id}, {"bytes", int64_t(other.kibibytes) * 1024}, {"used", other.isUsed}});
  llvm::json::Object result{{"id", id},
                            {"arch", arch},
                            {"libc", libc},
                            {"folder", folder},
                            {"place", place},
                            {"engine", engine},
                            {"missing_tools", llvm::json::Array(missingTools)},
                            {"others", std::move(engines)}};
  if (!version.empty())
    result["version"] = version;
  if (!onPath.empty())
    result["on_path"] =
        llvm::json::Object{{"path", onPath}, {"version", pathVersion}, {"is_used", !hasEngine() && hasEngineOnPath()}};
  if (freeKibibytes)
    result["free_bytes"] = int64_t(*freeKibibytes) * 1024;
  const std::string why = whyNotInstallable(*this, /*neededBytes=*/0);
  result["can_install"] = why.empty();
  if (!why.empty())
    result["why_not"] = why;
  return result;
}

std::string FarState::text() const {
  std::string lines;
  llvm::raw_string_ostream os(lines);
  os << "machine   " << arch << ", " << libc << '\n';
  os << "folder    " << folder << (place == "ok" ? "" : place == "readonly" ? " (read-only)" : " (noexec)");
  if (freeKibibytes)
    os << ", " << *freeKibibytes * 1024 / 1000000 << " MB free";
  os << "\nengine    " << id << ": "
     << (hasEngine()          ? "installed, " + version
         : engine == "broken" ? "does not start: " + version
                              : "not installed")
     << '\n';
  if (!onPath.empty())
    os << "on PATH   " << onPath << ", "
       << (hasEngine()         ? pathVersion + ", is not used"
           : hasEngineOnPath() ? "of this version: it is used"
                               : "of another version (" + pathVersion + "): it is not used")
       << '\n';
  for (const OtherEngine &other : others)
    os << "other     " << other.id << ", " << other.kibibytes * 1024 / 1000000 << " MB"
       << (other.isUsed ? ", in use" : "") << '\n';
  if (const std::string why = whyNotInstallable(*this, /*neededBytes=*/0);
      !why.empty() && !hasEngine() && !hasEngineOnPath())
    os << "problem   " << why << '\n';
  return lines;
}

llvm::Expected<CleanedEngines> cleanFar(const FarShell &shell) {
  auto end = shell.run(cleanScript(), {engineId()});
  if (!end)
    return end.takeError();
  if (end->exitCode != 0)
    return farError(shell, *end);
  CleanedEngines cleaned;
  eachLine(end->output, [&](llvm::StringRef key, llvm::StringRef value) {
    if (auto *list = llvm::StringSwitch<std::vector<std::string> *>(key)
                         .Case("removed", &cleaned.removed)
                         .Case("inuse", &cleaned.inUse)
                         .Case("error", &cleaned.problems)
                         .Default(nullptr))
      list->push_back(value.str());
  });
  return cleaned;
}

} // namespace fuselage
