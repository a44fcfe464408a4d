// Columns of a line.
#pragma once

namespace fuselage {

/// Columns [begin, end) of a line, in bytes.
struct Span {
  unsigned begin = 0, end = 0;
};

} // namespace fuselage
