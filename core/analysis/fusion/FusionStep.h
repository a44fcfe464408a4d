// One pass of a fusion, and what it led to.
#pragma once
#include <string>

namespace fuselage {

struct FusionStep {
  std::string pass;        ///< "fuselage-absorb-transpose"
  std::string reason;      ///< the code that listed it: "CONSUMER_CONTRACTION"; empty where none did
  unsigned dispatches = 0; ///< after the step: in the edge's function, or in the module
};

} // namespace fuselage
