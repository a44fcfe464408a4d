// Requests as the engine's methods take them. Internal to app/bridge.
#pragma once
#include "app/bridge/EngineSession.h"

namespace fuselage {

/// Of pipeline/record; `limit` -1: none.
QJsonObject parametersOf(const RecordRequest &request, int limit);

} // namespace fuselage
