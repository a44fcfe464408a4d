// The limits and the sanitizers' settings of both fuzzers.
#include "tests/fuzz/Fuzzing.h"
#include "tests/fuzz/Exercise.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <pthread.h>
#include <sys/resource.h>

extern "C" void __sanitizer_set_death_callback(void (*callback)());

/// libMLIR is not instrumented: its inlined allocators poison what ours would unpoison, and the other
/// way round, and both define the same inline variables.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_container_overflow=0:detect_odr_violation=0";
}

/// The copies that read dangerous input (core/support/TrialRun.h) may die: that is no finding to write down.
extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  pthread_atfork(nullptr, nullptr, [] { __sanitizer_set_death_callback(nullptr); });
  return 0;
}

namespace fuselage::fuzz {

/// Seconds of processor time that this process and the copies it has waited for have used.
static double processorSeconds() {
  double seconds = 0;
  for (auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    getrusage(who, &used);
    for (const timeval &time : {used.ru_utime, used.ru_stime})
      seconds += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  }
  return seconds;
}

void exerciseInTime(llvm::StringRef bytes) {
  constexpr double maxSeconds = 5;
  double before = processorSeconds();
  exercise(bytes);
  if (double seconds = processorSeconds() - before; seconds > maxSeconds) {
    llvm::errs() << "this input takes " << seconds << " s of processor time\n";
    std::abort();
  }
}

} // namespace fuselage::fuzz
