// Every test of core starts as every program of ours does, in a home of its own.
#include "core/registration/Registration.h"
#include <cstdlib>
#include <errno.h>
#include <string>

/// What was measured on this machine before is nothing that a test goes by, and the user's files are nothing that it
/// writes.
static void goHome() {
  const std::string homes = FUSELAGE_TEST_HOMES, home = homes + "/" + program_invocation_short_name;
  setenv("XDG_CACHE_HOME", (home + "/cache").c_str(), 1);
  setenv("XDG_DATA_HOME", (home + "/data").c_str(), 1);
  setenv("MESA_SHADER_CACHE_DIR", (homes + "/shaders").c_str(), 1);
}

[[maybe_unused]] static const bool isReady = (goHome(), fuselage::registerAllPasses(), true);
