// Tiles, as Qt values.
#pragma once
#include "core/protocol/Tiles.h"
#include "views/messages/QtTypes.h"

namespace fuselage::protocol {

using TileRun = message::TileRun<QtTypes>;
using TileAxis = message::TileAxis<QtTypes>;
using TilePiece = message::TilePiece<QtTypes>;
using TileExtent = message::TileExtent<QtTypes>;
using TileOp = message::TileOp<QtTypes>;
using PlacedTileOp = message::PlacedTileOp<QtTypes>;
using TileDomainLoop = message::TileDomainLoop<QtTypes>;
using TileDomain = message::TileDomain<QtTypes>;
using TileLoop = message::TileLoop<QtTypes>;
using TileFootprint = message::TileFootprint<QtTypes>;
using TileProducer = message::TileProducer<QtTypes>;
using TileCost = message::TileCost<QtTypes>;
using TileReport = message::TileReport<QtTypes>;
using TileSequence = message::TileSequence<QtTypes>;
using TileEvent = message::TileEvent<QtTypes>;
using TileTrace = message::TileTrace<QtTypes>;

} // namespace fuselage::protocol
