// Coverage of processes that the fuzzed one forks.
#pragma once

namespace fuselage::fuzz {

/// Lets forked processes count into this one's counters of coverage: from now on their whole pages are shared memory.
void shareCounters();

} // namespace fuselage::fuzz
