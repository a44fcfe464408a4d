// Reads the shapes of HLO text. Internal to core/ir/hlo.
#pragma once
#include "core/ir/hlo/HloCursor.h"
#include "core/ir/hlo/HloModule.h"
#include <string>

namespace fuselage::hlo {

/// Tuples nest at most this deep.
constexpr unsigned kMaxTupleDepth = 64;

/// Reads `f32[2,3]{1,0}` or `(f32[2], (s32[], token[]))` into `shape`. Returns what is wrong, or an empty string.
std::string readShape(Cursor &cursor, Shape &shape);

} // namespace fuselage::hlo
