// Traces, as Qt values.
#pragma once
#include "core/protocol/Traces.h"
#include "views/messages/QtTypes.h"

namespace fuselage::protocol {

using TraceRow = message::TraceRow<QtTypes>;
using TraceSummary = message::TraceSummary<QtTypes>;
using TracePieces = message::TracePieces<QtTypes>;

} // namespace fuselage::protocol
