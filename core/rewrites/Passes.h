// Constructors, options and registration of the passes of Passes.td.
#pragma once
#include "mlir/Pass/Pass.h"
#include <memory>
#include <string>

namespace fuselage {

#define GEN_PASS_DECL
#include "core/rewrites/Passes.h.inc"

/// Registers them; call once per process (core/registration).
#define GEN_PASS_REGISTRATION
#include "core/rewrites/Passes.h.inc"

} // namespace fuselage
