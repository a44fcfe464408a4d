#include "core/support/Confine.h"
#include <cstddef>
#include <cstdint>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>
// GCC has a macro, clang a feature.
#ifdef __has_feature
#define FUSELAGE_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FUSELAGE_SANITIZED 1
#else
#define FUSELAGE_SANITIZED 0
#endif
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && !FUSELAGE_SANITIZED
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#define FUSELAGE_SECCOMP 1
#endif

namespace fuselage {

#ifdef FUSELAGE_SECCOMP
namespace {

#ifdef __x86_64__
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#else
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

/// What an allocator, a clock, a stack and an end need.
constexpr int kCalls[] = {SYS_brk,         SYS_mmap,         SYS_munmap,         SYS_mremap,       SYS_mprotect,
                          SYS_madvise,     SYS_futex,        SYS_clock_gettime,  SYS_gettimeofday, SYS_getpid,
                          SYS_gettid,      SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack,
                          SYS_sched_yield, SYS_getrandom,    SYS_exit,           SYS_exit_group};

/// A program for the kernel's filter (classic BPF) over struct seccomp_data.
class Filter {
public:
  Filter() {
    load(offsetof(seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0);
    add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    load(offsetof(seccomp_data, nr));
  }
  void allow(int call) {
    add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }
  /// Allows a call whose first argument has this value.
  void allow(int call, uint32_t first) {
    add(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4);
    load(offsetof(seccomp_data, args[0])); // the low half: both architectures are little endian
    add(BPF_JMP | BPF_JEQ | BPF_K, first, 0, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    load(offsetof(seccomp_data, nr));
  }
  void install() {
    constexpr uint32_t notPermitted = 1;
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | notPermitted);
    sock_fprog program{.len = static_cast<unsigned short>(code_.size()), .filter = code_.data()};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
  }

private:
  void load(size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, offset); }
  void add(unsigned code, uint32_t operand, unsigned ifTrue = 0, unsigned ifFalse = 0) {
    code_.push_back(
        {static_cast<uint16_t>(code), static_cast<uint8_t>(ifTrue), static_cast<uint8_t>(ifFalse), operand});
  }
  std::vector<sock_filter> code_;
};

} // namespace
#endif

void confineToComputing(std::span<const int> writable) {
  rlimit none{.rlim_cur = 0, .rlim_max = 0};
  setrlimit(RLIMIT_NOFILE, &none);
  setrlimit(RLIMIT_NPROC, &none);
#ifdef FUSELAGE_SECCOMP
  Filter filter;
  for (int call : kCalls)
    filter.allow(call);
  for (int descriptor : writable)
    filter.allow(SYS_write, descriptor);
  // abort() raises a signal in this process only.
  filter.allow(SYS_tgkill, getpid());
  filter.install();
#else
  (void)writable;
#endif
}

} // namespace fuselage
