// The sanitizers' settings of both fuzzers.

/// libMLIR is not instrumented: its inlined allocators poison what ours would unpoison, and the other
/// way round, and both define the same inline variables.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_container_overflow=0:detect_odr_violation=0";
}
