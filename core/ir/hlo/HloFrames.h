// The tables of source lines that an HLO module has since 2025. Internal to core/ir/hlo.
#pragma once
#include "core/ir/hlo/HloCursor.h"
#include "core/ir/hlo/HloModule.h"

namespace fuselage::hlo {

/// Reads the tables FileNames, FunctionNames, FileLocations and StackFrames, if they are next. `frames` gets the
/// source line of each frame; what does not fit together has none.
void readFrames(Cursor &cursor, std::map<unsigned, SourceLine> &frames);

} // namespace fuselage::hlo
