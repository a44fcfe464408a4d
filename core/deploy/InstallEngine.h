// Copies the engine to another machine.
#pragma once
#include "core/deploy/EngineImage.h"
#include "core/deploy/InstalledEngines.h"

namespace fuselage {

/// How far a copy is, in bytes before they are compressed.
struct CopyProgress {
  uint64_t sent = 0, total = 0;
};

/// What became of it.
struct InstallResult {
  bool wasThere = false;    ///< nothing was sent
  uint64_t sent = 0;        ///< bytes, before they were compressed
  uint64_t transferred = 0; ///< bytes, as they went over the link
  std::string version;      ///< what the engine there says
};

/// Installs the engine of this process in the cache folder of the user on the other side:
///  - Only files are sent that no engine there has, by their hash; a copy that was interrupted goes on where it ended.
///  - All hashes are checked there before the folder gets its name; a file with a wrong one is removed and reported.
///  - Nothing else there is changed or removed.
/// `progress` is called now and then. Failure: the machine is another kind, the folder cannot be used, the disk is
/// full, the link went down, or a hash is wrong.
llvm::Expected<InstallResult> installEngine(const FarShell &shell, llvm::function_ref<void(CopyProgress)> progress);

} // namespace fuselage
