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
inline constexpr unsigned fusedEdge = 0x0b7a6b, possibleEdge = 0xb35300, triedEdge = 0x3d4fb8,
                          impossibleEdge = 0x9c3a86;
inline constexpr unsigned darkFusedEdge = 0x46bfa6, darkPossibleEdge = 0xf2a23a, darkTriedEdge = 0x8fa2f7,
                          darkImpossibleEdge = 0xe08cc6;

/// The roofline chart: texts and lines of text colour 4.5:1 on the ground, marks 3:1.
struct RooflineColours {
  unsigned ground, grid, text, muted, memory, compute, point, before, wrong, selected;
};
inline constexpr RooflineColours rooflineLight = {0xffffff, 0xe3e7ec, 0x1c2430, 0x5a6675, 0x9a5b00,
                                                  0x0b7a6b, 0x2f6fd0, 0x7a63c7, 0xc0392b, 0x1c4f9c};
inline constexpr RooflineColours rooflineDark = {0x16191d, 0x2b3138, 0xe6eaef, 0x9aa7b5, 0xe0a356,
                                                 0x46bfa6, 0x6ea6ee, 0xb3a4f0, 0xf08a7e, 0xa9cbff};

} // namespace fuselage::picture
