// Tuning, as Qt values.
#pragma once
#include "core/protocol/Tuning.h"
#include "views/messages/QtTypes.h"

namespace fuselage::protocol {

using TuneKnob = message::TuneKnob<QtTypes>;
using TuneCondition = message::TuneCondition<QtTypes>;
using TunePrediction = message::TunePrediction<QtTypes>;
using TuneSpace = message::TuneSpace<QtTypes>;
using TuneTrial = message::TuneTrial<QtTypes>;
using TuneBegin = message::TuneBegin<QtTypes>;
using TuneOutcome = message::TuneOutcome<QtTypes>;
using TuneProgress = message::TuneProgress<QtTypes>;
using TuneWork = message::TuneWork<QtTypes>;
using TuneJournal = message::TuneJournal<QtTypes>;

} // namespace fuselage::protocol
