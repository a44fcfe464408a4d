// The written parts of the pages on forms. Internal to core/schedules/report.
#pragma once
#include "llvm/ADT/StringRef.h"

namespace fuselage {

/// resources/docs/forms, by the form's name; built into the program. Empty for a name that there is none of.
llvm::StringRef formPageText(llvm::StringRef form);

} // namespace fuselage
