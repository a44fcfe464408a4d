// The engines that are on another machine.
#pragma once
#include "core/deploy/FarShell.h"
#include "llvm/Support/JSON.h"

namespace fuselage {

/// An engine in the cache folder there that is not of this build.
struct OtherEngine {
  std::string id;
  uint64_t kibibytes = 0;
  bool isUsed = false; ///< a process there runs it
};

/// What is on the other side of a command.
struct FarState {
  std::string id{}, machine{}; ///< of this build: what would be installed
  std::string arch{}, libc{};  ///< there: "x86_64", "glibc 2.31", or "other"
  std::string folder{};        ///< where engines are
  std::string place{};         ///< "ok", "readonly" or "noexec"
  std::string engine{};        ///< "ok", "broken" or "none"
  std::string version{};       ///< what that engine says
  std::string onPath{};        ///< the program on PATH there; empty: there is none
  std::string pathVersion{};   ///< what that says
  std::optional<uint64_t> freeKibibytes{};
  std::vector<std::string> missingTools{};
  std::vector<OtherEngine> others{};

  bool hasEngine() const { return engine == "ok"; }
  /// A package has installed this version there: it is used where there is no engine in the folder.
  bool hasEngineOnPath() const;
  llvm::json::Value json() const;
  std::string text() const;
};

/// Asks; writes nothing but a probe that is removed at once. Failure: the command, or its shell, does not work.
llvm::Expected<FarState> checkFar(const FarShell &shell);

/// Why the engine of this build cannot be installed there; empty if it can. `neededBytes`: of the disk.
std::string whyNotInstallable(const FarState &state, uint64_t neededBytes);

struct CleanedEngines {
  std::vector<std::string> removed, inUse, problems;
};
/// Removes engines of other builds, and copies that were never completed, unless a process runs them.
llvm::Expected<CleanedEngines> cleanFar(const FarShell &shell);

/// The error that a script ended with, in words: its own, else what its shell or the link said.
llvm::Error farError(const FarShell &shell, const FarEnd &end);

} // namespace fuselage
