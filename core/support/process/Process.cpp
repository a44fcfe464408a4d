#include "core/support/process/Process.h"
#include "core/support/Error.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

namespace fuselage {

/// Writing to a standard output that was closed fails.
static void openStandardDescriptors() {
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
      open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY); // gets the lowest number, which is this one
}

/// Gives this thread and those to come the stack that MLIR takes, as far as the limit can be raised.
static llvm::Error makeRoomForStack() {
  constexpr rlim_t wanted = rlim_t(8) << 20, least = rlim_t(1) << 20;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= wanted) // no limit is the largest number
    return llvm::Error::success();
  limit.rlim_cur = std::min(wanted, limit.rlim_max);
  setrlimit(RLIMIT_STACK, &limit);
  if (limit.rlim_cur < least)
    return fail("the stack is limited to " + std::to_string(limit.rlim_cur >> 10) +
                " KiB, which is too little for MLIR; 'ulimit -s 8192' allows enough");
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, wanted);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
  return llvm::Error::success();
}

llvm::Error prepareProcess() {
  openStandardDescriptors();
  llvm::install_out_of_memory_new_handler();
  std::signal(SIGXFSZ, SIG_IGN);
  return makeRoomForStack();
}

/// The file that the kernel runs as this process.
static std::string runFile() {
  static int anchor; // in this very program
  return llvm::sys::fs::getMainExecutable("fuselage", &anchor);
}

/// The folder of the engine where `file` is its loader: FOLDER/runtime/ld-linux-x86-64.so.2.
static std::string folderOfLoader(llvm::StringRef file) {
  const llvm::StringRef folder = llvm::sys::path::parent_path(file);
  const bool isLoader =
      llvm::sys::path::filename(folder) == "runtime" && llvm::sys::path::filename(file).starts_with("ld");
  return isLoader ? llvm::sys::path::parent_path(folder).str() : std::string();
}

std::string ownExecutable() {
  const std::string file = runFile(), folder = folderOfLoader(file);
  return folder.empty() ? file : folder + "/libexec/fuselage";
}

std::string ownProgram() {
  const std::string file = runFile(), folder = folderOfLoader(file);
  return folder.empty() ? file : folder + "/bin/fuselage";
}

} // namespace fuselage
