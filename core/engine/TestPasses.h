// Passes that misbehave, for tests of crash isolation.
#pragma once

namespace fuselage {

/// Registers fuselage-test-crash (a segmentation fault), fuselage-test-hang (never ends), fuselage-test-print (writes
/// to stdout), fuselage-test-wrong (computes something else) and fuselage-test-crash-at-subtraction, once, if the
/// environment has FUSELAGE_TEST_PASSES.
void registerTestPasses();

} // namespace fuselage
