// fuselage: the command line, and the engine that the window talks to.
#include "app/cli/CommandLine.h"
#include "core/support/process/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <vector>

int main(int argc, char **argv) {
  if (llvm::Error error = fuselage::prepareProcess()) {
    llvm::errs() << "fuselage: " << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  std::signal(SIGPIPE, SIG_IGN);
  return fuselage::cli::runCommandLine(std::vector<llvm::StringRef>(argv + 1, argv + argc));
}
