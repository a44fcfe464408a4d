// How lines of a text are asked for, so that who asks ahead asks for the same.
#pragma once

namespace fuselage {

/// Lines of one request; a request begins at a multiple of it.
inline constexpr int textBlock = 512;

} // namespace fuselage
