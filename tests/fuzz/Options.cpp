// The sanitizers' settings of both fuzzers.
#include <pthread.h>

extern "C" void __sanitizer_set_death_callback(void (*callback)());

/// libMLIR is not instrumented: its inlined allocators poison what ours would unpoison, and the other
/// way round, and both define the same inline variables.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_container_overflow=0:detect_odr_violation=0";
}

/// The copies that read dangerous input (core/ir/TrialRun.h) may die: that is no finding to write down.
extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  pthread_atfork(nullptr, nullptr, [] { __sanitizer_set_death_callback(nullptr); });
  return 0;
}
