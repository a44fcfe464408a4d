// Colours that the window and exported pictures share. Free of Qt and MLIR.
#pragma once

namespace fuselage::picture {

/// Accents of dispatches: muted, neighbours in number differ in hue and in lightness. At least 3:1 on white.
inline constexpr unsigned dispatchAccents[] = {0x3b7dd8, 0xc77b1e, 0x2f9e73, 0xb9508f, 0x7a63c7, 0x8f8a1c,
                                               0x1f93a8, 0xc4574a, 0x5b7186, 0x5f9a2c, 0xa06ad0, 0xa5703f};
inline constexpr int accentCount = sizeof(dispatchAccents) / sizeof(*dispatchAccents);
/// The same on a dark ground.
inline constexpr unsigned darkDispatchAccents[] = {0x6ea6ee, 0xe0a356, 0x58c49a, 0xdc85b7, 0xa594ea, 0xbdb84e,
                                                   0x4fbdd1, 0xe8877b, 0x94a9bd, 0x8dc65a, 0xc59aee, 0xc99a6c};
static_assert(sizeof(darkDispatchAccents) == sizeof(dispatchAccents));

/// Edges by their verdict.
inline constexpr unsigned fusedEdge = 0x0b7a6b, possibleEdge = 0xb35300, impossibleEdge = 0x9c3a86;
inline constexpr unsigned darkFusedEdge = 0x46bfa6, darkPossibleEdge = 0xf2a23a, darkImpossibleEdge = 0xe08cc6;

} // namespace fuselage::picture
