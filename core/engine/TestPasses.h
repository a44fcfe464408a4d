// Passes that misbehave, for tests of crash isolation.
#pragma once

namespace fuselage {

/// Registers fuselage-test-crash (a segmentation fault), fuselage-test-hang (never ends) and
/// fuselage-test-print (writes to stdout), once, if the environment has FUSELAGE_TEST_PASSES.
void registerTestPasses();

} // namespace fuselage
