// A process that may die of a file: then the file need not be tried in a copy of the process first.
#pragma once
#include "core/support/ForkedCopy.h"
#include <optional>
#include <sys/resource.h>

namespace fuselage {

/// While one lives, this process is expendable: whoever started it repeats the work with care if it dies. Work that
/// may kill the process then needs no rehearsal in a copy (runInCopy), which saves a third of the time that reading
/// takes. One at a time.
class ExpendableScope {
public:
  ExpendableScope();
  ~ExpendableScope();
  ExpendableScope(const ExpendableScope &) = delete;
  ExpendableScope &operator=(const ExpendableScope &) = delete;
};

bool isExpendable();

/// From now to the end of the scope an expendable process dies of what would kill a copy: of more processor time or
/// memory than `limits` says, of reading memory that was freed, and at the end of a damaged heap. Does nothing in a
/// process that is not expendable.
class ExpendableLimits {
public:
  explicit ExpendableLimits(const TrialLimits &limits);
  ~ExpendableLimits();
  ExpendableLimits(const ExpendableLimits &) = delete;
  ExpendableLimits &operator=(const ExpendableLimits &) = delete;

private:
  struct Before {
    rlimit processor, data, core;
  };
  std::optional<Before> before_;
};

} // namespace fuselage
