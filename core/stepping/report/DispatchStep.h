// Where in a log a program of dispatches stands.
#pragma once
#include "core/stepping/record/Recording.h"

namespace fuselage {

/// The last step whose IR calls dispatches that are on tensors yet (flow), else the last with dispatches of any kind;
/// nullopt: none has. Looks at texts alone.
std::optional<unsigned> lastStepWithDispatches(const Recording &recording);

/// Whether dispatches are formed in a module.
bool hasDispatches(mlir::ModuleOp module);

} // namespace fuselage
