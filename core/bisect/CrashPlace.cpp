#include "core/bisect/CrashPlace.h"
#include <csignal>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <unistd.h>

namespace fuselage {

static constexpr int kMostFrames = 1024;
static int reportTo = -1;
static void *frames[kMostFrames];

/// Whether the frame belongs to what a crash runs through, and not to who caused it.
static bool isOfTheSystem(const Dl_info &info) {
  return std::strstr(info.dli_fname, "libc.so") || std::strstr(info.dli_fname, "libpthread");
}

/// Lines: the report must not be torn by what the process wrote before.
static void say(const char *what, const void *offset) {
  char line[1024];
  int size = offset ? std::snprintf(line, sizeof line, "C%s+%p\n", what, offset)
                    : std::snprintf(line, sizeof line, "C%s\n", what);
  if (size > 0 && write(reportTo, line, size_t(size) < sizeof line ? size : sizeof line - 1) < 0)
    return;
}

static void reportPlace() {
  const int count = backtrace(frames, kMostFrames);
  if (count == kMostFrames) // an overflow of the stack: where in the cycle it happens is chance
    return say("recursion", nullptr);
  // The first is this function, the next one the handler, up to the C library's frame that called it.
  bool hasLeftHandler = false;
  for (int i = 0; i < count; ++i) {
    Dl_info info;
    if (!dladdr(frames[i], &info) || !info.dli_fname)
      continue;
    if (isOfTheSystem(info)) {
      hasLeftHandler = true;
      continue;
    }
    if (!hasLeftHandler)
      continue;
    if (info.dli_sname)
      return say(info.dli_sname, nullptr);
    return say(info.dli_fname, reinterpret_cast<const void *>(static_cast<const char *>(frames[i]) -
                                                              static_cast<const char *>(info.dli_fbase)));
  }
}

static void onCrash(int signal) {
  reportPlace();
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void reportCrashPlace(int descriptor) {
  reportTo = descriptor;
  // The first call loads a library, for which there is no time in a crash.
  backtrace(frames, 1);
  static char stack[256 << 10];
  stack_t other{.ss_sp = stack, .ss_flags = 0, .ss_size = sizeof stack};
  sigaltstack(&other, nullptr);
  struct sigaction action = {};
  action.sa_handler = onCrash;
  action.sa_flags = SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP})
    sigaction(signal, &action, nullptr);
}

} // namespace fuselage
