// Internal to core/rewrites.
#pragma once

namespace fuselage {

/// Does nothing; whoever calls it links Interposition.cpp.
void linkInterposition();

} // namespace fuselage
