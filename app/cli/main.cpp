// fuselage: the command line, and the engine that the window talks to.
#include "app/cli/CommandLine.h"
#include "core/support/Process.h"
#include <csignal>
#include <vector>

int main(int argc, char **argv) {
  fuselage::prepareProcess();
  std::signal(SIGPIPE, SIG_IGN);
  return fuselage::cli::runCommandLine(argv[0], std::vector<llvm::StringRef>(argv + 1, argv + argc));
}
