// What panels ask for as requests of the engine. Internal to app/bridge.
#pragma once
#include "app/bridge/EngineSession.h"
#include "core/protocol/methods/DocumentMethods.h"

namespace fuselage {

/// `limit` -1: none.
protocol::Request<method::RecordPipeline> requestOf(const RecordRequest &request, int limit);

} // namespace fuselage
