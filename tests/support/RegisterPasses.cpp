// Every test of core starts as every program of ours does.
#include "core/registration/Registration.h"

[[maybe_unused]] static const bool isRegistered = (fuselage::registerAllPasses(), true);
