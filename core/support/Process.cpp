#include "core/support/Process.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Process.h"
#include <csignal>

void fuselage::prepareProcess() {
  llvm::sys::Process::FixupStandardFileDescriptors();
  llvm::install_out_of_memory_new_handler();
  std::signal(SIGXFSZ, SIG_IGN);
}
