// Colours that the window (light theme) and exported pictures share. Free of Qt and MLIR.
#pragma once

namespace fuselage::picture {

/// Accents of dispatches: muted, neighbours in number differ in hue and in lightness. At least 3:1 on white.
inline constexpr unsigned dispatchAccents[] = {0x3b7dd8, 0xc77b1e, 0x2f9e73, 0xb9508f, 0x7a63c7, 0x8f8a1c,
                                               0x1f93a8, 0xc4574a, 0x5b7186, 0x5f9a2c, 0xa06ad0, 0xa5703f};
inline constexpr int accentCount = sizeof(dispatchAccents) / sizeof(*dispatchAccents);

/// Edges by their verdict.
inline constexpr unsigned fusedEdge = 0x0b7a6b, possibleEdge = 0xb35300, impossibleEdge = 0x9c3a86;

} // namespace fuselage::picture
