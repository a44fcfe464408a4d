// Draws what a tile touches: the operands as grids of elements, and the result.
#pragma once
#include "app/cli/lesson/Sketch.h"
#include "core/protocol/Tiles.h"

namespace fuselage::cli {

/// Of a product, the operands stand beside and above the result; of other ops, before it. Producers that are fused
/// stand for what they read, and what tiles compute again is marked.
void drawTile(Sketch &sketch, const message::TileReport<> &report);

} // namespace fuselage::cli
