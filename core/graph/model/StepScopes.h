// Steps of an unrolled recurrence, as parts of the model.
#pragma once
#include "core/graph/model/Graph.h"

namespace fuselage {

/// A step of a recurrence calls modules that other steps call too, so that a part of the model with a name lies in
/// several steps. Of `repeats` (findRepeats), those are steps whose instances all enter the same module and lie in no
/// layers: each instance becomes a scope, "step 3", of kind Layer, and what it calls are scopes in it.
void addStepScopes(FunctionGraph &function, const std::vector<GraphRepeat> &repeats);

} // namespace fuselage
