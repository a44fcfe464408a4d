// The passes of Fuselage: constructors, options and registration, generated from Passes.td.
#pragma once
#include "mlir/Pass/Pass.h"
#include <memory>
#include <string>

namespace fuselage {

#define GEN_PASS_DECL
#include "core/transforms/Passes.h.inc"

/// Registers every pass of Passes.td; call once per process.
#define GEN_PASS_REGISTRATION
#include "core/transforms/Passes.h.inc"

} // namespace fuselage
