// Reads HLO text. Internal to core/ir/hlo.
#pragma once
#include "core/ir/hlo/HloModule.h"
#include "core/support/Error.h"

namespace fuselage::hlo {

/// The module that the text holds; its StringRefs point into `text`. Reads what XLA has printed since 2023: operands
/// with and without their shapes, names with and without '%', computations with and without signatures. Opcodes and
/// attributes are not checked against a list: those of a newer XLA are kept as they are written. Failure: what is
/// wrong, with line and column in `file`.
llvm::Expected<Module> parseModule(llvm::StringRef text, llvm::StringRef file);

} // namespace fuselage::hlo
