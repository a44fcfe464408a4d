#include "app/cli/window/OpenWindow.h"
#include "app/cli/Commands.h"
#include "core/support/process/Process.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <unistd.h>

namespace fuselage::cli {

std::string findWindowProgram() {
  llvm::SmallString<256> beside(llvm::sys::path::parent_path(ownProgram()));
  llvm::sys::path::append(beside, "fuselage-gui");
  if (llvm::sys::fs::can_execute(beside))
    return std::string(beside);
  auto onPath = llvm::sys::findProgramByName("fuselage-gui");
  return onPath ? *onPath : std::string();
}

int openWindow(Arguments arguments) {
  auto found = findWindowProgram();
  if (found.empty()) {
    llvm::errs() << "fuselage: the window's program, fuselage-gui, is neither beside this one nor on PATH; "
                    "install it, or use 'fuselage graph', 'step' or 'run'\n";
    return ExitInputError;
  }
  std::vector<std::string> owned{found};
  for (llvm::StringRef argument : arguments)
    owned.push_back(argument.str());
  std::vector<char *> argv;
  for (std::string &argument : owned)
    argv.push_back(argument.data());
  argv.push_back(nullptr);
  execv(found.c_str(), argv.data());
  llvm::errs() << "fuselage: cannot start " << found << ": " << std::strerror(errno) << '\n';
  return ExitInputError;
}

} // namespace fuselage::cli
